package command

import (
	"fmt"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/sources/lesson"
	"kardia/ui/screen"
)

// begin starts the program where the objects show a decision.
func (f *showFlags) begin(d *model.Decision) {
	f.view.value, f.at = "zones", screen.Stands(d).Time().Format(time.RFC3339Nano)
	if d.Node != "" {
		f.view.value, f.node = "node", d.Node
	}
}

// realDecision is the decision that a lesson leads to: the first seen one of its kind, rule and node, if named.
func realDecision(h history.History, params model.Params, real lesson.Real) (*model.Decision, error) {
	result, err := infer.Run(h, infer.Options{Params: params})
	if err != nil {
		return nil, err
	}
	for i := range result.Decisions {
		d := &result.Decisions[i]
		did := d.Outcome == model.Did || d.Outcome == model.Cancelled
		fits := (real.Rule == model.RuleNone || d.Rule == real.Rule) && (d.Kind != model.ZoneState || real.State == model.ZoneNone || d.State.To == real.State)
		if did && fits && strings.EqualFold(d.Kind.String(), real.Decision) && (real.Node == "" || d.Node == real.Node) && (d.Basis == model.Observed || !d.LeavesTrace) {
			return d, nil
		}
	}
	return nil, fmt.Errorf("demo:%s shows no %s %s", real.Demo, real.Decision, real.Node)
}
