package nodes

import (
	"slices"
	"strings"
	"unicode"

	"kardia/model"
	"kardia/ui/paint"
)

// commonDomain is the suffix, from its first dot, of all names.
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

// nameZones gives every zone its names. Name has the region only if two regions have a zone of that name.
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

// ZonePrefix is the length of the common prefix of all zone names, which short names lack. It ends with a dash, and
// leaves a letter to each name, because "3 unknown" reads as a count.
func ZonePrefix(names []string) int {
	if len(names) == 0 {
		return 0
	}
	prefix := names[0]
	for _, name := range names[1:] {
		for !strings.HasPrefix(name, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	cut := strings.LastIndexByte(prefix, '-') + 1
	for cut > 0 && slices.ContainsFunc(names, func(name string) bool { return !strings.ContainsFunc(name[cut:], unicode.IsLetter) }) {
		cut = strings.LastIndexByte(prefix[:cut-1], '-') + 1
	}
	return cut
}

// labelZones adds a label's value to the names of zones whose nodes agree on it, by a sample of large zones.
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
