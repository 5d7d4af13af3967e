package zones_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/ui/cli/clitest"
	"kardia/ui/controllers"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/screens/zones"
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
			rate := controllers.RateWord(float32(z.Rate))
			if z.Rate == 0 {
				rate = "halted"
			}
			want := fmt.Sprintf(`(?m)^│ . %s +%s +%d +%d +%d +%d +[█░]+┊[█░]+ +%.1f%% +%s +%d +%d `, name, map[string]string{"Normal": "Normal", "PartialDisruption": "Disrupted", "FullDisruption": "Dark"}[z.State],
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

// The panes below the table count what `get evictions` lists: the bars are the pods whose
// countdown runs, and who waits is tainted as long before its pods go as they tolerate.
func TestPanesSayWhatGetEvictionsSays(t *testing.T) {
	for _, k := range screentest.Tellings {
		var said struct {
			At        time.Time
			Evictions []struct {
				Node, State       string
				Earliest, Latest  *time.Time
				TolerationSeconds int
			}
		}
		clitest.JSON(t, &said, "get", "evictions", k.Path, "--at", "+"+k.After.String())
		s := screentest.Recorded(t, k.Path, k.After)
		p := screentest.Painters()["dark"]
		v := zones.New()
		v.Select(model.Some(k.Zone))
		frame := screentest.Plain(v.Render(s, p, screen.Arrange(200, 60).Area()))
		due, total := map[string]int{}, 0
		for _, e := range said.Evictions {
			if s.Cluster.Node(e.Node).Node.Zone != k.Zone {
				continue
			}
			switch e.State {
			case "due":
				due[e.Node]++
				total++
			case "waiting-for-taint":
				total++
				wait := time.Duration(e.TolerationSeconds) * time.Second
				w := model.Interval{Earliest: model.At(e.Earliest.Add(-wait)), Latest: model.At(e.Latest.Add(-wait))}
				row := regexp.MustCompile(fmt.Sprintf(`(?m)^│   %s +\S+ +\d+ +%s +│`, e.Node, p.Ahead(model.At(said.At), w)))
				if !row.MatchString(frame) {
					t.Errorf("%s: no row like %v in\n%s", k.Name, row, frame)
				}
			}
		}
		for node, n := range due {
			if !regexp.MustCompile(fmt.Sprintf(`(?m)^│ +\S+  █{%d} +%d %s +│`, n, n, node)).MatchString(frame) {
				t.Errorf("%s: no bar of %d pods on %s in\n%s", k.Name, n, node, frame)
			}
		}
		want := fmt.Sprintf("Pods to be deleted  %d, ", total)
		if total == 0 {
			want = "Pods to be deleted  none "
		}
		if !strings.Contains(frame, want) {
			t.Errorf("%s: want %q in\n%s", k.Name, want, frame)
		}
	}
}
