package zones_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"kardia/ui/cli/clitest"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/zones"
)

// The table says what `get zones` says of the same instant.
func TestTableSaysWhatGetZonesSays(t *testing.T) {
	for _, k := range screentest.Tellings {
		var said struct {
			Zones []struct {
				Zone, State                                     string
				Nodes, Ready, NotReady, Unknown, Queue, Tainted int
				Rate, UnhealthyShare                            float64
				MasterDisruption                                bool
			}
		}
		clitest.JSON(t, &said, "get", "zones", k.Path, "--at", "+"+k.After.String())
		s := screentest.Recorded(t, k.Path, k.After)
		frame := screentest.Plain(zones.New().Render(s, screentest.Painters()["dark"], screen.Arrange(200, 60).Area()))
		for _, z := range said.Zones {
			name := z.Zone
			if name == "" {
				name = "none"
			}
			rate := fmt.Sprintf("%.2f/s", z.Rate)
			if z.Rate == 0 {
				rate = "halted"
			}
			want := fmt.Sprintf(`(?m)^. %s +%s +%d +%d +%d +%d +[█░]+┊[█░]+ +%.1f%% +%s +%d +%d `, name, strings.TrimSuffix(z.State, "Disruption"),
				z.Nodes, z.Ready, z.Unknown, z.NotReady, z.UnhealthyShare*100, rate, z.Queue, z.Tainted)
			if !regexp.MustCompile(want).MatchString(frame) {
				t.Errorf("%s: no row like %s in\n%s", k.Name, want, frame)
			}
			master := "(master disruption): no"
			if z.MasterDisruption {
				master = "(master disruption): yes"
			}
			if !strings.Contains(frame, master) {
				t.Errorf("%s: want %s in\n%s", k.Name, master, frame)
			}
		}
	}
}
