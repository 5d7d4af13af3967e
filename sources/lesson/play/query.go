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
	for _, t := range q.terms {
		if t.asks == countPods || t.asks == countEvents && (strings.HasPrefix(t.kind, "pod") || t.kind == "evictpod") {
			return true
		}
	}
	return false
}

// String is the query as written.
func (q *Query) String() string { return q.text }

// term is one part of a Query: its question, its subject, and its moments.
type term struct {
	asks          asks
	nth           int    // of first, 2nd, last (-1)
	kind          string // of events, or the state of nodes and pods
	value         Value  // of a constant
	who           who
	after, before moment // of events: the bounds of their times
	at            moment
}

type asks uint8

const (
	constant asks = iota
	nthEvent
	nthNode // the node of an event
	countEvents
	countNodes
	countPods
	zoneState
	zoneRate
	momentItself
)

// who is the subject of a term: all that is set must hold.
type who struct{ node, zone, workload string }

// moment is a named moment, or one of the Play's own, and a length after it.
type moment struct {
	named *Query // nil: the scenario's start
	plus  time.Duration
	end   bool // the scenario's end
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
	}
	podStates = map[string]func(PodState) bool{
		"all":         func(PodState) bool { return true },
		"ready":       func(s PodState) bool { return s.Ready && !s.Terminating },
		"unready":     func(s PodState) bool { return !s.Ready && !s.Terminating },
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
		t := term{before: moment{end: true}}
		if err := r.term(&t); err != nil {
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

func (r *reader) term(t *term) (err error) {
	if len(r.words) == 0 {
		return errors.New("something is missing after -")
	}
	word := r.next()
	head := strings.ToLower(word)
	if head == "node" && len(r.words) > 1 && r.words[0] == "of" {
		t.asks, t.nth = nthNode, ordinal(strings.ToLower(r.words[1]))
		if t.nth == 0 {
			return errors.New("expected node of first KIND")
		}
		r.words = r.words[2:]
		return r.events(t)
	}
	if t.nth = ordinal(head); t.nth != 0 {
		t.asks = nthEvent
		return r.events(t)
	}
	switch head {
	case "count":
		t.asks = countEvents
		return r.events(t)
	case "nodes":
		t.asks = countNodes
		return r.states(t, slices.Sorted(maps.Keys(nodeStates)))
	case "pods":
		t.asks = countPods
		return r.states(t, slices.Sorted(maps.Keys(podStates)))
	case "state":
		t.asks = zoneState
		return r.zone(t)
	case "rate":
		t.asks = zoneRate
		return r.zone(t)
	case "flag":
		if len(r.words) == 0 {
			return errors.New("flag: expected a flag's name")
		}
		t.value, err = flag(&r.Scenario.Params, r.next())
		return err
	}
	if t.at, err = r.moment(word); err == nil {
		t.asks = momentItself
		return nil
	}
	if t.value, err = parseValue(word); err == nil && (t.value.Kind == Number || t.value.Kind == Length) {
		return nil
	}
	return fmt.Errorf("%q is not known: expected first, last, 2nd, count, nodes, pods, state, rate, flag, node of, a number, a duration, or one of the moments %s", word, r.names())
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
func (r *reader) events(t *term) error {
	if len(r.words) == 0 {
		return errors.New("expected what happened, such as MarkUnknown")
	}
	word := r.next()
	t.kind = strings.ToLower(word)
	if _, ok := model.ParseDecisionKind(t.kind); !ok && !slices.Contains(happenings, t.kind) {
		return fmt.Errorf("nothing that happens is called %q", word)
	}
	err := r.whom(t)
	for err == nil && len(r.words) > 1 && (r.words[0] == "after" || r.words[0] == "before") {
		if r.next() == "after" {
			t.after, err = r.moment(r.next())
		} else {
			t.before, err = r.moment(r.next())
		}
	}
	return err
}

// states reads STATE WHO* at MOMENT.
func (r *reader) states(t *term, states []string) error {
	if len(r.words) == 0 || !slices.Contains(states, strings.ToLower(r.words[0])) {
		return fmt.Errorf("expected one of %s", strings.Join(states, ", "))
	}
	t.kind = strings.ToLower(r.next())
	if err := r.whom(t); err != nil {
		return err
	}
	return r.then(t)
}

func (r *reader) zone(t *term) error {
	if len(r.words) == 0 || !r.hasZone(r.words[0]) {
		return errors.New("expected a zone of the scenario")
	}
	t.who.zone = r.next()
	return r.then(t)
}

func (n Names) hasZone(zone string) bool {
	return slices.ContainsFunc(n.Scenario.Nodes, func(m scenario.Node) bool { return m.Zone.String() == zone })
}

func (r *reader) then(t *term) (err error) {
	if len(r.words) < 2 || r.next() != "at" {
		return errors.New("expected at and a moment at the end")
	}
	t.at, err = r.moment(r.next())
	return err
}

func (r *reader) whom(t *term) error {
	for ; len(r.words) > 0; r.next() {
		word := r.words[0]
		name, value, ok := strings.Cut(word, "=")
		switch {
		case ok && name == "zone" && r.hasZone(value):
			t.who.zone = value
		case ok && name == "of" && slices.ContainsFunc(r.Scenario.Workloads, func(w scenario.Workload) bool { return w.Key.String() == value }):
			t.who.workload = value
		case !ok && slices.ContainsFunc(r.Scenario.Nodes, func(m scenario.Node) bool { return m.Name == word }):
			t.who.node = word
		case word == "after" || word == "before" || word == "at" || word == "-":
			return nil
		default:
			return fmt.Errorf("the scenario has no %q: expected a node, zone=ZONE, or of=NAMESPACE/WORKLOAD", word)
		}
	}
	return nil
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
