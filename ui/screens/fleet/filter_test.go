package fleet

import (
	"testing"

	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

func TestFilters(t *testing.T) {
	s := screentest.Incident()
	for _, c := range []struct {
		filter string
		want   int
	}{
		{"", 29}, // no filter: what needs attention
		{"ip-10-2-41", 5},
		{"IP-10-2-41", 5},
		{"zone:1b", 40},
		{"zone:eu-west-1b", 40},
		{"zone:eu-west-1/eu-west-1b", 40},
		{"zone:none", 0},
		{"zone:unknown", 0},
		{"state:unknown", 22},
		{"state:notready", 1},
		{"state:late", 3},
		{"state:cordoned", 3},
		{"state:ready", 191},
		{"-state:ready", 23},
		{"zone:1b state:ready", 18},
		{"taint:unreachable", 2},
		{"taint:unschedulable", 3},
		{"pod:ml/trainer", 214},
		{"node:ip-10-3-9-140", 1},
	} {
		v := New()
		if err := v.SetFilter(c.filter); err != nil {
			t.Errorf("%q: %v", c.filter, err)
			continue
		}
		if got := len(v.Order(s)); got != c.want {
			t.Errorf("%q shows %d nodes, want %d", c.filter, got, c.want)
		}
	}
}

func TestWrongFiltersSayWhatThereIs(t *testing.T) {
	v := New()
	if err := v.SetFilter("zone:1b"); err != nil {
		t.Fatal(err)
	}
	for filter, want := range map[string]string{
		"colour:red":  `no facet "colour": there are zone, state, taint, pod, node`,
		"state:weird": `no state "weird": there are being-removed, cordoned, degraded, late, lease-only, nostatus, notready, past, ready, unknown`,
		"zone:":       "zone: needs a value",
	} {
		if err := v.SetFilter(filter); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", filter, err, want)
		}
		if v.Filter() != "zone:1b" {
			t.Errorf("%q replaced the filter by %q", filter, v.Filter())
		}
	}
}

func FuzzFilter(f *testing.F) {
	for _, s := range []string{"", "a b", "zone:1b -state:late", "-:", "node::x", "--", "taint:\xff", "ZONE:\u0130"} {
		f.Add(s)
	}
	s := screentest.Incident()
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := ParseFilter(text)
		if err != nil {
			return
		}
		again, err := ParseFilter(parsed.String())
		if err != nil || again.String() != parsed.String() {
			t.Fatalf("%q printed as %q reads as %q, %v", text, parsed.String(), again.String(), err)
		}
		v := New()
		v.filter = parsed
		area := screen.Arrange(80, 24).Area()
		lines := v.Render(s, screentest.Painters()["dark"], area)
		screentest.CheckFrame(t, lines, screentest.Painters()["dark"], area.W, area.H)
	})
}
