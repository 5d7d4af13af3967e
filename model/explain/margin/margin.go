// Package margin says how near nodes came to being declared Unknown: how far apart their heartbeats
// were, the longest silences, those that all had at once, and which grace periods a recording would
// have borne.
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
	// silentFrom is how long a pause between heartbeats must be to be kept as a silence: one renewal is
	// missing, or late by half its interval.
	silentFrom = 15 * time.Second
	// maxSilences bounds how many silences are kept.
	maxSilences = 20_000
	// fine and finest part the pauses: a tenth of a second up to two minutes, and what is longer.
	fine, finest = 100 * time.Millisecond, 2 * time.Minute
)

// Silence is a pause between two heartbeats of a node, or after its last one.
type Silence struct {
	Node string
	Zone model.Maybe[model.ZoneKey]
	// From is the heartbeat before it, To the one after it, or the end of the input.
	From, To model.Instant
	// Open says that no heartbeat came after it, Declared that the node was declared Unknown in it.
	Open, Declared bool
}

// Length is how long it lasted, or has lasted.
func (s *Silence) Length() time.Duration { return s.To.Sub(s.From) }

// Stall is a time in which the API server took no write of anybody: so many nodes that were heard until then were silent.
type Stall struct {
	From, To  model.Instant
	Nodes, Of int
}

// Grace is what a grace period would have made of the recording: so many silences for which a node
// is declared Unknown for sure, and so many more of which it depends on when the passes come.
type Grace struct {
	Grace         time.Duration
	Sure, Perhaps int
	// Nodes are how many nodes these silences are of.
	Nodes int
}

// Near is how near a node came.
type Near struct {
	Node  string
	Zone  model.Maybe[model.ZoneKey]
	Beats int64
	// Longest is its longest pause that ended and in which it was not declared Unknown, and At when that
	// ended; 0 where there was none.
	Longest time.Duration
	At      model.Instant
	// Misses counts its silences that ended without its being declared, Declared those in which it was, of
	// which Silent is the longest, and SilentTo when that ended.
	Misses, Declared int
	Silent           time.Duration
	SilentTo         model.Instant
	// Open is for how long it has been silent at the end; 0 where it beats.
	Open time.Duration
}

// Worst is its longest silence, declared or not, and when that ended; open where it still lasts.
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

// Cordon is a node that takes no pods: it is well, and of no use.
type Cordon struct {
	Node string
	Zone model.Maybe[model.ZoneKey]
	// Since is when it was cordoned; unknown where it was before anything was seen and no taint tells. By
	// is who wrote it, where that was seen, and Requester who sent the request, where the input tells.
	Since     model.Instant
	By        model.Writer
	Requester *model.Requester
}

// Graces are the grace periods that are worth trying: the defaults of Kubernetes, what people set, and the
// one in force.
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

// edges part the histogram: around the ten seconds of a renewal, and up to the grace.
var edges = [...]time.Duration{0, 9 * time.Second, 9500 * time.Millisecond, 10 * time.Second, 10500 * time.Millisecond, 11 * time.Second, 12 * time.Second,
	15 * time.Second, 20 * time.Second, 25 * time.Second, 30 * time.Second, 40 * time.Second, 50 * time.Second, time.Minute, 90 * time.Second, 2 * time.Minute}

// Histogram is how many pauses were how long.
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

// Paused counts the Pauses.
func (m *Margin) Paused() (n int64) {
	for _, count := range m.Pauses {
		n += count
	}
	return n
}

// Margin is what was found.
type Margin struct {
	// Over is the time that was looked at, Nodes how many nodes beat in it, and Beats how often.
	Over  model.Interval
	Nodes int
	Beats int64
	// Median, High (that of a hundred pauses one exceeds) and Longest are of the pauses that ended and
	// in which the node was not declared Unknown; Pauses[i] counts those of i×100 ms up to the next, and
	// the last all that are longer.
	Median, High, Longest time.Duration
	// Silences are the pauses of silentFrom and longer, the longest first; Dropped how many more there
	// were, Hidden how many pauses lie across a time of which nothing is known.
	Silences        []Silence
	Dropped, Hidden int
	Stalls          []Stall
	Graces          []Grace
	Flaps           []Flaps
	Pauses          []int64
	// Nears are the nodes that beat, or have been silent since before anybody watched, the one with the longest silence first; Cordons those that are cordoned
	// at the end, the longest first.
	Nears   []Near
	Cordons []Cordon
	Posting Posting
	// Untold says that no Node was seen: in which silences nodes were declared is not known, and the
	// longest pauses may be such ones.
	Untold bool
}

// Options guide Of.
type Options struct {
	// Over is the time to look at; zero is all that is covered.
	Over model.Interval
	// Graces are the grace periods to try, InForce is the one that the cluster had, and Period how far
	// passes are apart.
	Graces          []time.Duration
	InForce, Period time.Duration
	// Progress, if set, is told now and then how far it has come; false ends it.
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

// Margin sums up what was read.
func (f *Reading) Margin() *Margin {
	m := &Margin{Over: f.over, Beats: f.beats, Dropped: f.dropped, Hidden: f.hidden, Pauses: f.pauses, Untold: !f.objects}
	for name, n := range f.nodes {
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

// grace tries a grace period. The controller counts from the pass that saw the last heartbeat, which
// came up to a period after it, to a pass: a silence is sure to be declared only when it is longer by
// two periods, or when it was declared under a grace that was no shorter.
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

// stalled are the Stalls of the API server in which nodes were silent that were heard until then.
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
