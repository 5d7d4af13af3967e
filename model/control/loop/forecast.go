package loop

import (
	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/podgc"
	"kardia/model/control/tainteviction"
)

// State is a control plane at an instant, from which a forecast starts. It is copied, not
// changed.
type State struct {
	At     model.Instant
	Cache  *informer.Cache
	Nodes  *nodelifecycle.Controller
	Taints *tainteviction.Controller
	Pods   *podgc.Controller
	Params model.Params
	// Clock says when the loops run next. Where that is not known it is an assumption that
	// moves every result by up to a period.
	Clock Clock
}

// Forecast runs the controllers forward up to and including an instant, and returns what
// they will decide if nodes for which silent is true stay silent, all others go on
// renewing, and nobody changes anything else.
func (s State) Forecast(until model.Instant, silent func(node string) bool) []model.Decision {
	l := Resume(s.At, s.Cache.Clone(), s.Nodes.Clone(), s.Taints.Clone(), s.Pods.Clone(), s.Params, s.Clock)
	var beating []int32
	for i := range int32(l.Cache.Rows()) {
		if row := l.Cache.Row(i); row.Node != nil && !silent(row.Name) {
			beating = append(beating, i)
		}
	}
	l.KeepBeating(beating)
	return l.Run(until)
}
