package nodes

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
)

func TestNamesSortAsPeopleDo(t *testing.T) {
	want := []string{"", "a", "a-1", "a-2", "a-10", "a-10-b", "a-010", "ip-10-2-4", "ip-10-2-30", "ip-10-10-1", "z"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, CompareNames)
	// a-010 and a-10 are the same number; the raw text decides last of all.
	if want = []string{"", "a", "a-1", "a-2", "a-010", "a-10", "a-10-b", "ip-10-2-4", "ip-10-2-30", "ip-10-10-1", "z"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNameOrderIsTotal(t *testing.T) {
	name := rapid.StringMatching(`[ab0-2-]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := name.Draw(t, "a"), name.Draw(t, "b"), name.Draw(t, "c")
		if (CompareNames(a, b) == 0) != (a == b) {
			t.Fatalf("%q and %q compare equal", a, b)
		}
		if CompareNames(a, b) != -CompareNames(b, a) {
			t.Fatalf("%q and %q: the order has no direction", a, b)
		}
		if CompareNames(a, b) < 0 && CompareNames(b, c) < 0 && CompareNames(a, c) >= 0 {
			t.Fatalf("%q < %q < %q, but not %q < %q", a, b, c, a, c)
		}
	})
}

func TestDomains(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"a.x.internal", "b.x.internal"}, ".x.internal"},
		{[]string{"a.x.internal", "b.y.internal"}, ""},
		{[]string{"a.x.internal"}, ""},
		{[]string{"a", "b"}, ""},
		{[]string{"a.x", ".x"}, ""},
	} {
		if got := commonDomain(c.names); got != c.want {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
}

func TestZoneNames(t *testing.T) {
	zoneKey := func(region, zone string) model.Maybe[model.ZoneKey] {
		return model.Some(model.ZoneKey{Region: region, Zone: zone})
	}
	for _, c := range []struct {
		zones []model.Maybe[model.ZoneKey]
		want  string
	}{
		{[]model.Maybe[model.ZoneKey]{zoneKey("eu-west-1", "eu-west-1a"), zoneKey("eu-west-1", "eu-west-1b")}, "eu-west-1a=1a eu-west-1b=1b "},
		{[]model.Maybe[model.ZoneKey]{zoneKey("r1", "a"), zoneKey("r2", "a"), zoneKey("r2", "b")}, "r1/a=r1/a r2/a=r2/a b=b "},
		{[]model.Maybe[model.ZoneKey]{zoneKey("", ""), {}}, "none=none zone unknown=? "},
		{[]model.Maybe[model.ZoneKey]{zoneKey("us", "us-east-1b")}, "us-east-1b=1b "},
		{[]model.Maybe[model.ZoneKey]{zoneKey("ams", "ams-1"), zoneKey("ams", "ams-2")}, "ams-1=ams-1 ams-2=ams-2 "},
		{[]model.Maybe[model.ZoneKey]{zoneKey("", "eu-ams-1-2"), zoneKey("", "eu-ams-1-3b")}, "eu-ams-1-2=ams-1-2 eu-ams-1-3b=ams-1-3b "},
		{[]model.Maybe[model.ZoneKey]{zoneKey("", "1-2"), zoneKey("", "1-3")}, "1-2=1-2 1-3=1-3 "},
		{[]model.Maybe[model.ZoneKey]{zoneKey("r", "x\x00\x1b")}, "x␀␛=x␀␛ "},
	} {
		zones := make([]Zone, len(c.zones))
		for i := range zones {
			zones[i].Zone = c.zones[i]
		}
		nameZones(zones)
		got := ""
		for i := range zones {
			got += zones[i].Name + "=" + zones[i].Short + " "
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.zones, got, c.want)
		}
	}
}
