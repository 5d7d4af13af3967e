package actors

import (
	"iter"
	"strings"
	"time"

	"kardia/model"
)

func (o *on) others(kind model.Kind) iter.Seq2[model.Key, model.RelatedRow] {
	if o.cluster == nil {
		return func(func(model.Key, model.RelatedRow) bool) {}
	}
	return o.cluster.RelatedOf(kind)
}

type condition struct {
	status, reason string
	since          model.Instant
}

func conditionOf(o *model.Related, kind string) (c condition, ok bool) {
	text, ok := o.Details.Get(model.DetailCondition + kind)
	if !ok {
		return c, false
	}
	parts := append(strings.Split(text, " "), "", "")
	return condition{parts[0], parts[1], moment(parts[2])}, true
}

// moment reads a time in Kubernetes' form; unknown if it is none, or outside the years 2014 to 2100.
func moment(text string) model.Instant {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || t.Year() < 2014 || t.Year() > 2100 {
		return 0
	}
	return model.At(t)
}

// claim: Karpenter removes the machine, or may replace it, as its NodeClaim shows.
// Source: Karpenter: pkg/apis/v1, NodeClaim; pkg/controllers/node/termination.
func (o *on) claim() (a Actor, ok bool) {
	for key, claim := range o.others(model.KindNodeClaim) {
		if claim.Details.Value(model.DetailNode) != o.row.Name {
			continue
		}
		a = Actor{Who: "karpenter", Because: []Trace{{Of: "node-claim", Name: key.Name}}}
		if claim.Deleted.Known() {
			a.When, a.Does, a.drains = since(claim.Deleted), "removes", true
			a.Because[0].At = model.Exactly(claim.Deleted)
			if c, has := conditionOf(claim.Related, "InstanceTerminating"); has && c.status == "True" {
				a.Does = "removes-drained"
			} else if c, has := conditionOf(claim.Related, "Drained"); has && c.status != "True" {
				a.Because = append(a.Because, Trace{Of: "condition", Name: strings.TrimSpace("Drained " + c.status + " " + c.reason)})
			}
			return a, true
		}
		for _, kind := range [...]string{"DisruptionReason", "Drifted", "Consolidatable"} {
			if c, has := conditionOf(claim.Related, kind); has && c.status == "True" {
				a.Does, a.Reason = "may-replace-claim", kind
				a.Because = append(a.Because, Trace{Of: "condition", Name: strings.TrimSpace(kind + " True " + c.reason), At: since(c.since)})
				a.Halts = []Halt{{Why: "budgets"}}
				return a, true
			}
		}
	}
	return a, false
}

// healthCheck: a NodeHealthCheck of medik8s remediates the node, or waits to.
// Source: medik8s/node-healthcheck-operator: controllers/nodehealthcheck_controller.go.
func (o *on) healthCheck() (a Actor, ok bool) {
	for key, check := range o.others(model.KindNodeHealthCheck) {
		began, unhealthy := check.Details.Get(model.DetailUnhealthy + o.row.Name)
		due, waits := o.due(check.Related)
		if !unhealthy && !waits {
			continue
		}
		is := Trace{Of: "health-check", Name: key.Name}
		a = Actor{Who: "medik8s", Does: "remediates-by-template"}
		switch t := moment(began); {
		case unhealthy && t.Known():
			a.When = since(t)
			is.Of, is.At = "remediation", a.When
		case unhealthy:
			is.Of = "unhealthy"
		default:
			a.When, a.Assumes = model.Interval{Earliest: due, Latest: model.FarFuture}, "selected"
		}
		a.Because = []Trace{is}
		phase := check.Details.Value(model.DetailPhase)
		if c, has := conditionOf(check.Related, "StormActive"); has && c.status == "True" {
			a.Halts = []Halt{{Why: "storm"}}
		} else if phase == "Disabled" || phase == "Paused" {
			a.Halts = []Halt{{Why: "phase", Text: strings.TrimSpace(phase + ": " + check.Details.Value(model.DetailReason))}}
		}
		return a, true
	}
	return a, false
}

// due is when a NodeHealthCheck's wait for the node's conditions ends; ok is false if none of its conditions holds.
func (o *on) due(check *model.Related) (at model.Instant, ok bool) {
	for name, value := range check.Details.All {
		waits, is := strings.CutPrefix(name, model.DetailWaits)
		if !is {
			continue
		}
		kind, status, _ := strings.Cut(waits, " ")
		c := o.row.Node.Condition(kind)
		d, err := time.ParseDuration(value)
		if c == nil || c.Status.String() != status || err != nil || d < 0 || !c.Transition.Bounded() {
			continue
		}
		if t := c.Transition.Add(d); !ok || t < at {
			at, ok = t, true
		}
	}
	return at, ok
}

// autoscalerSays is the cluster autoscaler's own status; because has no name if there is none.
func (o *on) autoscalerSays() (health, runs, probed string, because Trace) {
	for key, status := range o.others(model.KindAutoscalerStatus) {
		is := status.Details.Value
		health, runs, probed = is(model.DetailHealth), is(model.DetailRuns), is(model.DetailProbed)
		because = Trace{Of: "autoscaler-status", Name: key.String(), Text: strings.TrimSpace(health + " " + probed)}
	}
	return health, runs, probed, because
}

func written(probed string) model.Instant {
	for _, layout := range []string{"2006-01-02 15:04:05.999999999 -0700 MST", time.RFC3339} {
		if t, err := time.Parse(layout, probed); err == nil {
			return model.At(t)
		}
	}
	return 0
}
