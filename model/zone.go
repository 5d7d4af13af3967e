package model

import "cmp"

// Deprecated labels. They take precedence if present, even if empty.
// Source: kubernetes: component-helpers/node/topology, GetZoneKey.
const (
	labelZoneBeta   = "failure-domain.beta.kubernetes.io/zone"
	labelRegionBeta = "failure-domain.beta.kubernetes.io/region"
)

// ZoneKey is a node's region and zone. The zero value, without labels, is a zone like any other to the controller.
type ZoneKey struct {
	Region, Zone string
}

// ZoneKeyOf reads a ZoneKey from a label lookup.
// Source: kubernetes: component-helpers/node/topology, GetZoneKey.
func ZoneKeyOf(label func(key string) (value string, ok bool)) ZoneKey {
	first := func(beta, stable string) string {
		if v, ok := label(beta); ok {
			return v
		}
		v, _ := label(stable)
		return v
	}
	return ZoneKey{Region: first(labelRegionBeta, LabelRegion), Zone: first(labelZoneBeta, LabelZone)}
}

// ExcludedFromDisruption reports whether the labels exclude the node from its zone's statistics, not from eviction.
func ExcludedFromDisruption(label func(key string) (value string, ok bool)) bool {
	_, ok := label(LabelExcludeDisruption)
	return ok
}

// Raw is the controller's own text of the key, for comparison with its logs and metrics. It is "" without labels, else
// region and zone joined by a NUL between two colons.
func (k ZoneKey) Raw() string {
	if k == (ZoneKey{}) {
		return ""
	}
	return k.Region + ":\x00:" + k.Zone
}

// String is region/zone, the zone alone without a region, and "none" without labels. --zone takes it.
func (k ZoneKey) String() string {
	switch {
	case k == (ZoneKey{}):
		return "none"
	case k.Region == "":
		return k.Zone
	}
	return k.Region + "/" + k.Zone
}

// Matches reports whether the text of --zone names this zone: region/zone, zone, or none.
func (k ZoneKey) Matches(text string) bool {
	return text == k.String() || (text == k.Zone && k.Zone != "")
}

// Compare orders zones by region, then zone; those without labels are last.
func (k ZoneKey) Compare(other ZoneKey) int {
	switch {
	case k == other:
		return 0
	case k == ZoneKey{}:
		return 1
	case other == ZoneKey{}:
		return -1
	}
	return cmp.Or(cmp.Compare(k.Region, other.Region), cmp.Compare(k.Zone, other.Zone))
}

// DisruptionState is the node-lifecycle controller's state of a zone; zero if it has none or it is unknown.
type DisruptionState uint8

// The states, the worst last.
const (
	ZoneNone DisruptionState = iota
	// ZoneBlank is the empty state of a zone without counted nodes that is met too late to be forgotten (Z8).
	ZoneBlank
	ZoneInitial
	ZoneNormal
	ZonePartial
	ZoneFull
)

// String is the controller's own word.
func (s DisruptionState) String() string {
	return [...]string{"none", "", "Initial", "Normal", "PartialDisruption", "FullDisruption"}[min(s, ZoneFull)]
}
