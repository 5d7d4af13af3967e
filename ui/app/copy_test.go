package app

import (
	"strings"
	"testing"

	"kardia/model"
	"kardia/ui/screen"
)

// TestCommandsTakeNoNameForAFlag: a name of a node, pod or zone that reads as a flag is the value of a flag of ours, or has
// its type before it.
func TestCommandsTakeNoNameForAFlag(t *testing.T) {
	s := incident(t, "zone-outage", 150, 80, 24)
	s.app.options.Context = "-s"
	valued := map[string]bool{"-n": true, "--context": true}
	for _, name := range []string{"-o", "--all"} {
		for _, subject := range []screen.Subject{
			{Kind: screen.NodeSubject, Node: name},
			{Kind: screen.PodSubject, Pod: model.Key{Namespace: name, Name: name}},
			{Kind: screen.ZoneSubject, Zone: model.Some(model.ZoneKey{Zone: name})},
		} {
			list := s.app.commands(subject)
			if len(list) == 0 {
				t.Errorf("no command about %+v", subject)
			}
			for _, c := range list {
				words := strings.Fields(c.name)
				for i, word := range words {
					if (word == name || word == "-s") && !valued[words[i-1]] && !(word == "-o" && words[i+1] == "yaml") && !(word == "-o" && words[i+1] == "json") {
						t.Errorf("%s takes %s for a flag", c.name, word)
					}
				}
			}
		}
	}
}
