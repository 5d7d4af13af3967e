package contract

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/margin"
	"kardia/model/infer"
	"kardia/ui/doc"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Margin is how near nodes came to being declared Unknown.
type Margin struct {
	Caveats

	// Began is the start of the recording, from which the table counts.
	Began model.Instant `json:"-"`

	From  Stamp `json:"from"`
	To    Stamp `json:"to"`
	Nodes int   `json:"nodes"`
	Beats int64 `json:"heartbeats"`
	// Pauses is how many pauses between heartbeats the Histogram counts. P50, P99 and Longest are of these.
	Pauses int64   `json:"pauses"`
	P50    Seconds `json:"p50Seconds"`
	P99    Seconds `json:"p99Seconds"`
	// Longest is the longest pause not known to end in a declaration; Margin is what the grace period leaves.
	Longest Seconds `json:"longestSeconds"`
	Grace   Seconds `json:"graceSeconds"`
	Margin  Seconds `json:"marginSeconds"`
	// GraceFits is the range of grace periods, in seconds, that fit a capture, if the one in force is not known.
	GraceFits *[2]Bound `json:"graceFits,omitempty"`
	// DeclaredKnown: the input shows Nodes, and so the pauses in which they were declared.
	DeclaredKnown bool `json:"declaredKnown"`

	Histogram []MarginBucket  `json:"histogram"`
	Silences  []MarginSilence `json:"silences"`
	// Dropped silences are not listed. Hidden pauses cross a gap.
	Dropped int           `json:"dropped"`
	Hidden  int           `json:"hidden"`
	Stalls  []MarginStall `json:"stalls"`
	Graces  []MarginGrace `json:"graces"`
	// Unled is when the controllers had no leader. Graces are computed as if there was one.
	Unled   []MarginUnled `json:"noLeader"`
	Flaps   []MarginFlaps `json:"flaps"`
	Posting MarginPosting `json:"statusPosts"`

	silent       int
	still, unled words.Say // nodes that are silent at the end, and the times without a leader
}

// MarginPosting is how many nodes post their status often without changes, of those whose status was seen. The
// Simulated are further nodes, whose status kwok posts.
type MarginPosting struct {
	Nodes     int     `json:"nodes"`
	Of        int     `json:"of"`
	Simulated int     `json:"simulated"`
	Every     Seconds `json:"everySeconds"`
	// Writes is how many writes to etcd a minute these are, and Meant the number by default.
	Writes float64 `json:"writesPerMinute"`
	Meant  float64 `json:"meantPerMinute"`

	says words.Say
}

// postingOf rounds numbers to a tenth.
func postingOf(p *margin.Posting) MarginPosting {
	tenth := func(x float64) float64 { return math.Round(10*x) / 10 }
	return MarginPosting{Nodes: p.Nodes, Of: p.Of, Simulated: p.Simulated, Every: Seconds(model.Maybe[time.Duration]{Value: p.Every, Known: p.Nodes > 0}),
		Writes: tenth(p.Writes), Meant: tenth(p.Meant), says: topics.Posting(p)}
}

// Says is one sentence; "" if no node posts often.
func (p *MarginPosting) Says() string { return p.says.String() }

// MarginBucket counts the pauses from From seconds up to the From of the next.
type MarginBucket struct {
	From  float64 `json:"fromSeconds"`
	Count int64   `json:"count"`
}

// MarginSilence is a pause of 15 s or more.
type MarginSilence struct {
	Node     string  `json:"node"`
	Zone     *string `json:"zone"`
	From     Stamp   `json:"from"`
	To       Stamp   `json:"to"`
	Seconds  Seconds `json:"seconds"`
	Open     bool    `json:"open"`
	Declared bool    `json:"declared"`
}

// MarginStall is a time in which the API server accepted no write, and how many nodes were silent in it.
type MarginStall struct {
	From  Stamp `json:"from"`
	To    Stamp `json:"to"`
	Nodes int   `json:"nodes"`
	Of    int   `json:"of"`
}

// MarginGrace is how many silences a grace period would turn into declarations, and of how many nodes.
type MarginGrace struct {
	Grace   Seconds `json:"graceSeconds"`
	Sure    int     `json:"certain"`
	Perhaps int     `json:"possible"`
	Nodes   int     `json:"nodes"`
}

// MarginUnled is a time without a leader of the controllers, by their lease.
type MarginUnled struct {
	From Stamp `json:"from"`
	To   Stamp `json:"to"`
}

// MarginFlaps is how often a node failed and returned.
type MarginFlaps struct {
	Node     string `json:"node"`
	Times    int    `json:"times"`
	Declared int    `json:"declared"`
	First    Stamp  `json:"first"`
	Last     Stamp  `json:"last"`
	// With are the nodes that failed with it each time, Partners those that did at least half of the times.
	With     []string        `json:"with"`
	Partners []MarginPartner `json:"partners"`
	// Down and Up are medians; null if it did not return.
	Down         Seconds `json:"downSeconds"`
	Up           Seconds `json:"upSeconds"`
	Tainted      int     `json:"tainted"`
	LongestTaint Seconds `json:"longestTaintSeconds"`

	says []string
}

// Says is its rhythm, the effect on its pods, and the nodes that flapped with it.
func (f *MarginFlaps) Says() []string { return f.says }

// Stopped is how often it stopped being Ready.
func (f *MarginFlaps) Stopped() words.Say {
	return words.Of("margin.flapped", "n", f.Times, "declared", f.Declared)
}

// MarginPartner is a node that failed within ten seconds of another.
type MarginPartner struct {
	Node  string  `json:"node"`
	Times int     `json:"times"`
	Apart Seconds `json:"apartSeconds"`
}

func flapsOf(f margin.Flaps) MarginFlaps {
	length := func(d time.Duration) Seconds { return Seconds(model.Maybe[time.Duration]{Value: d, Known: d > 0}) }
	out := MarginFlaps{Node: f.Node, Times: f.Times, Declared: f.Declared, First: Stamp(f.First), Last: Stamp(f.Last), With: lines(f.Always()),
		Partners: each(f.With, func(p margin.Partner) MarginPartner { return MarginPartner{p.Node, p.Times, seconds(p.Apart)} }),
		Down:     length(f.Down), Up: length(f.Up), Tainted: f.Tainted, LongestTaint: length(f.Longest)}
	for _, say := range [...]words.Say{topics.FlapRhythm(&f), topics.FlapPods(&f), topics.FlapCompany(&f, 3)} {
		if !say.Missing() {
			out.says = append(out.says, say.String())
		}
	}
	return out
}

// BoundGrace adds the grace periods that fit a capture's timestamps; false if those do not decide it.
func (m *Margin) BoundGrace(r *infer.Result) bool {
	fit, ok := r.Fits["node-monitor-grace-period"]
	if ok = ok && r.Instants != nil && r.Params.NodeMonitorGracePeriod.From == model.FromInferred; ok {
		m.GraceFits = &[2]Bound{Bound(fit.Min), Bound(fit.Max)}
	}
	return ok
}

const listedSilences = 50

// MarginOf reports a margin. grace is the grace period in force, unled the times without a leader.
func MarginOf(m *margin.Margin, grace time.Duration, unled []model.Interval) Margin {
	some := func(d time.Duration, known bool) Seconds {
		return Seconds(model.Maybe[time.Duration]{Value: d, Known: known})
	}
	beats := m.Median > 0 || m.Longest > 0
	out := Margin{From: Stamp(m.Over.Earliest), To: Stamp(m.Over.Latest), Nodes: m.Nodes, Beats: m.Beats, Pauses: m.Paused(),
		P50: some(m.Median, beats), P99: some(m.High, beats), Longest: some(m.Longest, beats), Grace: some(grace, true), Margin: some(grace-m.Longest, beats), DeclaredKnown: !m.Untold,
		Histogram: each(m.Histogram(), func(b margin.Bucket) MarginBucket { return MarginBucket{b.From.Seconds(), b.Count} }),
		Stalls:    each(m.Stalls, func(s margin.Stall) MarginStall { return MarginStall{Stamp(s.From), Stamp(s.To), s.Nodes, s.Of} }),
		Graces:    each(m.Graces, func(g margin.Grace) MarginGrace { return MarginGrace{seconds(g.Grace), g.Sure, g.Perhaps, g.Nodes} }),
		Flaps:     each(m.Flaps, flapsOf), Silences: []MarginSilence{}, Dropped: m.Dropped, Hidden: m.Hidden, Unled: []MarginUnled{}, Posting: postingOf(&m.Posting),
		silent: len(m.Silences) + m.Dropped, still: topics.StillSilent(m), unled: topics.Unled(m.Over, unled)}
	for i := range m.Silences {
		s := &m.Silences[i]
		is := MarginSilence{s.Node, known(s.Zone.Known, s.Zone.Value.Zone), Stamp(s.From), Stamp(s.To), some(s.Length(), true), s.Open, s.Declared}
		if i < listedSilences {
			out.Silences = append(out.Silences, is)
		}
	}
	out.Dropped += max(0, len(m.Silences)-listedSilences)
	for _, v := range unled {
		if v, ok := v.Intersect(m.Over); ok {
			out.Unled = append(out.Unled, MarginUnled{Stamp(v.Earliest), Stamp(v.Latest)})
		}
	}
	return out
}

const shownSilences = 12

// holds reports whether a grace period is in force, or may be.
func (m *Margin) holds(g *MarginGrace) string {
	s := Bound(g.Grace.Value.Seconds())
	switch {
	case m.GraceFits != nil && m.GraceFits[0] <= s && s <= m.GraceFits[1]:
		return "fits"
	case m.GraceFits == nil && g.Grace == m.Grace:
		return "in force"
	}
	return ""
}

// Doc implements Printed.
func (m Margin) Doc(bool) (d doc.Doc) {
	d.Named("MARGIN", words.Of("margin.line", "nodes", m.Nodes, "pauses", strconv.FormatInt(m.Pauses, 10), "p50", lasting(m.P50), "p99", lasting(m.P99), "which", topics.LongestPause(m.DeclaredKnown), "longest", lasting(m.Longest)))
	if m.GraceFits != nil {
		d.Named("", words.Of("margin.grace-fits", "fits", topics.Fit(float64(m.GraceFits[0]), float64(m.GraceFits[1]), "s")))
	} else if m.DeclaredKnown || m.Margin.Value >= 0 {
		d.Named("", words.Of("margin.leaves", "grace", paint.Setting(m.Grace.Value), "left", lasting(m.Margin)))
	}
	d.Named("", m.still)
	if !m.DeclaredKnown {
		d.Named("", words.Of("margin.undeclared"))
	}
	if m.Hidden > 0 {
		d.Named("", words.Of("margin.hidden", "n", m.Hidden))
	}
	d.Named("STATUS", m.Posting.says)
	d.Table(m.histogram())
	graces := &doc.Grid{Head: []string{"GRACE", "DECLARED", "POSSIBLE", "NODES", ""}}
	for _, g := range m.Graces {
		graces.Add(paint.Setting(g.Grace.Value), strconv.Itoa(g.Sure), strconv.Itoa(g.Perhaps), strconv.Itoa(g.Nodes), m.holds(&g))
	}
	d.Table(graces)
	d.Named("", m.unled)
	for _, s := range m.Stalls {
		d.Named("STALL", words.Of("margin.stall", "n", s.Nodes, "of", s.Of, "from", millis(s.From), "to", millis(s.To)))
	}
	if len(m.Silences) > 0 {
		d.Head(words.Of("margin.silences", "n", m.silent))
	}
	d.Depth = 1
	for i, s := range m.Silences {
		if i == shownSilences {
			d.Say(doc.Plain, words.Of("and-more-of", "n", m.silent-i))
			break
		}
		d.Say(doc.Plain, words.Of("margin.silence-line", "for", paint.Pad(paint.Duration(s.Seconds.Value.Round(time.Second)), 8), "node", s.Node,
			"from", millis(s.From), "to", millis(s.To), "at", sinceBegin(m.Began, s.From), "ends", topics.SilenceEnds(s.Open, s.Declared)))
	}
	d.Depth = 0
	for _, f := range m.Flaps {
		d.Named("FLAP", words.Of("margin.flap-line", "node", f.Node, "flapped", words.Of("margin.flapped-from", "flapped", f.Stopped(), "from", millis(f.First), "to", millis(f.Last))))
		d.Each("", f.Says())
	}
	return d
}

func lasting(s Seconds) string {
	if !s.Known {
		return unknown
	}
	return model.Length(s.Value)
}

const histogramWidth = 40

func (m *Margin) histogram() *doc.Grid {
	g := &doc.Grid{Head: []string{"PAUSE", "COUNT", ""}}
	most, last, first := int64(0), -1, -1
	for i, b := range m.Histogram {
		if most = max(most, b.Count); b.Count > 0 {
			last = i
			if first < 0 {
				first = i
			}
		}
	}
	for i := max(first, 0); i <= last; i++ {
		b := &m.Histogram[i]
		to := "and more"
		if i+1 < len(m.Histogram) {
			to = fmt.Sprintf("to %4gs", m.Histogram[i+1].From)
		}
		n := int((b.Count*histogramWidth + most - 1) / most)
		g.Add(fmt.Sprintf("%5gs %s", b.From, to), strconv.FormatInt(b.Count, 10), strings.Repeat("█", n))
	}
	return g
}
