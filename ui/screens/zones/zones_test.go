package zones

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/sources/capture/recorder"
	"kardia/sources/capture/stream"
	"kardia/sources/open"
	"kardia/sources/recording"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

func TestFrames(t *testing.T) {
	screentest.Goldens(t, "zones", screentest.Incident(), func() screen.View { return New() })
}

// What the models say of recorded incidents.
func TestTellingFrames(t *testing.T) {
	screentest.TellingGoldens(t, func(k screentest.Telling) screen.View {
		v := New()
		v.Select(model.Some(k.Zone))
		return v
	})
}

// The cursor is always in sight.
func TestAnyFrame(t *testing.T) {
	screentest.AnyFrame(t, func(*rapid.T, *screen.Snapshot) *View { return New() }, func(t *rapid.T, v *View, f screentest.Frame) {
		if f.Snapshot.Cluster.NodeCount() == 0 {
			return
		}
		from, to := v.rows.Shown()
		row := v.top + v.rows.Cursor - from
		if v.rows.Cursor < from || v.rows.Cursor >= to || !strings.HasPrefix(strings.TrimLeft(screentest.Plain(f.Lines[row:row+1]), "│| "), f.Painter.Glyphs.Selected) {
			t.Fatalf("the cursor is not on the screen:\n%s", screentest.Plain(f.Lines))
		}
	})
}

// The table's numbers, read back, are the model's.
func TestFrameSaysWhatTheModelSays(t *testing.T) {
	s := screentest.Incident()
	frame := screentest.Plain(New().Render(s, screentest.Painters()["dark"], screen.Arrange(200, 60).Area()))
	for _, z := range s.Nodes().Zones {
		want := fmt.Sprintf(`(?m)^│ . %s +%d +%d +%d +%d +%d +%s +%s +%d +%d +%d +[█░]+ +%.1f%%`, z.Zone.Value.Zone, z.ZoneSummary.Nodes, z.Ready, z.Unknown,
			z.NotReady, z.Late, paint.Age(z.Oldest), paint.Age(z.Median), z.Cordoned, z.Never, z.Unseen, float64(z.ZoneSummary.Nodes-z.Ready)*100/float64(z.ZoneSummary.Nodes))
		if !regexp.MustCompile(want).MatchString(frame) {
			t.Errorf("no row like %s in\n%s", want, frame)
		}
	}
}

func TestCursor(t *testing.T) {
	s := screentest.Incident()
	v := New()
	if got := v.Selected(s).Zone.Value.Zone; got != "eu-west-1b" {
		t.Errorf("it begins on %s, not where most nodes are silent", got)
	}
	v.Do(screen.Up, s)
	if got := v.Selected(s).Zone.Value.Zone; got != "eu-west-1a" {
		t.Errorf("selected %s", got)
	}
	v.Render(s, screentest.Painters()["dark"], screen.Arrange(120, 36).Area())
	if hit := v.Click(4, v.top+2, s); hit != screen.Moved || v.Selected(s).Zone.Value.Zone != "eu-west-1c" {
		t.Errorf("clicked: %v, %+v", hit, v.Selected(s))
	}
	if hit := v.Click(4, v.top+2, s); hit != screen.Opened {
		t.Errorf("clicked again: %v", hit)
	}
	v.Do(screen.First, s)
	if got := v.Selected(s).Name(); got != "eu-west-1/eu-west-1a" {
		t.Errorf("selected %s", got)
	}
}

// A frame of 5,000 nodes with a new judgement each time: it must stay under 8 ms.
func BenchmarkChangedFrame(b *testing.B) {
	s := screentest.WithModels(screentest.Large(5000))
	v := New()
	p := screentest.Painters()["dark"]
	b.ReportAllocs()
	for b.Loop() {
		s.Revision++
		state, next := *s.Judged.State, *s.Judged.Forecast
		s.Judged.State, s.Judged.Forecast = &state, &next
		v.Render(s, p, screen.Arrange(200, 60).Area())
	}
}

// While nothing is decided yet, or cannot be, the screen says so and makes nothing up.
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

// Who may not read pods is not told that none is to be deleted.
func TestPodsThatMayNotBeRead(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	s.Mode, s.Kinds = screen.Live, map[model.Kind]bool{model.KindNode: true, model.KindNodeLease: true}
	s.Status = []stream.Status{{Kind: model.KindPod, State: stream.Forbidden}}
	text := screentest.Shown(New(), &s)
	if !strings.Contains(text, "Pods to be deleted  not known") || !strings.Contains(text, "pods are forbidden") || strings.Contains(text, "2 b-003") {
		t.Errorf("%s", text)
	}
}

// Between two passes the nodes may be Ready again that the last one counted as lost: both are said.
func TestSinceTheLastPass(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 5*time.Minute)
	text := screentest.Shown(New(), s)
	for _, part := range []string{"by the last pass", "the next pass, with 6 of 10 Ready → Normal, 1/10s"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), part) {
			t.Errorf("%q is missing:\n%s", part, text)
		}
	}
	if strings.Contains(text, "1 node Ready again") || strings.Contains(text, "18 more lost") {
		t.Errorf("what would change is told of what the last pass saw:\n%s", text)
	}
}

// Of nodes that waited when the recording begins it is known that they have waited since then at least.
func TestWaitingSinceBeforeTheRecording(t *testing.T) {
	opened, err := open.Open(t.Context(), []string{"demo:zone-outage"}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	whole, path := opened.History.Coverage(), filepath.Join(t.TempDir(), "cut.mcap")
	part := model.Interval{Earliest: whole.Earliest.Add(100 * time.Second), Latest: whole.Latest}
	if err := recorder.Save(opened.History, recording.Meta{}, nil, part, path); err != nil {
		t.Fatal(err)
	}
	if text := screentest.Shown(New(), screentest.Recorded(t, path, 15*time.Second)); !strings.Contains(text, "≥15s") {
		t.Errorf("it is not said how long nodes have waited at least:\n%s", text)
	}
}

// How a zone came to its state is told whole in a narrow window, by the state alone where the change has no room.
func TestHowAZoneCameAboutFits(t *testing.T) {
	s := screentest.Recorded(t, "scenario:small-zone-partial", 115*time.Second)
	v := New()
	v.Select(model.Some(model.ZoneKey{Zone: "a"}))
	frame := screentest.Plain(v.Render(s, screentest.Painters()["dark"], screen.Arrange(80, 40).Area()))
	if want := "12:01:51.9–52.7Z → Partial"; !strings.Contains(frame, want) {
		t.Errorf("no %q in\n%s", want, frame)
	}
}

// Of a large zone no number is cut at any size: 1700 would read as 17, and 33m12s as 33m1.
func TestNoNumberIsCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.scenario")
	text := "scenario 1\nseed 2\nlength 4m\nnodes a-0001..a-1100 zone=eu-1a\nnodes b-0001..b-1100 zone=eu-1b\ndeployment shop/web replicas=400\nat 1m30s kill b-0001..b-0160\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := screentest.Recorded(t, path, 150*time.Second)
	cut := regexp.MustCompile(`\d[smh]?…`)
	for _, size := range screentest.Sizes[:3] {
		frame := screentest.Plain(New().Render(s, screentest.Painters()["dark"], screen.Arrange(size.W, size.H).Area()))
		if found := cut.FindString(frame); found != "" || !strings.Contains(frame, "1100") {
			t.Errorf("%s: a number is cut (%q), or 1100 is missing:\n%s", size.Name, found, frame)
		}
	}
}
