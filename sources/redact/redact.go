// Package redact removes private data from a recording, and keeps everything that decisions about nodes rest on: verify
// gives the same result for both. For example: node ip-10-0-3-7 becomes x4f1c... in its name, its lease, its pods and
// its Events.
//
// Its rules name the parts that may stay: Kubernetes' own words, and the texts that Kubernetes' own controllers write,
// with their names replaced. Everything else becomes a pseudonym, the same wherever it occurs, or is removed. The
// written file is then read again and searched (see Write). If something is found, no file is left.
package redact

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/recording"
)

// Level is how much is removed.
type Level uint8

const (
	// Slim keeps objects, which are only what node health depends on. It removes patches: whole requests of a sender.
	Slim Level = iota
	// Share replaces names, UIDs and words that are not Kubernetes' own. It removes free text, addresses and the
	// cloud's ids. Zones, regions, instance types, times and Kept stay: nodes are compared by their software.
	Share
	// Public is Share, and replaces zones and regions. It removes instance types and all of Kept but bare versions. It
	// shifts all times by the same whole number of seconds.
	Public
)

// Levels are the words for the levels, in order.
var Levels = []string{"slim", "share", "public"}

func (l Level) String() string { return Levels[min(l, Public)] }

// ParseLevel reads a level's word.
func ParseLevel(s string) (l Level, ok bool) {
	i := slices.Index(Levels, s)
	return Level(max(i, 0)), i >= 0
}

// Redactor redacts one recording, or several that are read together. It keeps every replaced name, at about 200 bytes.
// It belongs to one goroutine.
type Redactor struct {
	level  Level
	key    Key
	shift  int64 // nanoseconds
	names  map[string]string
	uids   map[model.UID]model.UID // a cache of at most maxUIDs
	intern model.Interner
	// removed counts by rule: distinct names; texts and fields each time.
	removed map[string]int
	// kept are the kept texts of nodes, by kind.
	kept map[string]map[string]bool
}

// New is a Redactor. The same key gives the same pseudonyms and the same shift of time.
func New(level Level, key Key) *Redactor {
	r := &Redactor{level: level, key: key, names: map[string]string{}, removed: map[string]int{}, kept: map[string]map[string]bool{}}
	if level == Public {
		r.shift = key.shift()
	}
	return r
}

// Change is a redacted Change. Its objects are new, or shared with other redacted Changes, never with ch.
func (r *Redactor) Change(ch *model.Change) model.Change {
	out := *ch
	out.Patch, out.Note = nil, ""
	if len(ch.Patch) > 0 {
		r.removed["patches"]++
	}
	if ch.Note != "" {
		out.Note = r.note(ch)
	}
	if r.level == Slim {
		return out
	}
	out.Key = r.objectKey(ch.Kind, ch.Key)
	out.Requester = r.requester(ch.Requester)
	out.UID = r.uid(ch.UID)
	out.Time, out.Arrival, out.At = r.interval(ch.Time), r.instant(ch.Arrival), r.instant(ch.At)
	out.Lease = r.lease(ch.Kind, ch.Lease)
	out.Node, out.Pod, out.Event, out.Related = r.node(ch.Node), r.pod(ch.Pod), r.event(ch.Event), r.related(ch.Related)
	return out
}

func (r *Redactor) objectKey(kind model.Kind, k model.Key) model.Key {
	if kind == model.KindLeaderLease && leaders[k.Name] {
		return model.Key{Namespace: r.namespace(k.Namespace), Name: k.Name}
	}
	return r.keyOf(k)
}

func (r *Redactor) keyOf(k model.Key) model.Key {
	return model.Key{Namespace: r.namespace(k.Namespace), Name: r.name(k.Name)}
}

// requester is a sender without its address. The user stays if it is a component of Kubernetes; the user agent keeps
// its program, version and client.
func (r *Redactor) requester(by *model.Requester) *model.Requester {
	if by == nil {
		return nil
	}
	if by.Address != "" {
		r.removed["addresses"]++
	}
	return r.intern.Requester(model.Requester{User: r.user(by.User), Agent: r.agent(by)})
}

func (r *Redactor) user(s string) string {
	if node, ok := strings.CutPrefix(s, "system:node:"); ok {
		return "system:node:" + r.name(node)
	}
	if account, ok := strings.CutPrefix(s, "system:serviceaccount:"); ok {
		if namespace, name, ok := strings.Cut(account, ":"); ok {
			return "system:serviceaccount:" + r.namespace(namespace) + ":" + r.word(name)
		}
	}
	if component, ok := strings.CutPrefix(s, "system:"); ok {
		return "system:" + r.word(component)
	}
	return r.name(s)
}

func (r *Redactor) agent(by *model.Requester) string {
	if by.Agent == "" {
		return ""
	}
	program, rest, _ := strings.Cut(by.Agent, "/")
	out := r.word(program)
	if v, _, _ := strings.Cut(rest, " "); version(v) != "" {
		out += "/" + version(v)
	}
	if client := by.Client(); client != "" {
		out += " (removed) kubernetes/removed/" + r.word(client)
	}
	return out
}

func (r *Redactor) lease(kind model.Kind, l model.Lease) model.Lease {
	l.UID, l.Holder = r.uid(l.UID), r.holder(kind, l.Holder)
	l.Created, l.Renewed, l.Acquired = r.instant(l.Created), r.instant(l.Renewed), r.instant(l.Acquired)
	return l
}

func (r *Redactor) node(n *model.Node) *model.Node {
	if n == nil {
		return nil
	}
	out := *n
	out.UID, out.Created, out.Deleted = r.uid(n.UID), r.instant(n.Created), r.instant(n.Deleted)
	out.KubeletVersion, out.OS, out.Arch = version(n.KubeletVersion), r.word(n.OS), r.word(n.Arch)
	if n.ProviderID != "" {
		r.removed["provider ids"]++
		out.ProviderID = ""
	}
	out.Details = r.details(n.Details)
	if r.level == Public {
		out.Zone = model.ZoneKey{Region: r.name(n.Zone.Region), Zone: r.name(n.Zone.Zone)}
		out.InstanceType = ""
	}
	out.Conditions = make([]model.Condition, len(n.Conditions))
	for i, c := range n.Conditions {
		out.Conditions[i] = model.Condition{Type: r.word(c.Type), Reason: r.word(c.Reason), Message: r.text(c.Message), Status: c.Status,
			Transition: r.instant(c.Transition), Heartbeat: r.instant(c.Heartbeat)}
	}
	out.Taints = make([]model.Taint, len(n.Taints))
	for i, t := range n.Taints {
		out.Taints[i] = model.Taint{Key: r.word(t.Key), Value: r.word(t.Value), Effect: t.Effect, Added: r.instant(t.Added)}
	}
	return &out
}

func (r *Redactor) pod(p *model.Pod) *model.Pod {
	if p == nil {
		return nil
	}
	out := *p
	out.Key, out.UID, out.Node = r.keyOf(p.Key), r.uid(p.UID), r.name(p.Node)
	out.Created, out.Deletion = r.instant(p.Created), r.instant(p.Deletion)
	out.ReadySince, out.Disrupted = r.instant(p.ReadySince), r.instant(p.Disrupted)
	out.DisruptionReason = r.word(p.DisruptionReason)
	if p.Owner != nil {
		out.Owner = r.intern.Owner(r.word(p.Owner.Kind), r.name(p.Owner.Name))
	}
	list := make([]model.Toleration, len(p.Tolerations.List()))
	for i, t := range p.Tolerations.List() {
		list[i] = model.Toleration{Key: r.word(t.Key), Value: r.word(t.Value), Operator: r.word(t.Operator), Effect: t.Effect, Seconds: t.Seconds}
	}
	out.Tolerations = r.intern.Tolerations(list)
	out.Details = r.podDetails(p.Details)
	return &out
}

func (r *Redactor) event(e *model.Event) *model.Event {
	if e == nil {
		return nil
	}
	out := *e
	out.UID, out.Reason, out.Component = r.uid(e.UID), r.word(e.Reason), r.word(e.Component)
	out.Message = r.text(e.Message)
	out.Regarding = model.Reference{Kind: r.word(e.Regarding.Kind), Key: r.keyOf(e.Regarding.Key), UID: r.uid(e.Regarding.UID)}
	out.First, out.Last, out.Created = r.instant(e.First), r.instant(e.Last), r.instant(e.Created)
	return &out
}

// Gap is a gap without its reason.
func (r *Redactor) Gap(g history.Gap) history.Gap {
	g.Interval, g.Why = r.interval(g.Interval), r.text(g.Why)
	return g
}

// Clock is a reading of the clock. Offsets do not identify their owner.
func (r *Redactor) Clock(c history.ClockReading) history.ClockReading {
	c.At, c.Wall, c.During = r.instant(c.At), r.instant(c.Wall), r.interval(c.During)
	return c
}

// Statement keeps only the words of a component's log that Kardia read.
func (r *Redactor) Statement(s history.Statement) history.Statement {
	if r.level == Slim {
		return s
	}
	s.At, s.Until, s.Since = r.instant(s.At), r.instant(s.Until), r.instant(s.Since)
	s.By = known(s.By, "kube-controller-manager")
	s.Node, s.Text = r.name(s.Node), ""
	if (s.Pod != model.Key{}) {
		s.Pod = r.keyOf(s.Pod)
	}
	if s.Zone.Known && r.level == Public {
		s.Zone.Value = model.ZoneKey{Region: r.name(s.Zone.Value.Region), Zone: r.name(s.Zone.Value.Zone)}
	}
	r.removed["lines of logs"]++
	return s
}

// Mark is a bookmark. A person's text may have anything: from Share on only the bookmark stays.
func (r *Redactor) Mark(m past.Bookmark) past.Bookmark {
	m.At, m.Note = r.instant(m.At), r.text(m.Note)
	return m
}

// Meta is the recording's description. A higher level that was reached before stays.
func (r *Redactor) Meta(m recording.Meta) recording.Meta {
	level := r.level.String()
	if was, ok := ParseLevel(m.Redaction); ok && was > r.level {
		level = m.Redaction
	}
	if r.level == Slim {
		m.Redaction = level
		return m
	}
	out := recording.Meta{Tool: known(m.Tool, "kardia"), Name: "redacted", Start: r.instant(m.Start), ServerVersion: version(m.ServerVersion),
		Params: m.Params, Clock: known(m.Clock, "none"), Redaction: level, Segment: m.Segment, Whole: m.Whole, Partial: m.Partial}
	for i, s := range m.Sources {
		if n := len(s.Problems); n > 0 {
			r.removed["problems"] += n
		}
		out.Sources = append(out.Sources, history.Source{Path: fmt.Sprintf("source %d", i+1), Format: known(s.Format, "recording"), Changes: s.Changes,
			Kinds: s.Kinds, Empty: s.Empty, Unlisted: s.Unlisted, Coverage: r.interval(s.Coverage), Quality: s.Quality, Dropped: s.Dropped + len(s.Problems), Statements: s.Statements, Spoken: r.interval(s.Spoken)})
	}
	return out
}

// Removed counts the removed or replaced texts so far, by rule.
func (r *Redactor) Removed() map[string]int { return r.removed }

// Kept are the kept texts of nodes in ABC order, by the name of their detail.
func (r *Redactor) Kept() map[string][]string {
	kept := map[string][]string{}
	for name, values := range r.kept {
		kept[name] = slices.Sorted(maps.Keys(values))
	}
	return kept
}

func (r *Redactor) instant(i model.Instant) model.Instant {
	if r.shift == 0 || !i.Bounded() {
		return i
	}
	return i - model.Instant(r.shift)
}

func (r *Redactor) interval(v model.Interval) model.Interval {
	return model.Interval{Earliest: r.instant(v.Earliest), Latest: r.instant(v.Latest)}
}
