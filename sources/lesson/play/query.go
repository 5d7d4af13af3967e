package play

import (
	"errors"
	"fmt"
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
	after, before *moment
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

// Parse reads a query.
func (n Names) Parse(text string) (*Query, error) {
	q := &Query{text: strings.Join(strings.Fields(text), " ")}
	rest := strings.Fields(text)
	if len(rest) == 0 {
		return nil, errors.New("the query is empty")
	}
	for {
		t, left, err := n.term(rest)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", q.text, err)
		}
		q.terms = append(q.terms, t)
		if len(left) == 0 {
			return q, nil
		}
		if left[0] != "-" || len(q.terms) == 2 {
			return nil, fmt.Errorf("%q: %q is not expected there", q.text, left[0])
		}
		rest = left[1:]
	}
}

func (n Names) term(words []string) (t term, rest []string, err error) {
	if len(words) == 0 {
		return t, nil, errors.New("something is missing after -")
	}
	head, rest := strings.ToLower(words[0]), words[1:]
	if head == "node" && len(rest) > 1 && rest[0] == "of" {
		t.asks, head, rest = nthNode, strings.ToLower(rest[1]), rest[2:]
		if t.nth = ordinal(head); t.nth == 0 {
			return t, nil, errors.New("expected node of first KIND")
		}
		return n.events(t, rest)
	}
	if t.nth = ordinal(head); t.nth != 0 {
		t.asks = nthEvent
		return n.events(t, rest)
	}
	switch head {
	case "count":
		t.asks = countEvents
		return n.events(t, rest)
	case "nodes":
		t.asks = countNodes
		return n.states(t, rest, known(nodeStates))
	case "pods":
		t.asks = countPods
		return n.states(t, rest, known(podStates))
	case "state":
		t.asks = zoneState
		return n.zone(t, rest)
	case "rate":
		t.asks = zoneRate
		return n.zone(t, rest)
	case "flag":
		if len(rest) == 0 {
			return t, nil, errors.New("flag: expected a flag's name")
		}
		t.value, err = flag(&n.Scenario.Params, rest[0])
		return t, rest[1:], err
	}
	if m, ok := n.moment(words[0]); ok {
		t.asks, t.at = momentItself, m
		return t, rest, nil
	}
	if v, err := parseValue(words[0]); err == nil && (v.Kind == Number || v.Kind == Length) {
		t.value = v
		return t, rest, nil
	}
	return t, nil, fmt.Errorf("%q is not known: expected first, last, 2nd, count, nodes, pods, state, rate, flag, node of, a number, a duration, or one of the moments %s", words[0], strings.Join(known(n.Moments), ", "))
}

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

func known[V any](m map[string]V) (words []string) {
	for word := range m {
		words = append(words, word)
	}
	slices.Sort(words)
	return words
}

// events reads KIND WHO* [after MOMENT] [before MOMENT].
func (n Names) events(t term, words []string) (term, []string, error) {
	if len(words) == 0 {
		return t, nil, errors.New("expected what happened, such as MarkUnknown")
	}
	t.kind = strings.ToLower(words[0])
	if _, ok := model.ParseDecisionKind(t.kind); !ok && !slices.Contains(happenings, t.kind) {
		return t, nil, fmt.Errorf("nothing that happens is called %q", words[0])
	}
	words, err := n.whom(&t, words[1:])
	if err != nil {
		return t, nil, err
	}
	for len(words) > 1 && (words[0] == "after" || words[0] == "before") {
		m, ok := n.moment(words[1])
		if !ok {
			return t, nil, n.noMoment(words[1])
		}
		if words[0] == "after" {
			t.after = &m
		} else {
			t.before = &m
		}
		words = words[2:]
	}
	return t, words, nil
}

// states reads STATE WHO* at MOMENT.
func (n Names) states(t term, words []string, states []string) (term, []string, error) {
	if len(words) == 0 || !slices.Contains(states, strings.ToLower(words[0])) {
		return t, nil, fmt.Errorf("expected one of %s", strings.Join(states, ", "))
	}
	t.kind = strings.ToLower(words[0])
	words, err := n.whom(&t, words[1:])
	if err != nil {
		return t, nil, err
	}
	return n.then(t, words)
}

func (n Names) zone(t term, words []string) (term, []string, error) {
	if len(words) == 0 || !slices.ContainsFunc(n.Scenario.Nodes, func(m scenario.Node) bool { return m.Zone.String() == words[0] }) {
		return t, nil, errors.New("expected a zone of the scenario")
	}
	t.who.zone = words[0]
	return n.then(t, words[1:])
}

func (n Names) then(t term, words []string) (term, []string, error) {
	if len(words) < 2 || words[0] != "at" {
		return t, nil, errors.New("expected at and a moment at the end")
	}
	m, ok := n.moment(words[1])
	if !ok {
		return t, nil, n.noMoment(words[1])
	}
	t.at = m
	return t, words[2:], nil
}

func (n Names) whom(t *term, words []string) ([]string, error) {
	for len(words) > 0 {
		name, value, ok := strings.Cut(words[0], "=")
		switch {
		case ok && name == "zone" && slices.ContainsFunc(n.Scenario.Nodes, func(m scenario.Node) bool { return m.Zone.String() == value }):
			t.who.zone = value
		case ok && name == "of" && slices.ContainsFunc(n.Scenario.Workloads, func(w scenario.Workload) bool { return w.Key.String() == value }):
			t.who.workload = value
		case !ok && slices.ContainsFunc(n.Scenario.Nodes, func(m scenario.Node) bool { return m.Name == words[0] }):
			t.who.node = words[0]
		case words[0] == "after" || words[0] == "before" || words[0] == "at" || words[0] == "-":
			return words, nil
		default:
			return nil, fmt.Errorf("the scenario has no %q: expected a node, zone=ZONE, or of=NAMESPACE/WORKLOAD", words[0])
		}
		words = words[1:]
	}
	return words, nil
}

// moment reads a name, +DURATION from the lesson's zero, NAME+DURATION, start or end.
func (n Names) moment(word string) (m moment, ok bool) {
	name, plus, sign := word, "", "+"
	if i := strings.LastIndexAny(word, "+-"); i >= 0 {
		if d, err := time.ParseDuration(word[i+1:]); err == nil {
			name, plus, sign = word[:i], d.String(), word[i:i+1]
		}
	}
	if plus != "" {
		m.plus, _ = time.ParseDuration(sign + plus)
	}
	switch name {
	case "":
		m.plus += n.Zero
		return m, plus != ""
	case "zero":
		m.plus += n.Zero
		return m, true
	case "start":
		return m, true
	case "end":
		m.end = true
		return m, true
	}
	m.named, ok = n.Moments[name]
	return m, ok
}

func (n Names) noMoment(word string) error {
	return fmt.Errorf("no moment is called %q; there are zero, start, end, +DURATION, %s", word, strings.Join(known(n.Moments), ", "))
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
