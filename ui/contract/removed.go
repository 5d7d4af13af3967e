package contract

import (
	"kardia/model/explain/removal"
	"kardia/ui/doc"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Removed is a node that was removed, and the sender of the request as far as the input shows it.
type Removed struct {
	Node string `json:"node"`
	// DeletedAt is when its Node object was deleted; null if only Events show it.
	DeletedAt *Window        `json:"deletedAt"`
	By        *string        `json:"by"`
	Events    []RemovedEvent `json:"events"`
	Says      string         `json:"text"`
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
		is := Removed{Node: r.Node, DeletedAt: window(r.At), Events: []RemovedEvent{}, Says: topics.Removal(r).String()}
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

const mostRemoved = 3

// removedSays are the removals, the last first, and the number of others.
func removedSays(list []Removed) (says []words.Say) {
	for i := range min(len(list), mostRemoved) {
		says = append(says, words.Text(list[len(list)-1-i].Says))
	}
	if more := len(list) - mostRemoved; more > 0 {
		says = append(says, words.Of("removal.more", "n", more))
	}
	return says
}

func putRemoved(d *doc.Doc, name string, list []Removed) {
	for _, say := range removedSays(list) {
		d.Named(name, say)
	}
}
