package model

// The deprecated labels that say where a node is. They win when they are present, even when
// empty.
// Source: kubernetes: component-helpers/node/topology, GetZoneKey.
const (
	labelZoneBeta   = "failure-domain.beta.kubernetes.io/zone"
	labelRegionBeta = "failure-domain.beta.kubernetes.io/region"
)

// ZoneKey is a node's region and zone as the node-lifecycle controller sees them.
// The zero value is the zone of nodes without zone labels, which is a zone like
// any other to the controller.
type ZoneKey struct {
	Region, Zone string
}

// ZoneKeyOf reads it from a label lookup.
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

// ExcludedFromDisruption says whether the labels take the node out of its zone's
// statistics. Its pods are evicted all the same.
func ExcludedFromDisruption(label func(key string) (value string, ok bool)) bool {
	_, ok := label(LabelExcludeDisruption)
	return ok
}

// Raw is the controller's own text of the key: "" without labels, else region and zone
// joined by a NUL between two colons. It is for comparing with the controller's logs
// and metrics; screens show String.
func (k ZoneKey) Raw() string {
	if k == (ZoneKey{}) {
		return ""
	}
	return k.Region + ":\x00:" + k.Zone
}

// String is region/zone, the zone alone where the region is not set, and "none"
// for nodes without labels. It is what --zone takes.
func (k ZoneKey) String() string {
	switch {
	case k == (ZoneKey{}):
		return "none"
	case k.Region == "":
		return k.Zone
	}
	return k.Region + "/" + k.Zone
}

// Matches says whether text, as a person types it after --zone, names this zone:
// region/zone, zone, or none.
func (k ZoneKey) Matches(text string) bool {
	return text == k.String() || (text == k.Zone && k.Zone != "")
}

// Less orders zones by region, then zone; nodes without labels come last.
func (k ZoneKey) Less(other ZoneKey) bool {
	if (k == ZoneKey{}) != (other == ZoneKey{}) {
		return other == ZoneKey{}
	}
	if k.Region != other.Region {
		return k.Region < other.Region
	}
	return k.Zone < other.Zone
}

// DisruptionState is what the node-lifecycle controller thinks of a zone. The zero value is none:
// the controller has no state for it, or which one is not known.
type DisruptionState uint8

// The states, the worst last.
const (
	ZoneNone DisruptionState = iota
	// ZoneBlank is the empty state that a zone without counted nodes gets when it is met too
	// late to be forgotten (Z8).
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
