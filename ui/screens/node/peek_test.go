package node

import (
	"fmt"
	"os"
	"testing"
	"time"

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
		node string
	}{{"demo:zone-outage", 120 * time.Second, "b-003"}, {"demo:zone-outage", 60 * time.Second, "b-003"}, {"demo:zone-outage", 120 * time.Second, "b-006"}, {screentest.Partial, 100 * time.Second, "b-001"}, {"demo:all-dark", 180 * time.Second, "q-000"}, {"../../../sources/open/testdata/incidents/notready", 60 * time.Second, "b-000"}} {
		s := screentest.Recorded(t, c.path, c.at)
		for _, size := range [][2]int{{80, 24}, {120, 36}} {
			v := show(c.node)
			area := screen.Arrange(size[0], size[1]).Area()
			fmt.Println(c.path, c.at, size)
			fmt.Print(screentest.Plain(v.Render(s, p, area)))
			fmt.Print(screentest.Plain([]string{v.Context(s, p, area.W)}))
		}
	}
}
