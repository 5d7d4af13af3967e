// Package klog reads the logs of kube-controller-manager and kubelets, plain or wrapped by a log shipper. It yields
// Statements: what these components saw, did or failed to do. For example: "Node is unresponsive" is SaidSilent.
package klog

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/input"
	"kardia/sources/read/unwrap"
)

const (
	// MaxStatements limits the Statements of one log.
	MaxStatements = 50_000
	// samePass is how far apart two lines about silent nodes of one monitor pass are: its workers take all nodes.
	samePass = 2 * time.Second
)

type Log struct {
	Statements []history.Statement
	// Coverage is from its first line to its last, by the machine's clock.
	Coverage model.Interval
	// Used and Needless count the lines of these controllers and of kubelets. Unread counts those of these controllers
	// that no rule recognises, Other the lines of other programs.
	Used, Needless, Unread, Other int
	FirstUnread                   input.Line
	// Dropped counts the Statements beyond MaxStatements.
	Dropped int
	// Assumed is what was assumed about the log's clock, in words.
	Assumed string
	// ZoneAssumed: neither the log nor a person states its time zone.
	ZoneAssumed bool
	// Apart is how far klog's own time is ahead of the system log's. Unless it is 0, their time zones differ.
	Apart time.Duration
}

// Reader reads the entries of one log. Not safe for concurrent use.
type Reader struct {
	source int32
	log    Log
	at     int // the line under way
	offset int64

	clock       clock
	leader      leader
	first, ends model.Instant
	pieces      unwrap.Pieces
	told        map[told]model.Instant // by lines, within sameAct before lastTold
	lastTold    model.Instant
	kubelets    map[int]bool // processes that wrote lines of a kubelet; false: and lines of the controllers

	pass   pass
	spoken map[spoken]int // the Statement that each repeats
	queues queues
}

// queues is what the log shows of nodes queued for a taint. A pass queues each silent node that is not queued. If the
// log starts in the middle, only its other lines show whether that is the first time.
type queues struct {
	empty  bool             // the log shows a time at which no node waited
	shown  map[string]bool  // nodes in the log before they waited, or when they stopped being ready
	unsure map[string][]int // the Statements into which others were merged; the first may be older than the log
}

type spoken struct {
	what history.Saying
	by   string
	node string
}

type pass struct {
	number int
	nodes  map[string]int // the last pass with a line about each node
	last   model.Instant
	at     int // the Statement about it
}

func NewReader(source int32) *Reader {
	return &Reader{source: source, spoken: map[spoken]int{}, pass: pass{nodes: map[string]int{}, at: -1}, kubelets: map[int]bool{}, told: map[told]model.Instant{},
		queues: queues{shown: map[string]bool{}, unsure: map[string][]int{}}}
}

func (r *Reader) Line(entry input.Line) {
	r.at, r.offset = entry.Number, entry.Offset
	data, err := r.pieces.Join(entry.Data)
	if err != nil || data == nil {
		return
	}
	lines := linesIn(data)
	if len(lines) == 0 && len(bytes.TrimSpace(data)) > 0 {
		r.log.Other++
	}
	for i := range lines {
		r.line(&lines[i], entry)
	}
}

func (r *Reader) line(l *line, entry input.Line) {
	at := r.clock.time(l)
	if !r.first.Known() {
		r.first = at
	}
	r.first, r.ends = min(r.first, at), max(r.ends, at)
	s, ours, known := l.says()
	if isKubelet := l.ofKubelet(); isKubelet || ours {
		was, seen := r.kubelets[l.process]
		r.kubelets[l.process] = isKubelet && (was || !seen)
	}
	r.leader.about(l)
	if s.At = at; s.What != history.SaidNothing {
		if r.repeatsLine(l, &s) {
			s.What = history.SaidNothing
		}
		r.lead(l, &s)
	}
	switch {
	case !known && ours:
		if r.log.Unread++; r.log.Unread == 1 {
			r.log.FirstUnread = entry
			r.log.FirstUnread.Data = bytes.Clone(entry.Data[:min(len(entry.Data), maxText)])
		}
		return
	case !known:
		r.log.Other++
		return
	case s.What == history.SaidNothing:
		r.log.Needless++
		return
	}
	r.log.Used++
	s.Until = at
	s.Origin = model.Origin{Source: r.source, Line: int32(min(r.at, 1<<31-1)), Offset: r.offset}
	if i := r.say(s); i >= 0 {
		r.leader.locked(l, &s, i)
	}
}

// say keeps a Statement, and returns its index; -1 for a repetition, which it counts.
func (r *Reader) say(s history.Statement) int {
	switch s.What {
	case history.SaidPass: // by its lines about a node that is new to it
		r.inPass(&s)
		return -1
	case history.SaidLost, history.SaidSilent:
		r.inPass(&s)
		if s.What == history.SaidLost {
			r.queues.shown[s.Node] = true
			delete(r.spoken, spoken{history.SaidQueued, s.By, s.Node})
		}
	case history.SaidPodsNotReady, history.SaidDeclared: // logged right behind it, by the pass that finds a node no longer ready
		if list := r.queues.unsure[s.Node]; len(list) > 0 && s.At.Sub(r.log.Statements[list[len(list)-1]].At) <= samePass {
			r.queues.shown[s.Node] = true
			r.queues.unsure[s.Node] = list[:len(list)-1]
		}
	case history.SaidUntainted:
		r.queues.shown[s.Node] = true
		for _, what := range [...]history.Saying{history.SaidLost, history.SaidSilent, history.SaidQueued} {
			delete(r.spoken, spoken{what, s.By, s.Node})
		}
	case history.SaidEnterMasterDisruption, history.SaidStart: // the queues are empty then
		for key := range r.spoken {
			if key.what == history.SaidQueued || s.What == history.SaidStart {
				delete(r.spoken, key)
			}
		}
		r.queues.empty = true
		if s.What == history.SaidStart {
			r.pass = pass{number: r.pass.number, nodes: map[string]int{}, at: -1}
		}
	}
	key := spoken{s.What, s.By, s.Node}
	if i, ok := r.spoken[key]; ok && r.again(&r.log.Statements[i], &s) {
		said := &r.log.Statements[i]
		said.Times++
		said.Until = max(said.Until, s.At)
		said.Silence = max(said.Silence, s.Silence)
		return -1
	}
	i := r.keep(s)
	if i >= 0 && repeats(s.What) {
		r.spoken[key] = i
	}
	if i >= 0 && s.What == history.SaidQueued && !r.queues.empty && !r.queues.shown[s.Node] {
		r.queues.unsure[s.Node] = append(r.queues.unsure[s.Node], i)
	}
	return i
}

// sayWaiting makes Statements that nodes are queued, if they may have been queued before the log started.
func (r *Reader) sayWaiting() {
	for _, list := range r.queues.unsure {
		for _, i := range list {
			r.log.Statements[i].What = history.SaidWaiting
		}
	}
	r.queues.unsure = nil
}

func repeats(what history.Saying) bool {
	switch what {
	case history.SaidLost, history.SaidSilent, history.SaidQueued, history.SaidLeaseFailed, history.SaidStatusFailed, history.SaidNotReady,
		history.SaidLeaderLeaseFailed, history.SaidLockFailed:
		return true
	}
	return false
}

// stillHolds is how long after a kubelet's Statement the same words are about the same trouble. Statements of each pass
// have half of it: a pass without a line about a node leaves no trace.
const stillHolds = time.Minute

// again reports whether a Statement repeats another.
func (r *Reader) again(said, s *history.Statement) bool {
	switch s.What {
	case history.SaidLost: // tried again at once, where the write was refused
		return s.At.Sub(said.Until) <= samePass
	case history.SaidSilent, history.SaidQueued:
		return r.pass.nodes[s.Node] >= r.pass.number-1 && s.At.Sub(said.Until) <= stillHolds/2
	}
	return s.At.Sub(said.Until) <= stillHolds
}

// inPass finds the monitor pass of a line about a silent or new node. A pass has one such line for each node.
func (r *Reader) inPass(s *history.Statement) {
	p := &r.pass
	in, told := p.nodes[s.Node]
	retried := s.What == history.SaidLost && s.At.Sub(p.last) <= samePass && told && in == p.number && r.justLost(s)
	if p.at < 0 || s.At.Sub(p.last).Abs() > samePass || told && in == p.number && !retried {
		p.number++
		p.at = r.keep(history.Statement{What: history.SaidPass, At: s.At, Until: s.At, By: s.By, Process: s.Process, Origin: s.Origin,
			Text: "passes are known by the silent and new nodes they log"})
	}
	if p.at >= 0 && !retried {
		said := &r.log.Statements[p.at]
		said.Until = max(said.Until, s.At)
		said.Times++
	}
	// A node without a line in the pass before has fallen silent again.
	if told && in < p.number-1 {
		delete(r.spoken, spoken{history.SaidSilent, s.By, s.Node})
		delete(r.spoken, spoken{history.SaidQueued, s.By, s.Node})
	}
	p.nodes[s.Node], p.last = p.number, s.At
}

func (r *Reader) justLost(s *history.Statement) bool {
	i, ok := r.spoken[spoken{history.SaidLost, s.By, s.Node}]
	return ok && s.At.Sub(r.log.Statements[i].Until) <= samePass
}

// keep keeps a Statement, and returns its index; -1 if there are too many.
func (r *Reader) keep(s history.Statement) int {
	if len(r.log.Statements) >= MaxStatements {
		r.log.Dropped++
		return -1
	}
	r.log.Statements = append(r.log.Statements, s)
	return len(r.log.Statements) - 1
}

// End is the log, once all was read.
func (r *Reader) End(known Calendar) (*Log, error) {
	log := &r.log
	r.sayWaiting()
	r.sayWhoSpeaks()
	r.withoutOthers()
	log.Coverage = model.Interval{Earliest: r.first, Latest: r.ends}
	if !r.first.Known() {
		return log, nil
	}
	if !r.clock.exact {
		is, err := r.calendar(known)
		if err != nil {
			return log, err
		}
		log.Apart = r.clock.apart
		log.Coverage = model.Interval{Earliest: is(r.first), Latest: is(r.ends)}
		for i := range log.Statements {
			s := &log.Statements[i]
			s.At, s.Until, s.ZoneAssumed = is(s.At), max(is(s.At), is(s.Until)), log.ZoneAssumed
		}
	}
	slices.SortStableFunc(log.Statements, func(a, b history.Statement) int { return cmp.Compare(a.At, b.At) })
	return log, nil
}
