package zones

import (
	"fmt"

	"kardia/ui/screen"
	"kardia/ui/words"
)

// Find implements screen.Finder: zones, by their names.
func (v *View) Find(s *screen.Snapshot, search *screen.Search) {
	list := s.Nodes()
	for i := range list.Zones {
		z := &list.Zones[i]
		search.Offer(z.Name, z.Short, func() screen.Found {
			says := words.Of("count.nodes", "n", z.ZoneSummary.Nodes).String()
			if n := z.Unknown + z.NotReady; n > 0 {
				says += fmt.Sprintf(", %d not Ready", n)
			}
			return screen.Found{Name: z.Name, Kind: "zone", Says: says, Show: func() { v.Select(z.Zone) }}
		})
	}
}
