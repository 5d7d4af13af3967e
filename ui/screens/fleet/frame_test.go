package fleet

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

func TestFrames(t *testing.T) {
	screentest.Goldens(t, "fleet", screentest.Incident(), func() screen.View { return New() })
}

// What the models say of recorded incidents.
func TestTellingFrames(t *testing.T) {
	screentest.TellingGoldens(t, func(screentest.Telling) screen.View {
		return New()
	})
}

// The summary fits, and the cursor is always in sight.
func TestAnyFrame(t *testing.T) {
	screentest.AnyFrame(t, func(*rapid.T, *screen.Snapshot) *View { return New() }, func(t *rapid.T, v *View, f screentest.Frame) {
		screentest.CheckFrame(t, []string{v.Summary(f.Snapshot, f.Painter, f.Area.W).Text}, f.Painter, f.Area.W, 1)
		if len(v.listed) > 0 && f.Area.Tier > screen.Tiny {
			checkCursor(t, v, f.Painter, f.Lines)
		}
	})
}

// checkCursor fails unless the selected node's row is on the screen and marked.
func checkCursor(t *rapid.T, v *View, p *paint.Painter, lines []string) {
	from, to := v.scroll.Shown()
	for i, it := range v.lines[from:to] {
		if v.cursorRow >= it.position && v.cursorRow < it.position+it.n {
			row := screentest.Plain(lines[v.where.rows+i : v.where.rows+i+1])
			if !strings.HasPrefix(strings.TrimLeft(row, "│| "), p.Glyphs.Selected) {
				t.Fatalf("the selected row has no cursor: %q", row)
			}
			return
		}
	}
	t.Fatalf("the selected node %q is not on the screen:\n%s", v.selected, screentest.Plain(lines))
}

// ages reads what paint.Duration printed.
func seconds(t *testing.T, s string) float64 {
	t.Helper()
	units := map[byte]float64{'s': 1, 'm': 60, 'h': 3600, 'd': 86400}
	total, from := 0.0, 0
	for i := range len(s) {
		if unit, ok := units[s[i]]; ok {
			n, err := strconv.Atoi(s[from:i])
			if err != nil {
				t.Fatalf("duration %q", s)
			}
			total, from = total+float64(n)*unit, i+1
		}
	}
	return total
}

// Every node's state, zone, age, time and pods, read back from the frame, are what the
// model says.
func TestFrameSaysWhatTheModelSays(t *testing.T) {
	s := screentest.Incident()
	v := New()
	v.Do(screen.Attention, s)
	lines := v.Render(s, screentest.Painters()["dark"], screen.Area{W: 144, H: 300, Tier: screen.Standard})
	row := regexp.MustCompile(`(?m)^│ . (ip-\S+) +(\S+) +(Unknown|NotReady|Ready)( ⊘)? +[█▒░]+►? +(\S+)(?:  (\d\S*))? .*? (\d+)  .*$`)
	found := row.FindAllStringSubmatch(screentest.Plain(lines), -1)
	if len(found) != 214 {
		t.Fatalf("%d rows read, want 214", len(found))
	}
	for _, f := range found {
		n := s.Cluster.Node(f[1])
		if n == nil {
			t.Fatalf("no node %s", f[1])
		}
		if got := n.Health().String(); got != f[3] {
			t.Errorf("%s: state %s, model %s", f[1], f[3], got)
		}
		if "eu-west-"+f[2] != n.Node.Zone.Zone {
			t.Errorf("%s: zone %s, model %s", f[1], f[2], n.Node.Zone.Zone)
		}
		if n.Node.Unschedulable != (f[4] != "") {
			t.Errorf("%s: cordon %q, model %v", f[1], f[4], n.Node.Unschedulable)
		}
		if want := math.Floor(n.Ages(s.At).Age.Value.Seconds()); seconds(t, f[5]) != want {
			t.Errorf("%s: age %s, model %v s", f[1], f[5], want)
		}
		if n.Health() != model.HealthReady {
			if want := math.Floor(s.At.Sub(n.Node.Ready().Transition).Seconds()); seconds(t, f[6]) != want {
				t.Errorf("%s: for %s, model %v s", f[1], f[6], want)
			}
		}
		if got, _ := strconv.Atoi(f[7]); got != len(n.Pods()) {
			t.Errorf("%s: %d pods, model %d", f[1], got, len(n.Pods()))
		}
	}
}

// The zones' numbers read back from the frame are the model's.
func TestZonesSayWhatTheModelSays(t *testing.T) {
	s := screentest.Incident()
	lines := New().Render(s, screentest.Painters()["dark"], screen.Arrange(200, 60).Area())
	head := regexp.MustCompile(`(?m)^│ .(eu-west-\S+) +(\d+) +([^ ]+) +│.*\n│ +ready (\S+)%(?: +unknown (\d+))?(?: +not ready (\d+))? +oldest (\S+) +median (\S+)`)
	found := head.FindAllStringSubmatch(screentest.Plain(lines), -1)
	zones := s.Nodes().Zones
	if len(found) != len(zones) {
		t.Fatalf("%d zones read, want %d", len(found), len(zones))
	}
	for i, f := range found {
		z := zones[i]
		counted := func(n int) string {
			if n == 0 {
				return "" // what is not there is not counted
			}
			return fmt.Sprint(n)
		}
		want := []string{z.Zone.Value.Zone, fmt.Sprint(z.ZoneSummary.Nodes), paint.Age(z.Oldest), paint.Age(z.Median), counted(z.Unknown), counted(z.NotReady)}
		if got := []string{f[1], f[2], f[7], f[8], f[5], f[6]}; !slices.Equal(got, want) {
			t.Errorf("zone %v, model %v", got, want)
		}
		share, _ := strconv.ParseFloat(f[4], 64)
		if want := float64(z.Ready) * 100 / float64(z.ZoneSummary.Nodes); math.Abs(share-want) > 0.05 {
			t.Errorf("%s: ready %v%%, model %v%%", f[1], share, want)
		}
		if n := strings.Count(f[3], "✕"); n != z.Unknown {
			t.Errorf("%s: %d cells unknown, model %d", f[1], n, z.Unknown)
		}
		if n := len([]rune(f[3])); n != z.ZoneSummary.Nodes {
			t.Errorf("%s: %d cells, model %d nodes", f[1], n, z.ZoneSummary.Nodes)
		}
	}
}

func TestSummary(t *testing.T) {
	p := screentest.Painters()["no-colour"]
	s := screentest.Incident()
	for _, c := range []struct {
		width int
		want  string
	}{
		{120, "214 nodes  191 ready (3 late)  22 unknown  1 not ready  3 cordoned  6444 pods"},
		{60, ""}, // nothing is better than a part
	} {
		if got := strings.TrimSuffix(screentest.Plain([]string{New().Summary(s, p, c.width).Text}), "\n"); got != c.want {
			t.Errorf("width %d:\n got %q\nwant %q", c.width, got, c.want)
		}
	}
}

// Who is silent past the grace period, and not declared yet, is silent in the headline: here it is not one of those that are late.
func TestPastGraceIsNotLate(t *testing.T) {
	s := screentest.Recorded(t, "demo:node-loss", 88*time.Second)
	if got := screentest.Plain([]string{New().Summary(s, screentest.Painters()["no-colour"], 120).Text}); !strings.HasPrefix(got, "12 nodes  12 ready (1 past grace)  0 unknown") {
		t.Errorf("%q", got)
	}
}

// An unknown age is never 0, and a node of which only the lease was seen never Ready.
func TestUnknownIsNotZero(t *testing.T) {
	c := model.NewCluster()
	c.Fold(&model.Change{Kind: model.KindNode, Key: model.Key{Name: "silent"}, Node: &model.Node{}})
	c.Fold(&model.Change{Kind: model.KindNodeLease, Key: model.Key{Name: "lease-only"}, Time: model.Exactly(screentest.Now),
		Lease: model.Lease{Renewed: screentest.Now.Add(-5 * time.Second)}})
	s := &screen.Snapshot{Revision: 1, Cluster: c, At: screentest.Now, Params: model.Defaults(model.Version{}), Loading: 1}
	v := New()
	v.Do(screen.Attention, s)
	frame := screentest.Plain(v.Render(s, screentest.Painters()["dark"], screen.Arrange(120, 36).Area()))
	for name, want := range map[string]string{"silent": `silent +none +NoStatus +\? `, "lease-only": `lease-only +\? +lease-only +█░+ +5s `} {
		if !regexp.MustCompile(want).MatchString(frame) {
			t.Errorf("%s: want %s in\n%s", name, want, frame)
		}
	}
	if !strings.Contains(frame, "zone unknown") {
		t.Errorf("no section for the zone that is not known:\n%s", frame)
	}
}

// While nothing is decided yet, or cannot be, the screen shows that and invents nothing.
func TestUndecided(t *testing.T) {
	for want, judged := range screentest.Undecided {
		s := screentest.Incident()
		s.Judged = judged
		for _, size := range screentest.Sizes[:3] {
			v, p := New(), screentest.Painters()["dark"]
			area := screen.Arrange(size.W, size.H).Area()
			lines := append(v.Render(s, p, area), v.Context(s, p, area.W))
			if frame := screentest.Plain(lines); !strings.Contains(frame, want) || strings.Contains(frame, "0.10/s") {
				t.Errorf("%s: want %q, and no rate, in\n%s", size.Name, want, frame)
			}
		}
	}
}

// However many zones have cells for several nodes: a small window says what ○ and ◌ mean.
func TestLegendTellsTheSigns(t *testing.T) {
	for _, nodes := range []int{50, 400, 5000} {
		s := screentest.Large(nodes)
		screentest.WithModels(s)
		for name, p := range screentest.Painters() {
			v := New()
			area := screen.Arrange(80, 24).Area()
			frame := screentest.Plain(v.Render(s, p, area))
			for _, want := range []string{p.Glyphs.Inferred + " inferred", p.Glyphs.Predicted + " predicted"} {
				if !strings.Contains(frame, want) {
					t.Errorf("%d nodes, %s: no %q in\n%s", nodes, name, want, frame)
				}
			}
		}
	}
}
