package forecast

import "kardia/model"

// subject is what makes decisions of two runs the same, but for those otherwise alike: a
// pod's namespace and name, or a node, or a zone's region and name.
type subject struct {
	kind    model.DecisionKind
	outcome model.Outcome
	about   aboutKind
	a, b    string
	// text tells apart decisions of one kind about one subject.
	text string
}

type aboutKind uint8

const (
	aboutCluster aboutKind = iota
	aboutZone
	aboutNode
	aboutPod
)

func subjectOf(d *model.Decision) subject {
	s := subject{kind: d.Kind, outcome: d.Outcome}
	switch {
	case d.Pod != model.Key{}:
		s.about, s.a, s.b = aboutPod, d.Pod.Namespace, d.Pod.Name
	case d.Node != "":
		s.about, s.a = aboutNode, d.Node
	case d.Place.Known:
		s.about, s.a, s.b = aboutZone, d.Place.Value.Region, d.Place.Value.Zone
	}
	switch d.Kind {
	case model.AddNoSchedule, model.RemoveNoSchedule:
		if len(d.Writes) > 0 {
			s.text = d.Writes[0].Taint.Key
		}
	case model.ZoneState, model.SetRate:
		s.text = d.Why
	}
	return s
}

// pair finds for each decision of two runs the same one in the other: of those about the same
// subject the first with the first, the second with the second.
func pair(a, b *run) {
	a.twins, b.twins = make([]int32, len(a.list)), make([]int32, len(b.list))
	// first is the first decision of a about a subject that has no twin yet, next the one
	// after it; last the last.
	type chain struct{ first, last int32 }
	chains := make(map[subject]chain, len(a.list))
	next := make([]int32, len(a.list))
	for i := range a.list {
		a.twins[i], next[i] = -1, -1
		s := subjectOf(a.list[i])
		c, ok := chains[s]
		if ok {
			next[c.last] = int32(i)
		} else {
			c.first = int32(i)
		}
		c.last = int32(i)
		chains[s] = c
	}
	for i := range b.list {
		b.twins[i] = -1
		s := subjectOf(b.list[i])
		c, ok := chains[s]
		if !ok || c.first < 0 {
			continue
		}
		a.twins[c.first], b.twins[i] = int32(i), c.first
		c.first = next[c.first]
		chains[s] = c
	}
}
