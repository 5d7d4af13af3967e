package fleet

import (
	"kardia/ui/nodes"
	"kardia/ui/screen"
	"kardia/ui/words"
)

// Find implements screen.Finder: nodes, by their names.
func (v *View) Find(s *screen.Snapshot, search *screen.Search) {
	list := s.Nodes()
	for i := range list.Entries {
		e := &list.Entries[i]
		search.Offer(e.Row.Name, "", func() screen.Found { return found(list, e) })
	}
}

func found(list *nodes.List, e *nodes.Entry) screen.Found {
	says := list.Zones[e.Zone].Name + ", " + e.Health.String()
	if e.Ages.Age.Known {
		says += words.Of("fleet.heartbeat-old", "for", e.Ages.Age.Value).String()
	}
	return screen.Found{Name: e.Row.Name, Kind: "node", Says: says, Subject: screen.SubjectNode(e.Row.Name)}
}
