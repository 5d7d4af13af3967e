package play

import (
	"fmt"
	"time"
)

// Answer is the answer to a query in a run.
func (p *Play) Answer(q *Query) (Value, error) {
	first, err := q.terms[0].value(p)
	if err != nil || len(q.terms) == 1 {
		return first, err
	}
	second, err := q.terms[1].value(p)
	if err != nil {
		return second, err
	}
	switch {
	case first.Kind == Never || second.Kind == Never:
		return Value{}, nil
	case first.Kind == Number && second.Kind == Number:
		return Value{Kind: Number, Number: first.Number - second.Number}, nil
	case first.Kind == Moment && second.Kind == Moment, first.Kind == Length && second.Kind == Length:
		return Value{Kind: Length, Time: first.Time - second.Time}, nil
	case first.Kind == Moment && second.Kind == Length:
		return Value{Kind: Moment, Time: first.Time - second.Time}, nil
	}
	return Value{}, fmt.Errorf("%q: %v less %v means nothing", q, first.Kind, second.Kind)
}

// Reach is the latest time that the answer to a query shows. A count shows the time up to its end.
func (p *Play) Reach(q *Query) (at time.Duration, err error) {
	asked := *p
	asked.reach = &at
	_, err = asked.Answer(q)
	return at, err
}

// tells notes that an answer shows a time.
func (p *Play) tells(at time.Duration) {
	if p.reach != nil {
		*p.reach = max(*p.reach, at)
	}
}

// Answers are the answers in each of some runs.
func Answers(plays []*Play, q *Query) (list []Value, err error) {
	for _, p := range plays {
		v, err := p.Answer(q)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// Found is the event of a query, if it has one: that of its first term.
func (p *Play) Found(q *Query) *Event {
	if q.terms[0].event == nil {
		return nil
	}
	e, _ := q.terms[0].event(p)
	return e
}

// nodesIn counts the nodes in a state at a time.
func (p *Play) nodesIn(at time.Duration, who who, is func(NodeState) bool) (count int) {
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if s := n.At(at); who.holds(n.Name, n.Zone, "") && !s.Gone && is(s) {
			count++
		}
	}
	return count
}

// podsIn counts the pods in a state at a time.
func (p *Play) podsIn(at time.Duration, who who, is func(PodState) bool) (count int) {
	for _, pod := range p.Pods {
		if s := pod.At(at); !s.Gone && is(s) && who.holds(s.Node, p.zoneOf(s.Node), pod.Workload) {
			count++
		}
	}
	return count
}

func (p *Play) zoneOf(node string) string {
	if n := p.nodes[node]; n != nil {
		return n.Zone
	}
	return ""
}

func (w *who) holds(node, zone, workload string) bool {
	return (w.node == "" || w.node == node) && (w.zone == "" || w.zone == zone) && (w.workload == "" || w.workload == workload)
}

func (p *Play) events(kind string, who who, after, before *moment) (list []*Event, until time.Duration, err error) {
	from, ok, err := p.moment(after)
	if err != nil || !ok {
		return nil, from, err
	}
	until, ok, err = p.moment(before)
	if err != nil || !ok {
		return nil, until, err
	}
	for i := range p.Events {
		e := &p.Events[i]
		if e.Kind == kind && e.At >= from && e.At <= until && who.holds(e.Node, e.Zone, e.Workload) {
			list = append(list, e)
		}
	}
	return list, until, nil
}

// asks is a question about the moment in a Play; its answer is Never if the moment never comes.
func (m moment) asks(of func(p *Play, at time.Duration) Value) func(*Play) (Value, error) {
	return func(p *Play) (Value, error) {
		at, ok, err := p.moment(&m)
		if err != nil || !ok {
			return Value{}, err
		}
		if !m.itself { // what a moment is named after tells of itself
			p.tells(at)
		}
		return of(p, at), nil
	}
}

// moment is when a moment is; ok is false if it never comes.
func (p *Play) moment(m *moment) (at time.Duration, ok bool, err error) {
	switch {
	case m.end:
		return p.Scenario.Length + m.plus, true, nil
	case m.named == nil:
		return m.plus, true, nil
	}
	v, err := p.Answer(m.named)
	if err == nil && v.Kind != Moment && v.Kind != Never {
		err = fmt.Errorf("%q is %v, and no moment", m.named, v.Kind)
	}
	return v.Time + m.plus, v.Kind == Moment, err
}
