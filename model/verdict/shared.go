package verdict

import (
	"cmp"
	"slices"
	"strings"

	"kardia/model"
)

// traits are what nodes can have in common.
var traits = [...]string{"zone", "kubelet version", "operating system", "architecture", "instance type", "created in the hour of"}

const zoneTrait = 0

func traitsOf(n *model.Node) (t [len(traits)]string) {
	created := ""
	if n.Created.Bounded() {
		created = n.Created.Time().Format("2006-01-02T15Z")
	}
	return [...]string{n.Place.String(), n.KubeletVersion, n.OS, n.Arch, n.InstanceType, created}
}

// Shared is a trait that some nodes have in common: Bad of BadOf of those in question have it, and
// Others of OthersOf of all others.
type Shared struct {
	Trait, Value     string
	Bad, BadOf       int
	Others, OthersOf int
}

// tells is how much more of the bad nodes have it than of the others: from -1 to 1.
func (s *Shared) tells() float64 {
	share := func(n, of int) float64 {
		if of == 0 {
			return 0
		}
		return float64(n) / float64(of)
	}
	return share(s.Bad, s.BadOf) - share(s.Others, s.OthersOf)
}

// sharedFrom is how much a trait must tell to be shown.
const sharedFrom = 0.3

// shared are the traits that nodes share more than others do; one node shares nothing.
func (e *Evidence) shared(names []string) (list []Shared) {
	if len(names) < 2 {
		return nil
	}
	in := map[string]bool{}
	for _, name := range names {
		in[name] = true
	}
	for i, trait := range traits {
		counts := map[string]*Shared{}
		for _, n := range e.nodes {
			if n.traits[i] == "" {
				continue
			}
			s := counts[n.traits[i]]
			if s == nil {
				s = &Shared{Trait: trait, Value: n.traits[i], BadOf: len(names), OthersOf: len(e.nodes) - len(names)}
				counts[n.traits[i]] = s
			}
			if in[n.name] {
				s.Bad++
			} else {
				s.Others++
			}
		}
		for _, s := range counts {
			if s.OthersOf > 0 && s.tells() >= sharedFrom {
				list = append(list, *s)
			}
		}
	}
	slices.SortFunc(list, func(a, b Shared) int {
		return cmp.Or(cmp.Compare(b.tells(), a.tells()), strings.Compare(a.Trait, b.Trait), strings.Compare(a.Value, b.Value))
	})
	return list
}
