package zones

import (
	"fmt"
	"os"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

func TestPeek(t *testing.T) {
	if os.Getenv("PEEK") == "" {
		t.Skip()
	}
	p := screentest.Painters()["dark"]
	for _, c := range []struct {
		path string
		at   time.Duration
		zone int
	}{{"demo:zone-outage", 120 * time.Second, 1}, {screentest.Partial, 100 * time.Second, 0}, {"demo:all-dark", 180 * time.Second, 1}} {
		s := screentest.Recorded(t, c.path, c.at)
		for _, z := range s.Judged.State.Nodes.Zones(s.At, s.Judged.State.Cache) {
			h, ok := why.Zone(s.Judged.State, z.Place)
			fmt.Println(z.Place, ok, h.Master)
			for _, ch := range h.Checks {
				fmt.Println("   ", ch.String(), "|", ch.What, "|", ch.Left.String(), ch.Op.String(), ch.Right.String())
			}
			for _, ch := range h.Changes {
				fmt.Printf("   %v %+v\n", ch.Kind, ch)
			}
		}
		for _, d := range s.Judged.Result.Decisions {
			if d.Kind == model.ZoneState || d.Kind == model.SetRate || d.Kind == model.EnterMasterDisruption || d.Kind == model.ExitMasterDisruption || d.Kind == model.TaintNoExecute {
				fmt.Println(d.Time, d.Kind, d.Place, d.Why, d.Checks, d.Basis, d.Writes)
			}
		}
		fmt.Println(s.Params)
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}, {40, 10}} {
			v := New()
			for range c.zone {
				v.Do(screen.Down, s)
			}
			area := screen.Arrange(size[0], size[1]).Area()
			fmt.Println(c.path, c.at, size)
			fmt.Print(screentest.Plain(v.Render(s, p, area)))
			fmt.Print(screentest.Plain([]string{v.Context(s, p, area.W)}))
		}
	}
}
