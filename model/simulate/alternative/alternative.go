// Package alternative finds the effects of what may happen to a silent node, or be done about it. Examples: it returns,
// a person cordons it, or another node becomes silent.
//
// Each alternative is the present state with one change, and a new forecast from it. All of it is simulated. The
// differences from the present forecast are the effects.
package alternative

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// Kind is a change.
type Kind uint8

const (
	// Returns: the kubelet renews its lease and posts Ready. ReturnsUnready: it posts its last status again, NotReady.
	Returns Kind = iota
	ReturnsUnready
	// OneMore: one more node of its zone becomes silent.
	OneMore
	// Cordon: a person cordons the node.
	Cordon
	// Longer: its pods tolerate the taints for an hour; Forever: without an end.
	Longer
	Forever
	// NoRate: kube-controller-manager restarts with --node-eviction-rate=0.
	NoRate
	// OutOfService: a person marks the node out of service.
	OutOfService
	kindCount
)

// Kinds are all of them, in the order shown.
var Kinds = [...]Kind{Returns, ReturnsUnready, OneMore, Cordon, Longer, Forever, NoRate, OutOfService}

// String is the word in JSON.
func (k Kind) String() string {
	return [...]string{"returns", "returns-not-ready", "one-more", "cordon", "tolerate-longer", "tolerate-forever", "no-rate", "out-of-service"}[min(k, kindCount-1)]
}

func (k Kind) isBack() bool { return k == Returns || k == ReturnsUnready }

// Missing is a code for why a change cannot be tried: ui/words has its words.
type Missing string

// Alternative is one change and its effects.
type Alternative struct {
	Kind Kind
	// Node is the changed node; for OneMore the first other node that can become silent.
	Node string
	// Missing is why it cannot be tried; if empty, the rest is known.
	Missing Missing
	// Spared are pods that may be deleted now, and not then; Lost the reverse. MaySpare and MayLose are only possible.
	Spared, MaySpare, Lost, MayLose []model.Key
	// Now are pods that are deleted at once.
	Now []model.Key
	// Sooner and Later are pods that are deleted either way, at another time.
	Sooner, Later []model.Key
	// Ends are pods that now stay Terminating, and end then.
	Ends []model.Key
	Losses
	// Zone is the last state of its zone in the new forecast, AsIs that in the present one.
	Zone, AsIs model.DisruptionState
}

// Losses is how many pods are deleted for certain, how many more may be, and the time of the first; unknown if none is.
type Losses struct {
	Certain, Possible int
	// Least and Most are how many of the Possible are deleted: not all can be if nodes compete for tokens.
	Least, Most int
	Next        model.Interval
}

func (o *Losses) add(window model.Interval, certain bool) {
	if certain {
		o.Certain++
	} else {
		o.Possible++
	}
	if !o.Next.Known() || window.Earliest < o.Next.Earliest {
		o.Next = window
	}
}

func (o *Losses) count(cache *informer.Cache, f *forecast.Forecast) {
	var list []*forecast.Eviction
	done := o.Certain // those deleted at once are not ahead
	for i := range f.Evictions {
		if e := &f.Evictions[i]; ahead(cache, e) {
			o.add(e.Window, e.Certain)
			list = append(list, e)
		}
	}
	among := f.DeletionsAmong(list)
	if first := among.First(); first.Known() && first.Latest.Bounded() && first.Latest < o.Next.Latest {
		o.Next.Latest = max(first.Latest, o.Next.Earliest)
	}
	n := among.By(model.FarFuture)
	o.Least, o.Most = done+n.Least-o.Certain, done+n.Most-o.Certain
}

// longer is the tolerationSeconds of Longer.
const longer = 3600

// Tried is all Kinds tried on a node, and the Losses of the present forecast.
type Tried struct {
	Node   string
	At     model.Instant
	Stands Losses
	List   []Alternative
}

// Of tries every Kind on a node. f must be the forecast of s, which stays as it is.
func Of(s *infer.State, f *forecast.Forecast, node string) *Tried {
	t := &Tried{Node: node, At: s.At}
	t.Stands.count(s.Cache, f)
	for _, kind := range Kinds {
		if kind == ReturnsUnready && s.Cache.Node(node).ReadyStatus() != model.StatusFalse {
			continue
		}
		t.List = append(t.List, try(s, f, kind, node))
	}
	return t
}

func try(s *infer.State, f *forecast.Forecast, kind Kind, node string) Alternative {
	a := Alternative{Kind: kind, Node: node}
	row := s.Cache.Find(node)
	switch {
	case s.Before != nil:
		a.Missing = "unwatched"
	case row == nil || row.Node == nil:
		a.Missing = "unseen"
	case !s.Clock.Pass.Bounded():
		a.Missing = "no-pass"
	case kind == OneMore:
		if a.Node = another(s, row.Node.Zone); a.Node == "" {
			a.Missing = "no-other"
		}
	case kind.isBack() && !forecast.Silent(s, node):
		a.Missing = "renews"
	case kind == OutOfService && row.Node.HasTaint(model.TaintOutOfService):
		a.Missing = "out-of-service"
	case kind == Cordon && row.Node.Unschedulable:
		a.Missing = "cordoned"
	}
	if a.Missing != "" {
		return a
	}
	silent := silentThen(s, kind, a.Node)
	altered := alter(s, kind, a.Node)
	then := forecast.Run(altered, forecast.Options{Horizon: f.Until.Sub(f.At), Silent: silent})
	a.compare(s, altered, f, then, row.Node.Zone)
	return a
}

// another is the first Ready node of a zone, by name, that is not silent.
func another(s *infer.State, zone model.ZoneKey) (name string) {
	for row := range s.Cache.Nodes() {
		if row.Node.Zone == zone && row.Node.IsReady() && !forecast.Silent(s, row.Name) && (name == "" || row.Name < name) {
			name = row.Name
		}
	}
	return name
}

// moved is the least distance of two windows that counts as another time.
const moved = time.Second

func (a *Alternative) compare(s, altered *infer.State, f, then *forecast.Forecast, zone model.ZoneKey) {
	a.Now = deletedBetween(s.Cache, altered.Cache)
	now := map[model.Key]bool{}
	for _, key := range a.Now {
		now[key] = true
		a.add(model.Exactly(s.At), true)
		if e := f.Pod(key); e == nil || !ahead(s.Cache, e) {
			a.Lost = append(a.Lost, key)
		} else if e.Window.Earliest > s.At.Add(moved) {
			a.Sooner = append(a.Sooner, key)
		}
	}
	for i := range then.Evictions {
		if after := &then.Evictions[i]; !now[after.Pod] && ahead(s.Cache, after) {
			a.deleted(f.Pod(after.Pod), after, s.Cache)
		}
	}
	for i := range f.Evictions {
		before := &f.Evictions[i]
		switch after := then.Pod(before.Pod); {
		case now[before.Pod]:
		case ahead(s.Cache, before) && (after == nil || !ahead(s.Cache, after)):
			a.Spared = append(a.Spared, before.Pod)
		case before.State == forecast.Stuck && !before.Lost && (after == nil || after.State == forecast.Terminating || after.Comes()):
			a.Ends = append(a.Ends, before.Pod)
		}
	}
	a.count(altered.Cache, then)
	a.Zone, a.AsIs = left(altered, then, zone), left(s, f, zone)
	for _, list := range []*[]model.Key{&a.Spared, &a.MaySpare, &a.Lost, &a.MayLose, &a.Now, &a.Sooner, &a.Later, &a.Ends} {
		slices.SortFunc(*list, func(x, y model.Key) int { return strings.Compare(x.String(), y.String()) })
	}
}

// deleted compares two forecasts of a pod that is deleted in the new one.
func (a *Alternative) deleted(before, after *forecast.Eviction, cache *informer.Cache) {
	switch comes := before != nil && ahead(cache, before); {
	case !comes && after.Certain:
		a.Lost = append(a.Lost, after.Pod)
	case !comes:
		a.MayLose = append(a.MayLose, after.Pod)
	case before.Certain && !after.Certain:
		a.MaySpare = append(a.MaySpare, after.Pod)
	case after.Window.Earliest > before.Window.Latest.Add(moved):
		a.Later = append(a.Later, after.Pod)
	case after.Window.Latest.Add(moved) < before.Window.Earliest:
		a.Sooner = append(a.Sooner, after.Pod)
	}
}

// ahead reports whether a pod's first deletion is ahead.
func ahead(cache *informer.Cache, e *forecast.Eviction) bool {
	p := podIn(cache, e.Node, e.Pod)
	return e.Comes() && (p == nil || !p.Deletion.Known())
}

func podIn(cache *informer.Cache, node string, key model.Key) *model.Pod {
	if row := cache.Find(node); row != nil {
		return row.Pod(key)
	}
	return nil
}

func deletedBetween(before, after *informer.Cache) (list []model.Key) {
	for _, row := range before.All() {
		for _, p := range row.Pods() {
			if q := podIn(after, row.Name, p.Key); q != nil && q.Deletion.Known() && !p.Deletion.Known() {
				list = append(list, p.Key)
			}
		}
	}
	return list
}

func left(s *infer.State, f *forecast.Forecast, zone model.ZoneKey) model.DisruptionState {
	for i := range slices.Backward(f.Coming) {
		if d := &f.Coming[i].Decision; d.Kind == model.ZoneState && d.Zone.Known && d.Zone.Value == zone {
			return d.State.To
		}
	}
	for _, z := range s.Nodes.Zones(s.At, s.Cache) {
		if z.Zone == zone {
			return z.State
		}
	}
	return 0
}
