package report

import (
	"fmt"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/removal"
	"kardia/ui/paint"
)

// Removed is a node that was removed, and by whom as far as the input shows it.
type Removed struct {
	Node string `json:"node"`
	// DeletedAt is when its Node object was deleted; null if only Events show it.
	DeletedAt *Window `json:"deletedAt"`
	// By is the sender of the request that deleted it; null if that is not known.
	By     *string        `json:"by"`
	Events []RemovedEvent `json:"events"`
	Says   string         `json:"text"`
}

// RemovedEvent is an Event about a removal.
type RemovedEvent struct {
	At        Stamp  `json:"at"`
	Reason    string `json:"reason"`
	Component string `json:"component"`
	Message   string `json:"message"`
}

// RemovedOf reports removals.
func RemovedOf(list []removal.Removal) []Removed {
	out := []Removed{}
	for i := range list {
		r := &list[i]
		is := Removed{Node: r.Node, DeletedAt: window(r.At), Events: []RemovedEvent{}, Says: RemovalSays(r)}
		if by := r.Who(); by != "" {
			is.By = &by
		}
		for _, ev := range r.Events {
			_, _, at := ev.Span()
			is.Events = append(is.Events, RemovedEvent{Stamp(at), ev.Reason, ev.Component, ev.Message})
		}
		out = append(out, is)
	}
	return out
}

// RemovalSays is when a node was removed, by whom and why, in one sentence without its end.
func RemovalSays(r *removal.Removal) string {
	text := r.Node + " was removed at " + r.When().Clock() + " or before"
	switch {
	case !r.At.Known():
	case r.At.Width() <= time.Second:
		text = r.Node + " was deleted at " + r.At.Earliest.Clock()
	case r.At.Earliest.Bounded():
		text = r.Node + " was deleted between " + r.At.Earliest.Clock() + " and " + r.At.Latest.Clock()
	default:
		text = r.Node + " was deleted at " + r.At.Latest.Clock() + " or before"
	}
	if by := RemovalBy(r); r.Who() != "" {
		return text + " " + by
	} else {
		return text + "; " + by
	}
}

// RemovalBy is the component or person that removed a node, and the Events about it.
func RemovalBy(r *removal.Removal) string {
	text := "the input does not show by whom"
	if by := r.Who(); by != "" {
		text = "by " + by
	}
	for _, ev := range r.Events {
		_, _, at := ev.Span()
		from := ""
		if ev.Component != "" {
			from = " of " + ev.Component
		}
		text += strings.TrimSuffix(fmt.Sprintf("; Event %s%s at %s: %s", ev.Reason, from, at.Clock(), strings.TrimSuffix(ev.Message, ".")), ": ")
	}
	return text
}

// mostRemoved is how many removed nodes are named.
const mostRemoved = 3

// removedLines are the removals in lines, the last first, and how many more there are.
func removedLines(list []Removed) (lines []string) {
	for i := range min(len(list), mostRemoved) {
		lines = append(lines, paint.Clean(list[len(list)-1-i].Says))
	}
	if more := len(list) - mostRemoved; more > 0 {
		lines = append(lines, "and "+model.Counted(more, "more node was removed", "more nodes were removed"))
	}
	return lines
}
