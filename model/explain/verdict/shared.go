package verdict

import (
	"cmp"
	"slices"
	"strings"

	"kardia/model"
)

const zoneTrait = "zone"

// traits yields each trait of a node: its place, software, creation, last start, and labels except its hostname.
func traits(of *node, yield func(name, value string)) {
	n := of.object
	yield(zoneTrait, n.Zone.String())
	yield("kubelet version", n.KubeletVersion)
	yield("operating system", n.OS)
	yield("architecture", n.Arch)
	yield("instance type", n.InstanceType)
	if n.Created.Bounded() {
		yield("hour of creation", n.Created.Time().Format("2006-01-02T15Z"))
	}
	if of.started.Bounded() {
		yield("hour of the last start", of.started.Time().Format("2006-01-02T15Z"))
	}
	for name, value := range n.Details.All {
		switch {
		case name == model.DetailOSImage:
			yield("OS image", value)
		case name == model.DetailKernel:
			yield("kernel", value)
		case name == model.DetailRuntime:
			yield("container runtime", value)
		case name == model.DetailOwner:
			yield("owner", value)
		case strings.HasPrefix(name, model.DetailLabel) && name != model.DetailLabel+"kubernetes.io/hostname":
			yield(name, value)
		}
	}
}

// Shared is a trait of some nodes: Bad of the BadOf nodes in question have it, and Others of the OthersOf other nodes.
// Nodes with an unseen object do not count.
type Shared struct {
	Trait, Value     string
	Bad, BadOf       int
	Others, OthersOf int
}

func (s *Shared) fact(code Code) Fact {
	return Fact{Code: code, Name: s.Trait, Text: s.Value, N: s.Bad, Of: s.BadOf, Others: s.Others, OthersOf: s.OthersOf}
}

// tells is the share of bad nodes with the trait less the share of the others: from -1 to 1.
func (s *Shared) tells() float64 {
	share := func(n, of int) float64 {
		if of == 0 {
			return 0
		}
		return float64(n) / float64(of)
	}
	return share(s.Bad, s.BadOf) - share(s.Others, s.OthersOf)
}

// sharedFrom is the least difference of shares at which a trait is shown.
const sharedFrom = 0.3

// shared lists traits that the named nodes share more than others do, the most distinctive first; none for one node.
func (e *Evidence) shared(names []string) (list []Shared) {
	if len(names) < 2 {
		return nil
	}
	in := map[string]bool{}
	for _, name := range names {
		in[name] = true
	}
	bad, others := 0, 0
	for _, n := range e.nodes {
		switch {
		case n.object == nil: // its traits are unknown
		case in[n.name]:
			bad++
		default:
			others++
		}
	}
	if bad < 2 {
		return nil
	}
	counts := map[[2]string]*Shared{}
	for _, n := range e.nodes {
		if n.object == nil {
			continue
		}
		traits(n, func(name, value string) {
			if value == "" {
				return
			}
			s := counts[[2]string{name, value}]
			if s == nil {
				s = &Shared{Trait: name, Value: value, BadOf: bad, OthersOf: others}
				counts[[2]string{name, value}] = s
			}
			if in[n.name] {
				s.Bad++
			} else {
				s.Others++
			}
		})
	}
	for _, s := range counts {
		if s.Bad > 1 && s.OthersOf > 0 && s.tells() >= sharedFrom { // a trait of one node is not shared
			list = append(list, *s)
		}
	}
	slices.SortFunc(list, func(a, b Shared) int {
		return cmp.Or(cmp.Compare(b.tells(), a.tells()), strings.Compare(a.Trait, b.Trait), strings.Compare(a.Value, b.Value))
	})
	return list
}

// SharedBy is shared for nodes of a cluster.
func SharedBy(c *model.Cluster, names []string) []Shared {
	e := &Evidence{}
	for row := range c.Nodes {
		e.nodes = append(e.nodes, nodeOf(row, model.AsOf{}))
	}
	return e.shared(names)
}
