package incident

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/loss"
)

// Silence is a span in which the control plane had declared a node Unknown for missing heartbeats.
type Silence struct {
	loss.Loss
	Node string
	Zone model.Maybe[model.ZoneKey]
	// Restarted: the controller counted from its first pass after a restart.
	Restarted bool
	// Counted is the silence by the controller's count at the declaration, Silent the true one.
	Counted, Silent model.Maybe[time.Duration]
	// Back is the first heartbeat after it, or its latest time (BackAtLatest) if the data starts in the silence.
	Back         loss.Beat
	BackAtLatest bool
	// Whole is the time from Last to Back, by arrival if the kubelet's clock is off.
	Whole model.Maybe[time.Duration]
	// ReadyAgain is when Ready was True again, Gone when the Node object was deleted.
	ReadyAgain, Gone model.Instant

	counted time.Duration // the least true silence: the count from the last heartbeat; 0 if unknown
}

// At is when the control plane declared the node.
func (s *Silence) At() model.Instant { return s.Declared.Time }

// Reconstructed reports whether the declaration was not watched.
func (s *Silence) Reconstructed() bool { return s.Declared.Basis == model.Reconstructed }

// SilentBetween is the range of the true silence at the declaration, whose time is a window.
func (s *Silence) SilentBetween() (least, most time.Duration) {
	w := s.Declared.Window
	if w.Width() < 200*time.Millisecond {
		return s.Silent.Value, s.Silent.Value
	}
	return max(w.Earliest.Sub(s.Last.At()), s.counted), max(w.Latest.Sub(s.Last.At()), s.counted)
}

// IsBack reports whether the node returned.
func (s *Silence) IsBack() bool { return s.Back.Says.Bounded() }

// Lasts reports whether the silence has no end.
func (s *Silence) Lasts() bool { return !s.IsBack() && !s.Gone.Bounded() }

// Beat reports whether the pause around the declaration is shorter than LateAfter: the node was not silent.
func (s *Silence) Beat() bool { return s.IsBack() && s.Whole.Known && s.Whole.Value < model.LateAfter }

// Unready is a span in which a node was reported NotReady, mostly by its kubelet; To is unknown if it lasted.
type Unready struct {
	Node     string
	By       model.Writer
	From, To model.Instant
}

// wasUnready reports whether a kubelet had posted its node as NotReady by a time.
func (x *Incident) wasUnready(node string, by model.Instant) bool {
	return slices.ContainsFunc(x.Unready, func(u Unready) bool { return u.Node == node && u.From <= by && u.By.OfKubelet() })
}

// Lost are the declared nodes, each once, by name.
func (x *Incident) Lost() []string {
	return x.lost(func(*Silence) bool { return true })
}

// Beating are declared nodes that kept renewing, and Unheeded those whose renewals did not count.
func (x *Incident) Beating() []string { return x.lost((*Silence).Beat) }
func (x *Incident) Unheeded() []string {
	return x.lost(func(s *Silence) bool { return s.Loss.Unheeded })
}

func (x *Incident) lost(is func(*Silence) bool) (nodes []string) {
	for i := range x.Silences {
		if s := &x.Silences[i]; is(s) {
			nodes = append(nodes, s.Node)
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// Watched reports whether the declarations were watched.
func (x *Incident) Watched() bool {
	return !x.Captured && !slices.ContainsFunc(x.Silences, func(s Silence) bool { return s.Reconstructed() })
}

// Fell sums up which nodes fell silent, and their last heartbeats.
type Fell struct {
	Nodes []string
	// Zones counts the nodes by zone.
	Zones map[model.Maybe[model.ZoneKey]]int
	// First and Last are the earliest and the latest of the last heartbeats; unknown if none is known.
	First, Last model.Instant
	// Beat: none of the nodes was silent.
	Beat bool
}

// Fell sums up the silences.
func (x *Incident) Fell() Fell {
	f := Fell{Nodes: x.Lost(), Zones: map[model.Maybe[model.ZoneKey]]int{}, Beat: true}
	counted := map[string]bool{}
	for i := range x.Silences {
		s := &x.Silences[i]
		f.Beat = f.Beat && s.Beat()
		if !counted[s.Node] {
			counted[s.Node] = true
			f.Zones[s.Zone]++
		}
		if at := s.Last.At(); at.Bounded() {
			f.First, f.Last = f.First.Earlier(at), max(f.Last, at)
		}
	}
	return f
}

// Declared sums up when nodes were declared, and the true silence before that.
type Declared struct {
	First, Last model.Instant
	Least, Most time.Duration
	// Measured: the silence of some nodes is known.
	Measured bool
	// Pods counts pods seen to be marked not Ready.
	Pods int
}

func (x *Incident) Declared() (is Declared) {
	for i := range x.Silences {
		s := &x.Silences[i]
		is.First = is.First.Earlier(s.At())
		is.Last = max(is.Last, s.At(), min(s.Declared.Window.Latest, x.To))
		if s.Silent.Known && !s.Reconstructed() {
			from, to := s.SilentBetween()
			if !is.Measured || from < is.Least {
				is.Least = from
			}
			is.Most, is.Measured = max(is.Most, to), true
		}
	}
	marked := map[model.Key]bool{}
	for _, d := range x.Decided {
		for i := range d.Writes {
			if w := &d.Writes[i]; d.Kind == model.MarkPodsNotReady && d.Basis == model.Observed && w.Kind == model.WritePodNotReady {
				marked[w.Pod] = true
			}
		}
	}
	is.Pods = len(marked)
	return is
}

// Ended sums up how the silences ended, with each node's last one.
type Ended struct {
	Nodes, Silent, Gone int
	// Back is when the last returning node returned, Longest is of all silences.
	Back    model.Instant
	Longest time.Duration
}

func (x *Incident) Ended() (is Ended) {
	last := map[string]*Silence{}
	for i := range x.Silences {
		last[x.Silences[i].Node] = &x.Silences[i]
		is.Longest = max(is.Longest, x.Silences[i].Whole.Value)
	}
	is.Nodes = len(last)
	for _, s := range last {
		switch {
		case s.IsBack():
			is.Back = max(is.Back, s.Back.At())
		case s.Gone.Bounded():
			is.Gone++
		default:
			is.Silent++
		}
	}
	return is
}

// Compared is the data for a comparison with other nodes. seen: bad nodes were seen at a declaration; all: at some time
// they were all nodes; others counts the shown nodes that were not declared.
func (x *Incident) Compared() (seen, all bool, others int) {
	for _, at := range x.Verdicts {
		n := 0
		for i := range at.Verdicts {
			n += len(at.Verdicts[i].Nodes)
		}
		seen, all = seen || n > 0, all || x.Existed > 0 && n >= x.Existed
	}
	lost := x.Lost()
	for name, is := range x.scan.nodes.All() {
		if _, declared := slices.BinarySearch(lost, name); is.node != nil && !declared {
			others++
		}
	}
	return seen, all, others
}
