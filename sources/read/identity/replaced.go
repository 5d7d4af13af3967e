package identity

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"time"

	"kardia/model"
)

// checkReplaced searches two inputs that share nothing. All nodes of one were created after those of the other were
// last seen, sooner than a cluster replaces all nodes.
func (in *Inputs) checkReplaced() {
	var groups []*source
	at := map[int32]*source{}
	for i := range in.sources {
		s, root := &in.sources[i], in.root(int32(i))
		g := at[root]
		if g == nil {
			g = &source{path: s.path, nodes: map[string]bool{}}
			at[root], groups = g, append(groups, g)
		}
		if len(g.nodes) == 0 && len(s.nodes) > 0 {
			g.path = s.path // of those that belong together the one that shows nodes
		}
		maps.Copy(g.nodes, s.nodes)
		g.born = earlier(g.born, s.born)
		g.last = max(g.last, s.last)
	}
	groups = slices.DeleteFunc(groups, func(g *source) bool { return len(g.nodes) < few || !g.last.Known() || !g.born.Known() })
	byBirth := slices.Clone(groups)
	slices.SortStableFunc(byBirth, func(a, b *source) int { return cmp.Compare(a.born, b.born) })
	for _, a := range groups {
		i := sort.Search(len(byBirth), func(i int) bool { return byBirth[i].born >= a.last })
		if i < len(byBirth) && byBirth[i] == a {
			i++
		}
		if i == len(byBirth) || byBirth[i].born.Sub(a.last) > replacing {
			continue
		}
		b := byBirth[i]
		in.mixed = &Mixed{Place{Path: a.path}, Place{Path: b.path}, replaced(len(a.nodes), len(b.nodes), b.born.Sub(a.last))}
		return
	}
}

func replaced(before, after int, apart time.Duration) string {
	return fmt.Sprintf("they have no node, pod or other object in common, and all %d nodes of the one would have been replaced by %d others within %s",
		before, after, apart.Round(time.Second))
}

// checkSuccession searches a time at which all nodes were replaced, in one input or between two, and nothing lived on.
func (in *Inputs) checkSuccession() {
	all := slices.DeleteFunc(slices.Clone(in.seen), func(n *node) bool { return !n.begins().Known() })
	slices.SortStableFunc(all, func(a, b *node) int { return cmp.Compare(a.begins(), b.begins()) })
	cuts, last := in.cuts(all), model.FarPast
	for i, n := range all {
		if apart := n.begins().Sub(last); i > 0 && apart >= 0 && apart <= replacing && cuts.succeeds(i, last, n.begins()) {
			in.contradicts(all[0].first, n.first, replaced(i, len(all)-i, apart))
			return
		}
		last = max(last, n.last)
	}
}

// cuts answers, for each cut of the nodes in the order of their beginnings, whether later ones can be of the same
// cluster as earlier ones. All is counted beforehand, so the cost grows with the nodes, not their square.
type cuts struct {
	// Counts of the nodes before each cut. stayed were not deleted, appeared not seen created; the rest has a birth
	// too.
	stayed, stayedBorn, appeared, appearedBorn []int
	// Counts of sources, broken sources, linked inputs and lists with nodes on both sides of each cut.
	shared, broke, linked, listed []int
	before, after                 []extent // the lines of the nodes before and after each cut
	lives                         lives
}

func (in *Inputs) cuts(all []*node) *cuts {
	c := &cuts{lives: in.spans()}
	count := func(is func(*node) bool) []int {
		sum := make([]int, len(all)+1)
		for i, n := range all {
			if sum[i+1] = sum[i]; is(n) {
				sum[i+1]++
			}
		}
		return sum
	}
	c.stayed = count(func(n *node) bool { return !n.deleted })
	c.stayedBorn = count(func(n *node) bool { return !n.deleted && n.born.Known() })
	c.appeared = count(func(n *node) bool { return !n.made() })
	c.appearedBorn = count(func(n *node) bool { return !n.made() && n.born.Known() })
	c.shared = across(all, func(n *node) []int32 { return n.sources })
	c.broke = across(all, func(n *node) []int32 {
		return slices.DeleteFunc(slices.Clone(n.sources), func(s int32) bool { return !in.sources[s].broke })
	})
	c.linked = across(all, func(n *node) []int32 { return []int32{in.root(n.sources[0])} })
	c.listed = across(all, func(n *node) []listed { return n.lists })
	c.before = extents(all)
	backwards := slices.Clone(all)
	slices.Reverse(backwards)
	c.after = extents(backwards)
	slices.Reverse(c.after)
	return c
}

// across counts, for each cut of nodes, the things with nodes on both sides.
func across[T comparable](all []*node, of func(*node) []T) []int {
	ends := map[T][2]int{} // the first node of each thing, and the last
	for i, n := range all {
		for _, thing := range of(n) {
			if e, ok := ends[thing]; ok {
				ends[thing] = [2]int{e[0], i}
			} else {
				ends[thing] = [2]int{i, i}
			}
		}
	}
	both := make([]int, len(all)+1)
	for _, e := range ends {
		both[e[0]+1]++
		both[e[1]+1]--
	}
	for i := range all {
		both[i+1] += both[i]
	}
	return both
}

// succeeds reports whether the nodes after a cut cannot be of the same cluster. begins is when these begin, last the
// newest sign of those before.
func (c *cuts) succeeds(i int, last, begins model.Instant) bool {
	if c.listed[i] > 0 || c.broke[i] > 0 || c.shared[i] == 0 && c.linked[i] > 0 {
		return false
	}
	appeared := c.appeared[len(c.appeared)-1] - c.appeared[i]
	least := few
	if c.stayedBorn[i] == 0 || c.appearedBorn[len(c.appearedBorn)-1] == c.appearedBorn[i] {
		if least = fewUnborn; c.shared[i] > 0 && (begins.Sub(last) < skew || !countedAnew(c.before[i], c.after[i])) {
			return false // pods and Events of other nodes come in one input over time
		}
	}
	return c.stayed[i] >= least && appeared >= least && !c.lives.on(last, begins)
}

// extent is the lines on which one source shows nodes, and their resourceVersions, by kind.
type extent struct {
	of       bool // one source shows all of the nodes first, on lines that it counts
	source   int32
	from, to int32
	counted  [model.LastKind + 1]versions
}

// extents are those of the first nodes: of none, of one, and so on.
func extents(all []*node) []extent {
	sum := make([]extent, len(all)+1)
	is := extent{of: true, source: -1, from: math.MaxInt32}
	sum[0] = is
	for i, n := range all {
		if is.source < 0 {
			is.source = n.first.source
		}
		is.of = is.of && n.first.source == is.source && n.first.line > 0
		is.from, is.to = min(is.from, n.first.line), max(is.to, n.until)
		for kind, v := range n.lines {
			is.counted[kind] = is.counted[kind].with(v)
		}
		sum[i+1] = is
	}
	return sum
}

// countedAnew reports that one input shows each extent's nodes on their own lines, and that the later-created ones have
// lower numbers: of another etcd.
func countedAnew(before, after extent) bool {
	if !before.of || !after.of || before.source != after.source || before.from <= after.to && after.from <= before.to {
		return false
	}
	for kind, v := range after.counted {
		if v.low > 0 && before.counted[kind].high > v.low {
			return true
		}
	}
	return false
}

// lives are spans by their first time, and the newest end of those up to each.
type lives struct {
	first  []model.Instant
	newest []model.Instant
}

func (in *Inputs) spans() (l lives) {
	for _, s := range slices.SortedFunc(maps.Values(in.uids), func(a, b span) int { return cmp.Compare(a.first, b.first) }) {
		if !s.first.Known() {
			continue
		}
		l.first, l.newest = append(l.first, s.first), append(l.newest, s.last)
		if n := len(l.newest); n > 1 {
			l.newest[n-1] = max(l.newest[n-1], l.newest[n-2])
		}
	}
	return l
}

// on reports whether an object is known both until a time and after another.
func (l lives) on(until, from model.Instant) bool {
	n, _ := slices.BinarySearch(l.first, until+1)
	return n > 0 && l.newest[n-1] >= from
}
