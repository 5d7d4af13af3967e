package paint_test

import (
	"testing"
	"time"

	"kardia/themes"
	"kardia/ui/paint"
)

// The models' sentences give whole dates; on a screen they are in the zone and the form of all times.
func TestStamps(t *testing.T) {
	p := paint.New(themes.Dark(), themes.Unicode(), nil)
	said := "the first pass starts between 2026-11-21T00:09:44.893144001Z and 2026-11-21T00:09:49Z; v1.36-2026-11-21 stays"
	if got, want := p.Stamps(said), "the first pass starts between 00:09:44.8Z and 00:09:49.0Z; v1.36-2026-11-21 stays"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.Location = time.FixedZone("", 2*3600)
	if got, want := p.Stamps("until 2026-11-21T00:09:49Z:"), "until 02:09:49.0+02:"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
