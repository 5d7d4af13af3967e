package play

import (
	"fmt"
	"time"
)

// Answer is the answer to a query in a run.
func (p *Play) Answer(q *Query) (Value, error) {
	first, err := p.term(&q.terms[0])
	if err != nil || len(q.terms) == 1 {
		return first, err
	}
	second, err := p.term(&q.terms[1])
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
	switch t := &q.terms[0]; {
	case t.asks == nthEvent, t.asks == nthNode:
		if e, err := p.event(t); err == nil {
			return e
		}
	case t.asks == momentItself && t.at.named != nil:
		return p.Found(t.at.named)
	}
	return nil
}

func (p *Play) term(t *term) (Value, error) {
	switch t.asks {
	case nthEvent, nthNode:
		e, err := p.event(t)
		switch {
		case err != nil || e == nil:
			return Value{}, err
		case t.asks == nthNode:
			return Value{Kind: Word, Word: e.Node}, nil
		}
		return Value{Kind: Moment, Time: e.At}, nil
	case countEvents:
		list, err := p.events(t)
		return Value{Kind: Number, Number: float64(len(list))}, err
	case constant:
		return t.value, nil
	}
	at, ok, err := p.moment(&t.at)
	if err != nil || !ok {
		return Value{}, err
	}
	count := 0
	switch t.asks {
	case momentItself:
		return Value{Kind: Moment, Time: at}, nil
	case zoneState:
		state, _ := p.Zone(t.who.zone, at)
		return Value{Kind: Word, Word: state.String()}, nil
	case zoneRate:
		_, rate := p.Zone(t.who.zone, at)
		return Value{Kind: Number, Number: round(rate)}, nil
	case countNodes:
		for i := range p.Nodes {
			if n := &p.Nodes[i]; t.who.holds(n.Name, n.Zone, "") && !n.At(at).Gone && nodeStates[t.kind](n.At(at)) {
				count++
			}
		}
	case countPods:
		for _, pod := range p.Pods {
			s := pod.At(at)
			if !s.Gone && podStates[t.kind](s) && t.who.holds(s.Node, p.zoneOf(s.Node), pod.Workload) {
				count++
			}
		}
	}
	return Value{Kind: Number, Number: float64(count)}, nil
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

func (p *Play) event(t *term) (*Event, error) {
	list, err := p.events(t)
	switch {
	case err != nil || len(list) == 0 || t.nth > len(list):
		return nil, err
	case t.nth < 0:
		return list[len(list)-1], nil
	}
	return list[t.nth-1], nil
}

func (p *Play) events(t *term) (list []*Event, err error) {
	from, ok, err := p.moment(&t.after)
	if err != nil || !ok {
		return nil, err
	}
	until, ok, err := p.moment(&t.before)
	if err != nil || !ok {
		return nil, err
	}
	for i := range p.Events {
		e := &p.Events[i]
		if e.Kind == t.kind && e.At >= from && e.At <= until && t.who.holds(e.Node, e.Zone, e.Workload) {
			list = append(list, e)
		}
	}
	return list, nil
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
