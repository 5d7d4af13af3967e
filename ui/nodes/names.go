package nodes

import (
	"slices"
	"strings"
	"unicode"

	"kardia/model"
	"kardia/ui/paint"
)

// commonDomain is the ending, from its first dot, that all names share.
func commonDomain(names []string) string {
	if len(names) < 2 {
		return ""
	}
	dot := strings.IndexByte(names[0], '.')
	if dot < 1 {
		return ""
	}
	domain := names[0][dot:]
	for _, n := range names[1:] {
		if len(n) <= len(domain) || !strings.HasSuffix(n, domain) {
			return ""
		}
	}
	return domain
}

// UnknownZone is the section of nodes whose object was never seen.
const UnknownZone = "zone unknown"

// nameZones gives every zone its name and its short name. That is the zone alone unless two regions have one of the
// same name. The short name lacks the common beginning of all zones.
func nameZones(zones []Zone) {
	seen := map[string]int{}
	for i := range zones {
		seen[zones[i].Zone.Value.Zone]++
	}
	var names []string
	for i := range zones {
		z := &zones[i]
		zone := z.Zone.Value
		switch {
		case !z.Zone.Known:
			z.Name, z.Short = UnknownZone, "?"
			continue
		case zone.Zone == "" || seen[zone.Zone] > 1:
			z.Name = paint.Clean(zone.String())
		default:
			z.Name = paint.Clean(zone.Zone)
		}
		z.Short = z.Name
		if zone.Zone == "" {
			continue // "none", or a region without a zone, is short enough
		}
		names = append(names, z.Name)
	}
	cut := ZonePrefix(names)
	for i := range zones {
		if z := &zones[i]; z.Zone.Known && z.Zone.Value.Zone != "" && len(z.Name) > cut {
			z.Short = z.Name[cut:]
		}
	}
}

// ZonePrefix is the length of the common beginning of all names of zones, which their short names lack. It ends with a
// dash, and leaves a letter to each name that has one, because "3 unknown" reads as a count.
func ZonePrefix(names []string) int {
	if len(names) == 0 {
		return 0
	}
	prefix := names[0]
	for _, name := range names[1:] {
		prefix = shared(prefix, name)
	}
	cut := strings.LastIndexByte(prefix, '-') + 1
	for cut > 0 && slices.ContainsFunc(names, func(name string) bool { return !strings.ContainsFunc(name[cut:], unicode.IsLetter) }) {
		cut = strings.LastIndexByte(prefix[:cut-1], '-') + 1
	}
	return cut
}

// labelZones puts the value of a label beside the names of the zones whose nodes agree on it. In a large zone only some
// nodes are looked at.
func (l *List) labelZones(label string) {
	const asked = 16
	for i := range l.Zones {
		z := &l.Zones[i]
		every := max(len(z.Nodes)/asked, 1)
		value, agree := "", true
		for k := 0; k < len(z.Nodes); k += every {
			node := l.Entries[z.Nodes[k]].Row.Node
			if node == nil {
				continue
			}
			is, ok := node.Details.Get(model.DetailLabel + label)
			agree = agree && ok && (value == "" || is == value)
			value = is
		}
		if agree && value != "" {
			z.Name += " (" + paint.Clean(value) + ")"
		}
	}
}

// shared is the longest common beginning.
func shared(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}
