package incident

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/loss"
)

// Silence is a time in which the control plane did not hear a node, and said so.
type Silence struct {
	loss.Loss
	Node string
	Zone model.Maybe[model.ZoneKey]
	// Restarted says that the controller counted from its first pass after a restart.
	Restarted bool
	// Counted is the silence that the controller had counted when it declared the node, Silent the true one.
	Counted, Silent model.Maybe[time.Duration]
	// Back is the first sign of life after it. Of one that stood when the data begins it is the latest it can have been.
	Back         loss.Beat
	BackAtLatest bool
	// Whole is from Last to Back, by the clock that heard them where the kubelet's is off.
	Whole model.Maybe[time.Duration]
	// ReadyAgain is when the API had Ready=True again, Gone when the Node object was deleted.
	ReadyAgain, Gone model.Instant

	counted time.Duration // the least that the true silence was: what was counted from the last sign of life; 0 where that is not known
}

// At is when the control plane declared the node.
func (s *Silence) At() model.Instant { return s.Declared.Time }

// Reconstructed says that nobody watched then.
func (s *Silence) Reconstructed() bool { return s.Declared.Basis == model.Reconstructed }

// SilentBetween is between which lengths the true silence was at the declaration, which has a window.
func (s *Silence) SilentBetween() (least, most time.Duration) {
	w := s.Declared.Window
	if w.Width() < 200*time.Millisecond {
		return s.Silent.Value, s.Silent.Value
	}
	return max(w.Earliest.Sub(s.Last.At()), s.counted), max(w.Latest.Sub(s.Last.At()), s.counted)
}

// IsBack says that the node was heard again.
func (s *Silence) IsBack() bool { return s.Back.Says.Bounded() }

// Lasts says that nothing ended it.
func (s *Silence) Lasts() bool { return !s.IsBack() && !s.Gone.Bounded() }

// Beat says that the node was heard before and after its declaration without two renewals missing: it was not silent.
func (s *Silence) Beat() bool { return s.IsBack() && s.Whole.Known && s.Whole.Value < model.LateAfter }

// Unready is a time in which somebody said that a node was not ready, its kubelet as a rule; To is unknown where it went on.
type Unready struct {
	Node     string
	By       model.Writer
	From, To model.Instant
}

// wasUnready says that the kubelet of a node itself had said that it was not ready, by an instant.
func (x *Incident) wasUnready(node string, by model.Instant) bool {
	return slices.ContainsFunc(x.Unready, func(u Unready) bool { return u.Node == node && u.From <= by && u.By.OfKubelet() })
}

// Lost are the nodes that were declared, each once, by name.
func (x *Incident) Lost() []string {
	return x.lost(func(*Silence) bool { return true })
}

// Beating are those that beat all along, and Unheeded those whose renewals did not count.
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

// Watched says that somebody watched when nodes were declared.
func (x *Incident) Watched() bool {
	return !x.Captured && !slices.ContainsFunc(x.Silences, func(s Silence) bool { return s.Reconstructed() })
}

// Fell is which nodes fell silent, and when they were heard last.
type Fell struct {
	Nodes []string
	// Zones count them.
	Zones map[model.Maybe[model.ZoneKey]]int
	// First and Last are when the first and the last of them was heard last; unknown where that is not known of any.
	First, Last model.Instant
	// Beat says that none of them was silent.
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
		f.First, f.Last = extend(f.First, f.Last, s.Last.At())
	}
	return f
}

// extend takes an instant into a span; of one that is not known it takes nothing.
func extend(first, last, at model.Instant) (model.Instant, model.Instant) {
	if !at.Bounded() {
		return first, last
	}
	if first == 0 || at < first {
		first = at
	}
	return first, max(last, at)
}

// Declared is when the control plane declared nodes, and after which true silence.
type Declared struct {
	First, Last model.Instant
	Least, Most time.Duration
	// Measured says that of some the silence is known.
	Measured bool
	// Pods were seen to be marked not ready.
	Pods int
}

// Declared sums up the declarations.
func (x *Incident) Declared() (is Declared) {
	for i := range x.Silences {
		s := &x.Silences[i]
		if is.First == 0 || s.At() < is.First {
			is.First = s.At()
		}
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

// Ended is how the silences ended, each node by its last one.
type Ended struct {
	Nodes, Silent, Gone int
	// Back is when the last of the others was heard again, Longest their longest silence.
	Back    model.Instant
	Longest time.Duration
}

// Ended sums up how they ended.
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

// Compared is whether the nodes that were not well were seen when they were declared, whether at some time none other was
// left, and how many nodes that were not declared the input shows: what can be said of what they have in common.
func (x *Incident) Compared() (seen, all bool, others int) {
	for _, at := range x.Verdicts {
		n := 0
		for i := range at.Verdicts {
			n += len(at.Verdicts[i].Nodes)
		}
		seen, all = seen || n > 0, all || x.Existed > 0 && n >= x.Existed
	}
	lost := x.Lost()
	for name, is := range x.scan.nodes {
		if _, declared := slices.BinarySearch(lost, name); is.node != nil && !declared {
			others++
		}
	}
	return seen, all, others
}
