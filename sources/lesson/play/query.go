package play

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/kubelet"
	"kardia/sources/scenario"
)

// Query is a question about a Play, such as
//
//	first TaintNoExecute b-10 - first MarkUnknown b-10
//	count TaintNoExecute zone=b before dark+60s
//	nodes unknown zone=b at dark
//
// docs/lessons.md lists the forms. The zero Query asks nothing.
type Query struct {
	text  string
	terms []term // the first less the second, if there are two
}

// CountsPods reports whether the query counts pods.
func (q *Query) CountsPods() bool {
	return slices.ContainsFunc(q.terms, func(t term) bool { return t.countsPods })
}

// String is the query as written.
func (q *Query) String() string { return q.text }

// term is one part of a Query.
type term struct {
	value func(*Play) (Value, error)
	// event is the event that answers it; nil if none does.
	event      func(*Play) (*Event, error)
	countsPods bool
}

// who is the subject of a term: all that is set must hold.
type who struct{ node, zone, workload string }

// moment is a named moment, or one of the Play's own, and a length after it.
type moment struct {
	named *Query // nil: the scenario's start
	plus  time.Duration
	end   bool // the scenario's end
	// itself: the moment is the answer, and nothing that is so then.
	itself bool
}

// Names are the names for queries: moments of the lesson. Zero is the origin of its times.
type Names struct {
	Scenario *scenario.Scenario
	Zero     time.Duration
	Moments  map[string]*Query
}

var (
	nodeStates = map[string]func(NodeState) bool{
		"all":        func(NodeState) bool { return true },
		"ready":      func(s NodeState) bool { return s.Ready == model.StatusTrue },
		"unknown":    func(s NodeState) bool { return s.Ready == model.StatusUnknown },
		"notready":   func(s NodeState) bool { return s.Ready == model.StatusFalse },
		"noschedule": func(s NodeState) bool { return s.NoSchedule },
		"noexecute":  func(s NodeState) bool { return s.NoExecute },
		"cordoned":   func(s NodeState) bool { return s.Cordoned },
	}
	podStates = map[string]func(PodState) bool{
		"all":         func(PodState) bool { return true },
		"ready":       func(s PodState) bool { return s.Ready && !s.Terminating },
		"unready":     func(s PodState) bool { return !s.Ready && !s.Terminating && !s.Failed },
		"failed":      func(s PodState) bool { return s.Failed },
		"pending":     func(s PodState) bool { return s.Node == "" },
		"terminating": func(s PodState) bool { return s.Terminating },
	}
)

// reader reads the words of a query that are left.
type reader struct {
	Names
	words []string
}

// Parse reads a query.
func (n Names) Parse(text string) (*Query, error) {
	r := &reader{n, strings.Fields(text)}
	q := &Query{text: strings.Join(r.words, " ")}
	if len(r.words) == 0 {
		return nil, errors.New("the query is empty")
	}
	for {
		t, err := r.term()
		if err != nil {
			return nil, fmt.Errorf("%q: %w", q.text, err)
		}
		q.terms = append(q.terms, t)
		if len(r.words) == 0 {
			return q, nil
		}
		if word := r.next(); word != "-" || len(q.terms) == 2 {
			return nil, fmt.Errorf("%q: %q is not expected there", q.text, word)
		}
	}
}

func (r *reader) next() string {
	word := r.words[0]
	r.words = r.words[1:]
	return word
}

func (r *reader) term() (t term, err error) {
	if len(r.words) == 0 {
		return t, errors.New("something is missing after -")
	}
	word := r.next()
	head := strings.ToLower(word)
	if head == "node" && len(r.words) > 1 && r.words[0] == "of" {
		nth := ordinal(strings.ToLower(r.words[1]))
		if nth == 0 {
			return t, errors.New("expected node of first KIND")
		}
		r.words = r.words[2:]
		return r.nth(nth, func(e *Event) Value { return Value{Kind: Word, Word: e.Node} })
	}
	if nth := ordinal(head); nth != 0 {
		return r.nth(nth, func(e *Event) Value { return Value{Kind: Moment, Time: e.At} })
	}
	switch head {
	case "count":
		kind, events, err := r.events()
		t.countsPods = strings.HasPrefix(kind, "Pod") || kind == model.EvictPod.String()
		t.value = func(p *Play) (Value, error) {
			list, until, err := events(p)
			p.tells(until)
			return Value{Kind: Number, Number: float64(len(list))}, err
		}
		return t, err
	case "nodes":
		t.value, err = states(r, nodeStates, (*Play).nodesIn)
		return t, err
	case "pods":
		t.value, err = states(r, podStates, (*Play).podsIn)
		t.countsPods = true
		return t, err
	case "state":
		t.value, err = r.zone(func(state model.DisruptionState, _ float32) Value { return Value{Kind: Word, Word: state.String()} })
		return t, err
	case "rate":
		t.value, err = r.zone(func(_ model.DisruptionState, rate float32) Value { return Value{Kind: Number, Number: round(rate)} })
		return t, err
	case "flag":
		if len(r.words) == 0 {
			return t, errors.New("flag: expected a flag's name")
		}
		v, err := flag(&r.Scenario.Params, r.next())
		return constant(v), err
	}
	if m, err := r.moment(word); err == nil {
		m.itself = true
		t.value = m.asks(func(_ *Play, at time.Duration) Value { return Value{Kind: Moment, Time: at} })
		if m.named != nil {
			t.event = func(p *Play) (*Event, error) { return p.Found(m.named), nil }
		}
		return t, nil
	}
	if v, err := parseValue(word); err == nil && (v.Kind == Number || v.Kind == Length) {
		return constant(v), nil
	}
	return t, fmt.Errorf("%q is not known: expected first, last, 2nd, count, nodes, pods, state, rate, flag, node of, a number, a duration, or one of the moments %s", word, r.names())
}

func constant(v Value) term {
	return term{value: func(*Play) (Value, error) { return v, nil }}
}

// nth reads a term for the nth of some events, or with -1 for the last.
func (r *reader) nth(nth int, of func(*Event) Value) (t term, err error) {
	_, events, err := r.events()
	t.event = func(p *Play) (*Event, error) {
		list, _, err := events(p)
		switch {
		case err != nil || len(list) == 0 || nth > len(list):
			return nil, err
		case nth < 0:
			return list[len(list)-1], nil
		}
		return list[nth-1], nil
	}
	t.value = func(p *Play) (Value, error) {
		e, err := t.event(p)
		if err != nil || e == nil {
			return Value{}, err
		}
		p.tells(e.At)
		return of(e), nil
	}
	return t, err
}

// names lists the named moments.
func (n Names) names() string { return strings.Join(slices.Sorted(maps.Keys(n.Moments)), ", ") }

// ordinal reads first, last, 2nd and the like; 0 for any other word.
func ordinal(word string) int {
	switch word {
	case "first":
		return 1
	case "last":
		return -1
	}
	if len(word) < 3 || !slices.Contains([]string{"st", "nd", "rd", "th"}, word[len(word)-2:]) {
		return 0
	}
	i, err := strconv.ParseUint(word[:len(word)-2], 10, 16)
	if err != nil {
		return 0
	}
	return int(i)
}

// events reads KIND WHO* [after MOMENT] [before MOMENT].
func (r *reader) events() (kind string, events func(*Play) ([]*Event, time.Duration, error), err error) {
	if len(r.words) == 0 {
		return "", nil, errors.New("expected what happened, such as MarkUnknown")
	}
	word := r.next()
	i := slices.IndexFunc(Kinds(), func(k string) bool { return strings.EqualFold(k, word) })
	if i < 0 {
		return "", nil, fmt.Errorf("no event is called %q; there are %s", word, strings.Join(Kinds(), ", "))
	}
	kind = Kinds()[i]
	who, err := r.whom()
	after, before := moment{}, moment{end: true}
	for err == nil && len(r.words) > 1 && (r.words[0] == "after" || r.words[0] == "before") {
		if r.next() == "after" {
			after, err = r.moment(r.next())
		} else {
			before, err = r.moment(r.next())
		}
	}
	return kind, func(p *Play) ([]*Event, time.Duration, error) { return p.events(kind, who, &after, &before) }, err
}

// states reads STATE WHO* at MOMENT, and counts what is in that state.
func states[S any](r *reader, names map[string]func(S) bool, count func(p *Play, at time.Duration, who who, is func(S) bool) int) (func(*Play) (Value, error), error) {
	if len(r.words) == 0 || names[strings.ToLower(r.words[0])] == nil {
		return nil, fmt.Errorf("expected one of %s", strings.Join(slices.Sorted(maps.Keys(names)), ", "))
	}
	is := names[strings.ToLower(r.next())]
	who, err := r.whom()
	if err != nil {
		return nil, err
	}
	return r.then(func(p *Play, at time.Duration) Value {
		return Value{Kind: Number, Number: float64(count(p, at, who, is))}
	})
}

func (r *reader) zone(of func(model.DisruptionState, float32) Value) (func(*Play) (Value, error), error) {
	if len(r.words) == 0 || !r.hasZone(r.words[0]) {
		return nil, errors.New("expected a zone of the scenario")
	}
	zone := r.next()
	return r.then(func(p *Play, at time.Duration) Value { return of(p.Zone(zone, at)) })
}

func (n Names) hasZone(zone string) bool {
	return slices.ContainsFunc(n.Scenario.Nodes, func(m scenario.Node) bool { return m.Zone.String() == zone })
}

// then reads at MOMENT, for a question about that moment.
func (r *reader) then(of func(p *Play, at time.Duration) Value) (func(*Play) (Value, error), error) {
	if len(r.words) < 2 || r.next() != "at" {
		return nil, errors.New("expected at and a moment at the end")
	}
	m, err := r.moment(r.next())
	return m.asks(of), err
}

func (r *reader) whom() (w who, err error) {
	for ; len(r.words) > 0; r.next() {
		word := r.words[0]
		name, value, ok := strings.Cut(word, "=")
		switch {
		case ok && name == "zone" && r.hasZone(value):
			w.zone = value
		case ok && name == "of" && slices.ContainsFunc(r.Scenario.Workloads, func(w scenario.Workload) bool { return w.Key.String() == value }):
			w.workload = value
		case !ok && slices.ContainsFunc(r.Scenario.Nodes, func(m scenario.Node) bool { return m.Name == word }):
			w.node = word
		case word == "after" || word == "before" || word == "at" || word == "-":
			return w, nil
		default:
			return w, fmt.Errorf("the scenario has no %q: expected a node, zone=ZONE, or of=NAMESPACE/WORKLOAD", word)
		}
	}
	return w, nil
}

// moment reads a name, +DURATION from the lesson's zero, NAME+DURATION, start or end.
func (n Names) moment(word string) (m moment, err error) {
	name := word
	if i := strings.LastIndexAny(word, "+-"); i >= 0 {
		if d, err := time.ParseDuration(word[i:]); err == nil {
			name, m.plus = word[:i], d
		}
	}
	switch {
	case name == "zero", name == "":
		m.plus += n.Zero
		return m, nil
	case name == "start":
		return m, nil
	case name == "end":
		m.end = true
		return m, nil
	}
	var ok bool
	if m.named, ok = n.Moments[name]; !ok {
		err = fmt.Errorf("no moment is called %q; there are zero, start, end, +DURATION, %s", word, n.names())
	}
	return m, err
}

// flag is the value of a flag of the control plane, or of a kubelet.
func flag(p *model.Params, name string) (Value, error) {
	switch name {
	case "default-not-ready-toleration-seconds", "default-unreachable-toleration-seconds": // the API server's
		return Value{Kind: Length, Time: scenario.DefaultToleration}, nil
	case "nodeStatusReportFrequency":
		return Value{Kind: Length, Time: kubelet.Defaults(p.Version).StatusReport}, nil
	}
	if f := model.FlagNamed(name); f != nil && f.Kind != "gate" {
		return parseValue(f.Value(p))
	}
	return Value{}, fmt.Errorf("no flag that decides about nodes is called %q", name)
}

// round gives a float32 the digits that it was written with.
func round(f float32) float64 {
	wide, _ := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', -1, 32), 64)
	return wide
}
