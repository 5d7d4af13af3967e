package model

// The deprecated labels that say where a node is. They win when they are present, even when
// empty.
// Source: kubernetes: component-helpers/node/topology, GetZoneKey.
const (
	labelZoneBeta   = "failure-domain.beta.kubernetes.io/zone"
	labelRegionBeta = "failure-domain.beta.kubernetes.io/region"
)

// Place is a node's region and zone as the node-lifecycle controller sees them.
// The zero value is the zone of nodes without zone labels, which is a zone like
// any other to the controller.
type Place struct {
	Region, Zone string
}

// PlaceOf reads the place from a label lookup.
// Source: kubernetes: component-helpers/node/topology, GetZoneKey.
func PlaceOf(label func(key string) (value string, ok bool)) Place {
	first := func(beta, stable string) string {
		if v, ok := label(beta); ok {
			return v
		}
		v, _ := label(stable)
		return v
	}
	return Place{Region: first(labelRegionBeta, LabelRegion), Zone: first(labelZoneBeta, LabelZone)}
}

// ExcludedFromDisruption says whether the labels take the node out of its zone's
// statistics. Its pods are evicted all the same.
func ExcludedFromDisruption(label func(key string) (value string, ok bool)) bool {
	_, ok := label(LabelExcludeDisruption)
	return ok
}

// Key is the controller's own zone key: "" without labels, else region and zone
// joined by a NUL between two colons. It is for comparing with the controller's logs
// and metrics; screens show String.
func (p Place) Key() string {
	if p == (Place{}) {
		return ""
	}
	return p.Region + ":\x00:" + p.Zone
}

// String is region/zone, the zone alone where the region is not set, and "none"
// for nodes without labels. It is what --zone takes.
func (p Place) String() string {
	switch {
	case p == (Place{}):
		return "none"
	case p.Region == "":
		return p.Zone
	}
	return p.Region + "/" + p.Zone
}

// Matches says whether text, as a person types it after --zone, names this place:
// region/zone, zone, or none.
func (p Place) Matches(text string) bool {
	return text == p.String() || (text == p.Zone && p.Zone != "")
}

// Less orders places by region, then zone; nodes without labels come last.
func (p Place) Less(q Place) bool {
	if (p == Place{}) != (q == Place{}) {
		return q == Place{}
	}
	if p.Region != q.Region {
		return p.Region < q.Region
	}
	return p.Zone < q.Zone
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
