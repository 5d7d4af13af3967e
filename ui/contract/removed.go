package contract

import (
	"kardia/model"
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
	return each(list, func(r removal.Removal) Removed {
		events := each(r.Events, func(ev *model.Event) RemovedEvent {
			_, _, at := ev.Span()
			return RemovedEvent{Stamp(at), ev.Reason, ev.Component, ev.Message}
		})
		return Removed{r.Node, window(r.At), text(r.Who()), events, topics.Removal(&r).String()}
	})
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
