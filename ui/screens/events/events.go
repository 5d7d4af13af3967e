// Package events is the screen of the Kubernetes Events about nodes, the newest first; equal ones share a row. Example:
// NodeNotReady of twelve nodes.
package events

import (
	"cmp"
	"slices"
	"strings"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/list"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/words"
)

// Screen is the events as the registry has them.
func Screen() screen.Screen {
	return screen.Screen{ID: "events", Key: "5", Title: "Events", ShowsTime: true, // Events show nodes that nothing else shows
		Answers: []screen.Action{screen.Open, screen.NextPane, screen.PrevPane, screen.Sort, screen.Reverse, screen.Attention},
		Columns: []string{"AGO", "TIMES", "REASON", "ABOUT", "FROM", "MESSAGE"},
		New:     func() screen.View { return New() }}
}

const (
	byTime = iota // newest first
	byReason
	byNode
	byCount // most first
)

// row is an Event, or several that are equal except in node and time.
type row struct {
	*model.Event // the newest
	at           model.Instant
	count        int
	nodes        []string // in the order of their Events, each once
}

// key identifies a row by the fields that folded Events share.
type key struct {
	reason, message, component, node string
	warning                          bool
}

// View is the person's place on the events screen. With All, every Event is listed by itself.
type View struct{ list.List[row, key] }

// New is all Events, the newest first.
func New() *View {
	v := &View{}
	v.List = list.New(list.Of[row, key]{Title: "Events", Orders: []string{"time", "reason", "node", "count"}, Opens: true,
		Read: v.rows, Compare: v.compare, Key: v.key, Table: v.table, Full: v.inFull, Empty: v.empty, Says: v.says,
		Subject: func(r *row) screen.Subject { return screen.SubjectNode(r.Regarding.Key.Name) }})
	return v
}

func (v *View) key(r *row) key {
	k := key{reason: r.Reason, message: generic(r.Event), component: r.Component, warning: r.Warning}
	if v.All {
		k.node = r.Regarding.Key.Name + " " + r.UID.String()
	}
	return k
}

// generic is an Event's message without the name of its node, so that messages about many nodes are equal.
func generic(e *model.Event) string {
	return strings.ReplaceAll(e.Message, e.Regarding.Key.Name, "…")
}

func (v *View) rows(s *screen.Snapshot) []row {
	if s.Cluster == nil {
		return nil
	}
	var rows []row
	folded := map[key]int{}
	s.Cluster.Nodes(func(n *model.NodeRow) bool {
		if !v.Concerns(n.Name, n.Zone()) {
			return true
		}
		for _, e := range n.Events() {
			if !v.Match(e.Reason + " " + e.Regarding.Key.Name + " " + e.Component + " " + e.Message) {
				continue
			}
			r := row{Event: e, at: cmp.Or(max(e.Last, e.First), e.Created), count: int(max(e.Count, 1)), nodes: []string{n.Name}}
			k := v.key(&r)
			if i, ok := folded[k]; ok && !v.All {
				rows[i].join(&r)
				continue
			}
			folded[k] = len(rows)
			rows = append(rows, r)
		}
		return true
	})
	for i := range rows {
		slices.SortFunc(rows[i].nodes, model.CompareNames)
		rows[i].nodes = slices.Compact(rows[i].nodes)
	}
	return rows
}

func (r *row) join(other *row) {
	r.count += other.count
	if other.at > r.at {
		r.Event, r.at = other.Event, other.at
	}
	if n := len(r.nodes); r.nodes[n-1] != other.nodes[0] {
		r.nodes = append(r.nodes, other.nodes[0])
	}
}

// compare is the selected order; equal rows are in the order of node names.
func (v *View) compare(a, b *row) int {
	order := 0
	switch v.Order {
	case byReason:
		order = strings.Compare(a.Reason, b.Reason)
	case byNode:
		order = model.CompareNames(a.nodes[0], b.nodes[0])
	case byCount:
		order = cmp.Compare(b.count, a.count)
	}
	if order = cmp.Or(order, cmp.Compare(b.at, a.at)); order == 0 { // names take long to compare
		order = cmp.Or(model.CompareNames(a.nodes[0], b.nodes[0]), strings.Compare(a.Reason, b.Reason))
	}
	return order
}

// says counts the Events.
func (v *View) says(l *paint.Line, _ *screen.Snapshot, p *paint.Painter) {
	shown := 0
	for i := range v.Rows() {
		shown += v.Rows()[i].count
	}
	l.Skip(3).Put(themes.Dim, words.Of("events.counted", "n", shown, "rows", len(v.Rows())).In(p))
	if v.All {
		l.Put(themes.Faint, words.Of("events.fold").In(p))
	} else {
		l.Put(themes.Faint, words.Of("events.unfold").In(p))
	}
}
