package zones_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	_ "kardia/internal/roomy"
	"kardia/model"
	"kardia/ui/cli/clitest"
	"kardia/ui/contract"
	"kardia/ui/headline"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/screens/zones"
	"kardia/ui/topics"
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
			rate := topics.TaintRate(float32(z.Rate)).String()
			if z.Rate == 0 {
				rate = "stopped"
			}
			want := fmt.Sprintf(`(?m)^│ . %s +%s +%d +%d +%d +%d +[█░]+┊[█░]+ +%.1f%% +%s +%d +%d `, name, map[string]string{"Normal": "Normal", "PartialDisruption": "Partial", "FullDisruption": "Full"}[z.State],
				z.Nodes, z.Ready, z.Unknown, z.NotReady, z.UnhealthyShare*100, rate, z.Queue, z.Tainted)
			if !regexp.MustCompile(want).MatchString(frame) {
				t.Errorf("%s: no row like %s in\n%s", k.Name, want, frame)
			}
			master := "master disruption: no"
			if z.MasterDisruption {
				master = "master disruption: yes"
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
		due, armed, waiting := map[string]int{}, 0, 0
		for _, e := range said.Evictions {
			if s.Cluster.Node(e.Node).Node.Zone != k.Zone {
				continue
			}
			switch e.State {
			case "pending":
				due[e.Node]++
				armed++
			case "queued":
				waiting++
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
		want := "Pods to be deleted  none "
		switch once := model.Counted(waiting, "pod", "pods") + " once their nodes are tainted"; {
		case armed > 0 && waiting > 0:
			want = fmt.Sprintf("Pods to be deleted  %d pending, %s", armed, once)
		case armed > 0:
			want = fmt.Sprintf("Pods to be deleted  %d pending ", armed)
		case waiting > 0:
			want = "Pods to be deleted  " + once
		}
		if !strings.Contains(frame, want) {
			t.Errorf("%s: want %q in\n%s", k.Name, want, frame)
		}
	}
}

// Where a race decides whose pods go, all that say how many do say the same: the headline, what comes, the zone, and check.
func TestAllSayHowManyPodsGo(t *testing.T) {
	const after = 74 * time.Second
	s := screentest.Recorded(t, screentest.Partial, after)
	p := screentest.Painters()["dark"]
	v := zones.New()
	v.Select(model.Some(model.ZoneKey{Region: "local", Zone: "zone-a"}))
	is := s.Outlook()
	said := map[string]string{
		"the headline": screentest.Plain([]string{headline.Rows(s, p, 200, 2)[1].Text}),
		"the zone":     screentest.Plain(v.Render(s, p, screen.Arrange(200, 60).Area())),
		"what comes":   "",
	}
	for _, row := range screen.Coming(is, s.Cluster, s.From(), p, 100, 20) {
		said["what comes"] += screentest.Plain([]string{row.Text}) + "\n"
	}
	for what, want := range map[string]string{
		"the headline": "up to 1 of 11 pods deleted once 1 of 11 nodes has its NoExecute taint",
		"the zone":     "Pods to be deleted  up to 1 of 11 pods once their nodes are tainted",
		"what comes":   "up to 1 of 11 pods",
	} {
		if !strings.Contains(said[what], want) {
			t.Errorf("%s does not say %q:\n%s", what, want, said[what])
		}
	}
	if strings.Contains(said["what comes"], "app-b-000-0") {
		t.Errorf("one of those that wait is named:\n%s", said["what comes"])
	}
	var check contract.Checkup
	check.Foresee(is.Forecast, s.At, 5*time.Minute)
	if e := check.Evictions; e.Least != 0 || e.Most != 1 || e.Of != 11 {
		t.Errorf("check says %+v", e)
	}
}
