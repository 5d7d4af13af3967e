package screens_test

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/screens"
)

// full is an incident with a branch, and another incident beside it.
func full(t *testing.T) *screen.Snapshot {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	changed := screen.BranchOrder{}
	if err := model.FlagNamed("node-monitor-grace-period").Set(&changed.Flags, "2m", model.FromUser); err != nil {
		t.Fatal(err)
	}
	s.Branch = screentest.Branched(t, "demo:zone-outage", 40*time.Second, changed).Branch
	s.Beside = screentest.Beside(t, "demo:zone-outage", "demo:all-dark")
	return s
}

// TestChosenColumnsAreShown: a column that the configuration may name is one of the screen's, by the same name.
func TestChosenColumnsAreShown(t *testing.T) {
	s := full(t)
	p := screentest.Painters()["dark"]
	for _, is := range screens.All() {
		frame := func(columns ...string) []string {
			v := is.New()
			v.(screen.Tabular).SetColumns(columns)
			return v.Render(s, p, screen.Area{W: 320, H: 60, Tier: screen.TierOf(320, 60)})
		}
		for _, column := range is.Columns {
			if slices.Equal(frame(column), frame()) {
				t.Errorf("%s: the column %s alone is as all columns", is.ID, column)
			}
		}
	}
}
