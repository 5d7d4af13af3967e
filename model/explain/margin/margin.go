// Package margin answers how near nodes came to being declared Unknown. It has their pauses between heartbeats, their
// silences, and the grace periods that the recording would have tolerated. For example, node b-003 has the longest
// silence, of 38 s. A grace period of 40 s then declares no node.
package margin

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/history"
)

const (
	// silentFrom is the least pause that is a silence: one renewal is missing, or late by half its interval.
	silentFrom  = 15 * time.Second
	maxSilences = 20_000
	// fine is the width of the classes of pauses up to finest.
	fine, finest = 100 * time.Millisecond, 2 * time.Minute
)

// Silence is a pause between two heartbeats of a node, or after its last one.
type Silence struct {
	Node string
	Zone model.Maybe[model.ZoneKey]
	// From is the last heartbeat before it, To the next one or the end of the input.
	From, To model.Instant
	// Open: no heartbeat followed. Declared: the node was declared Unknown in it.
	Open, Declared bool
}

// Length is the duration, up to the end of the input if it is open.
func (s *Silence) Length() time.Duration { return s.To.Sub(s.From) }

// Stall is a span in which the API server stored no write, and how many of the nodes were silent in it.
type Stall struct {
	From, To  model.Instant
	Nodes, Of int
}

// Grace is the effect of a grace period on the recording. It counts silences that surely lead to a declaration, and
// those that may, depending on the times of the passes.
type Grace struct {
	Grace         time.Duration
	Sure, Perhaps int
	// Nodes counts the nodes of these silences.
	Nodes int
}

// Near is how near a node came to being declared.
type Near struct {
	Node  string
	Zone  model.Maybe[model.ZoneKey]
	Beats int64
	// Longest is its longest pause that ended without a declaration, at At; 0 if there was none.
	Longest time.Duration
	At      model.Instant
	// Misses counts ended silences without a declaration, Declared those with one; the longest is Silent, to SilentTo.
	Misses, Declared int
	Silent           time.Duration
	SilentTo         model.Instant
	// Open is how long it has been silent at the end; 0 if it renews.
	Open time.Duration
}

// Worst is its longest silence, declared or not, and when it ended; open if it lasts.
func (n *Near) Worst() (d time.Duration, ended model.Instant, open bool) {
	d, ended = n.Longest, n.At
	if n.Silent > d {
		d, ended = n.Silent, n.SilentTo
	}
	if n.Open >= d && n.Open > 0 {
		return n.Open, 0, true
	}
	return d, ended, false
}

// Cordon is a healthy node that takes no pods.
type Cordon struct {
	Node string
	// Since is when it was cordoned; unknown if before the data and without a taint. By and Requester are the writer.
	Since     model.Instant
	By        model.Writer
	Requester *model.Requester
}

// Graces are the grace periods to try: the defaults of Kubernetes, common settings, and the one in force.
func Graces(inForce time.Duration) []time.Duration {
	list := []time.Duration{20 * time.Second, 30 * time.Second, 40 * time.Second, 50 * time.Second, time.Minute, 90 * time.Second, 2 * time.Minute, 5 * time.Minute, inForce}
	slices.Sort(list)
	return slices.Compact(list)
}

// Bucket counts the pauses from From up to the From of the next.
type Bucket struct {
	From  time.Duration
	Count int64
}

// edges split the histogram: around the ten seconds of a renewal, and up to the grace period.
var edges = [...]time.Duration{0, 9 * time.Second, 9500 * time.Millisecond, 10 * time.Second, 10500 * time.Millisecond, 11 * time.Second, 12 * time.Second,
	15 * time.Second, 20 * time.Second, 25 * time.Second, 30 * time.Second, 40 * time.Second, 50 * time.Second, time.Minute, 90 * time.Second, 2 * time.Minute}

func (m *Margin) Histogram() []Bucket {
	list := make([]Bucket, len(edges))
	for i, from := range edges {
		list[i].From = from
	}
	at := 0
	for i, n := range m.Pauses {
		for at+1 < len(edges) && edges[at+1] <= time.Duration(i)*fine {
			at++
		}
		list[at].Count += n
	}
	return list
}

func (m *Margin) Paused() (n int64) {
	for _, count := range m.Pauses {
		n += count
	}
	return n
}

// Margin is the result.
type Margin struct {
	// Over is the time examined. Nodes counts those that renewed in it, Beats their heartbeats.
	Over  model.Interval
	Nodes int
	Beats int64
	// Median, High (the 99th percentile) and Longest are of pauses without a declaration. Pauses[i] counts those from
	// i×100 ms up to the next, its last element all longer ones.
	Median, High, Longest time.Duration
	// Silences are the pauses from silentFrom on, longest first. Dropped were left out, Hidden have a gap.
	Silences        []Silence
	Dropped, Hidden int
	Stalls          []Stall
	Graces          []Grace
	Flaps           []Flaps
	Pauses          []int64
	// Nears renewed, or were silent from the start, longest silence first. Cordons last to the end, longest first.
	Nears   []Near
	Cordons []Cordon
	Posting Posting
	// Untold: no Node was seen, so the longest pauses may contain a declaration.
	Untold bool
}

type Options struct {
	// Over is the time to examine; zero is all that is covered.
	Over model.Interval
	// Graces are the grace periods to try, InForce is the cluster's own, and Period the time between passes.
	Graces          []time.Duration
	InForce, Period time.Duration
	// Progress, if set, gets the share done; false stops the reading.
	Progress func(share float64) (goOn bool)
}

// Of reads a History once.
func Of(h history.History, o Options) (*Margin, error) {
	f := Begin(h, o)
	if err := f.read(h); err != nil {
		return nil, err
	}
	return f.Margin(), nil
}

// Margin sums up the reading.
func (f *Reading) Margin() *Margin {
	m := &Margin{Over: f.over, Beats: f.beats, Dropped: f.dropped, Hidden: f.hidden, Pauses: f.pauses, Untold: !f.objects}
	for name, n := range f.nodes.All() {
		if n.beats > 0 {
			m.Nodes++
		}
		if f.open(n) > 0 {
			f.keep(Silence{Node: name, Zone: n.zone, From: n.last, To: f.over.Latest, Open: true, Declared: n.declared})
		}
	}
	m.Silences = f.silences
	slices.SortFunc(m.Silences, func(a, b Silence) int {
		return cmp.Or(cmp.Compare(b.Length(), a.Length()), cmp.Compare(a.From, b.From), strings.Compare(a.Node, b.Node))
	})
	m.Median, m.High = quantile(f.pauses, 0.5), quantile(f.pauses, 0.99)
	m.Longest = f.longest
	m.Stalls = f.stalled(m.Silences, m.Nodes)
	for _, g := range f.o.Graces {
		m.Graces = append(m.Graces, f.o.grace(m.Silences, g))
	}
	m.Flaps = f.flaps()
	m.Nears, m.Cordons, m.Posting = f.nears(), f.cordons(), f.posting()
	return m
}

// quantile is the length that a share of the pauses does not exceed.
func quantile(pauses []int64, share float64) time.Duration {
	var all, sum int64
	for _, n := range pauses {
		all += n
	}
	if all == 0 {
		return 0
	}
	for i, n := range pauses {
		if sum += n; float64(sum) >= share*float64(all) {
			return time.Duration(i) * fine
		}
	}
	return finest
}

// grace tries a grace period. The controller counts from the pass that saw the last heartbeat, up to a period later, to
// another pass. So a silence that is longer by two periods surely leads to a declaration. So does one that was declared
// under a grace period as long.
// Source: kubernetes: pkg/controller/nodelifecycle, tryUpdateNodeHealth.
func (o *Options) grace(silences []Silence, g time.Duration) Grace {
	is := Grace{Grace: g}
	nodes := map[string]bool{}
	for i := range silences {
		switch s := &silences[i]; {
		case s.Length() > g+2*o.Period, s.Declared && g <= o.InForce:
			is.Sure++
		case s.Length() > g:
			is.Perhaps++
		default:
			continue
		}
		nodes[silences[i].Node] = true
	}
	is.Nodes = len(nodes)
	return is
}

func (f *Reading) stalled(silences []Silence, nodes int) (list []Stall) {
	for _, v := range f.stalls.Stalls(f.history) {
		names := map[string]bool{}
		for i := range silences {
			if s := &silences[i]; s.To > v.Earliest && s.From < v.Latest && s.From >= v.Earliest.Add(-silentFrom) {
				names[s.Node] = true
			}
		}
		if v.Overlaps(f.over) && len(names) > 0 {
			list = append(list, Stall{From: v.Earliest, To: v.Latest, Nodes: len(names), Of: nodes})
		}
	}
	return list
}
