package zones

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestFrames(t *testing.T) {
	screentest.Goldens(t, "zones", *update, screentest.Incident(), func() screen.View { return New() })
}

func TestAnyFrame(t *testing.T) {
	painters := screentest.Painters()
	actions := []screen.Action{screen.Up, screen.Down, screen.HalfUp, screen.HalfDown, screen.First, screen.Last}
	rapid.Check(t, func(t *rapid.T) {
		s := screentest.Random(t)
		v := New()
		p := painters[rapid.SampledFrom([]string{"dark", "no-colour", "ascii"}).Draw(t, "look")]
		w, h := rapid.IntRange(1, 300).Draw(t, "w"), rapid.IntRange(1, 100).Draw(t, "h")
		area := screen.Arrange(w, h).Area()
		for range rapid.IntRange(0, 6).Draw(t, "steps") {
			v.Render(s, p, area)
			v.Do(rapid.SampledFrom(actions).Draw(t, "action"), s)
			v.Click(rapid.IntRange(0, w).Draw(t, "x"), rapid.IntRange(0, h).Draw(t, "y"), s)
		}
		lines := v.Render(s, p, area)
		screentest.CheckFrame(t, lines, p, area.W, area.H)
		if again := v.Render(s, p, area); !slices.Equal(lines, again) {
			t.Fatal("drawn again it differs")
		}
		if s.Cluster.NodeCount() > 0 {
			row := v.table + v.place - v.first
			if row < v.table || row >= v.table+v.shown || !strings.HasPrefix(screentest.Plain(lines[row:row+1]), p.Glyphs.Selected) {
				t.Fatalf("the cursor is not on the screen:\n%s", screentest.Plain(lines))
			}
		}
		screentest.CheckFrame(t, []string{v.Context(s, p, w)}, p, w, 1)
	})
}

// The table's numbers, read back, are the model's.
func TestFrameSaysWhatTheModelSays(t *testing.T) {
	s := screentest.Incident()
	frame := screentest.Plain(New().Render(s, screentest.Painters()["dark"], screen.Arrange(200, 60).Area()))
	for _, z := range s.Zones() {
		want := fmt.Sprintf(`(?m)^. %s +%d +%d +%d +%d +%d +%s +%s +%d +%d +%d +[█░]+ +%.1f%%`, z.Place.Value.Zone, z.Nodes, z.Ready, z.Unknown,
			z.NotReady, z.Late, paint.Age(z.Oldest), paint.Age(z.Median), z.Cordoned, z.Never, z.Unseen, float64(z.Nodes-z.Ready)*100/float64(z.Nodes))
		if !regexp.MustCompile(want).MatchString(frame) {
			t.Errorf("no row like %s in\n%s", want, frame)
		}
	}
}

func TestCursor(t *testing.T) {
	s := screentest.Incident()
	v := New()
	v.Do(screen.Down, s)
	if got := v.Selected(s).Place.Value.Zone; got != "eu-west-1b" {
		t.Errorf("selected %s", got)
	}
	v.Render(s, screentest.Painters()["dark"], screen.Arrange(120, 36).Area())
	if hit := v.Click(4, v.table+2, s); hit != screen.Moved || v.Selected(s).Place.Value.Zone != "eu-west-1c" {
		t.Errorf("clicked: %v, %+v", hit, v.Selected(s))
	}
	if hit := v.Click(4, v.table+2, s); hit != screen.Opened {
		t.Errorf("clicked again: %v", hit)
	}
	v.Do(screen.First, s)
	if got := v.Selected(s).Name(); got != "eu-west-1/eu-west-1a" {
		t.Errorf("selected %s", got)
	}
}
