package nodes

import (
	"testing"

	"kardia/model"
)

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
