package flags

import (
	"maps"
	"math"
	"slices"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/evidence"
)

// A zone in PartialDisruption that is larger than a threshold has the secondary rate, every other the first one. If few
// of its nodes are not Ready, or all, it is the first; otherwise it may be either.

// Rates is what InferRates leaves open.
type Rates struct {
	// Undecided is the alternative to the inferred rate.
	Undecided Alternative
	Ends      map[string]Fit
}

// distance is that of two tokens of a zone.
type distance struct {
	span
	zone model.ZoneKey
	// bad of size nodes were not Ready; others are in unknown zones.
	bad, size, others int
	// open: there may be more nodes, not seen by then, so that the share is not known.
	open bool
}

// first reports whether only the first rate can have served the zone.
func (d *distance) first() bool { return d.bad <= 2 || !d.open && d.bad >= d.size+d.others }

// partial reports whether only some of the zone's known nodes were Ready.
func (d *distance) partial() bool { return d.bad > 2 && d.bad < d.size }

func (d *distance) share() float64 { return float64(d.bad) / float64(d.size) }

// secondary reports whether the secondary rate serves the zone under p.
func (d *distance) secondary(p *model.Params) bool {
	return d.partial() && d.share() >= float64(p.UnhealthyZoneThreshold.Value) && d.size > int(p.LargeClusterSizeThreshold.Value)
}

// stops reports whether the zone is not served under p.
func (d *distance) stops(p *model.Params) bool {
	return d.partial() && d.share() >= float64(p.UnhealthyZoneThreshold.Value) && d.size <= int(p.LargeClusterSizeThreshold.Value)
}

func (d *distance) shows(rate float32) bool {
	return rate > 0 && d.min <= 1/float64(rate) && 1/float64(rate) <= d.max
}

type distances []distance

// spans are those of the distances that count.
func (list distances) spans(counts func(*distance) bool) (out spans) {
	for i := range list {
		if counts(&list[i]) {
			out = append(out, list[i].span)
		}
	}
	return out
}

// tokens are the distances of tokens in seconds, by the taints of a zone while nodes wait.
func (o *Observed) tokens() (out distances) {
	before, since := map[model.ZoneKey]token{}, map[string]model.Instant{} // the last taint; since when a node waits, at the latest
	wrote := map[string]model.Instant{}                                    // node → a controller's last write to it
	for w := range model.Each(o.Evidence.Writes) {
		zone := w.Zone.Value
		switch w.Kind {
		case model.MarkUnknown:
			since[w.Node] = w.Time.Latest
		case model.AddNoSchedule, model.RemoveNoSchedule:
			if w.Taint != model.TaintNotReady && w.Taint != model.TaintUnreachable {
				break
			}
			delete(before, zone) // the zone may have a new state, and a new limiter
		case model.UntaintNoExecute: // recovery, restart or master disruption: later taints have another reason
			clear(before)
		case model.TaintNoExecute:
			waited, waiting := since[w.Node]
			delete(since, w.Node)
			if !w.Zone.Known {
				continue
			}
			first := began(w, wrote[w.Node])
			if a := before[zone]; a.Seen != nil && a.Time.Earliest >= o.Since && waiting && waited < a.Time.Earliest && !o.Evidence.Stalled(a.taken, w.Time.Latest) {
				out = append(out, distance{apart(a, token{w, first}), zone, w.ZoneBad, w.ZoneSize, len(o.Evidence.Unseen), o.Evidence.Others})
			}
			before[zone] = token{w, first}
		}
		wrote[w.Node] = w.Request().Earliest
	}
	return out[max(0, len(out)-maxSpans):]
}

// polled is how long a token may be unused: ticks come every 100 ms, after the requests of the last one.
const polled = 2 * nodelifecycle.TickPeriod

// token is one that led to a write, and when it was taken at the earliest.
type token struct {
	*evidence.Seen
	taken model.Instant
}

// began is the earliest first try of a write. Without an audit log, one soon after another write to the node may have
// been tried before that one, with a conflict.
func began(w *evidence.Seen, wrote model.Instant) model.Instant {
	first := w.Request().Earliest
	if wrote.Known() && first.Sub(wrote) < evidence.LagBound {
		first = min(first, wrote)
	}
	return first.Add(-evidence.Reaction)
}

// apart is the distance of two tokens by their writes: a token waits for a tick, and its request takes time.
func apart(a, b token) span {
	return span{
		min: max(0, (b.taken.Sub(a.Request().Latest) - polled).Seconds()),
		max: b.Request().Latest.Sub(a.taken).Seconds(),
	}
}

// serves is the rate, as a range, that most distances show; ok is false if too few agree.
func (o *Observed) serves(found spans) (rate span, ok bool) {
	both, n := found.most()
	if n < o.Enough || n*2 < len(found) || both.min <= 0 {
		return rate, false
	}
	return span{digits(1 / both.max), digits(1 / both.min)}, true
}

// InferRates replaces defaults that the taints contradict. If either rate is possible, it sets the first and Undecided.
func (o *Observed) InferRates() {
	p := o.Params
	first, second := &p.NodeEvictionRate, &p.SecondaryNodeEvictionRate
	list := o.tokens()
	certain := list.spans((*distance).first)
	o.Rates = Rates{Ends: map[string]Fit{}}
	if first.From == model.FromDefault && first.Value > 0 && len(certain) >= o.Enough {
		if _, n := certain.around(1 / float64(first.Value)); n == 0 {
			if rate, ok := o.serves(certain); ok {
				*first = inferred(rate)
			}
		}
	}
	open := list.spans(func(d *distance) bool { return !d.first() })
	rate, ok := o.serves(open)
	if !ok || o.agrees(list, open, p) {
		return
	}
	_, known := certain.around(1 / float64(max(first.Value, math.SmallestNonzeroFloat32)))
	if first.From >= model.FromFile || known >= o.Enough { // the first rate is known, and is another
		if float64(first.Value) >= rate.min && float64(first.Value) <= rate.max {
			o.raiseThreshold(list)
			return
		}
		if second.From == model.FromDefault {
			*second = inferred(rate)
		}
		o.lowerThresholds(list)
		return
	}
	if first.From != model.FromDefault {
		return
	}
	if second.From >= model.FromFile && float64(second.Value) >= rate.min && float64(second.Value) <= rate.max {
		o.lowerThresholds(list)
		return
	}
	*first = inferred(rate)
	share, size := list.least()
	o.Rates.Undecided = Alternative{Code: SecondaryRate, Rate: first.Value, Share: share, N: size}
	if size == math.MaxInt32 {
		o.Rates.Undecided.Code = UnknownZones
	}
	o.raiseThreshold(list)
}

// agrees reports whether most distances fit the rate of each zone under p; either rate if its share is not known.
func (o *Observed) agrees(list distances, open spans, p *model.Params) bool {
	n := 0
	for d := range model.Each(list) {
		switch {
		case d.first():
		case d.open && (d.shows(p.NodeEvictionRate.Value) || d.shows(p.SecondaryNodeEvictionRate.Value)),
			!d.open && d.secondary(p) && d.shows(p.SecondaryNodeEvictionRate.Value),
			!d.open && !d.secondary(p) && !d.stops(p) && d.shows(p.NodeEvictionRate.Value):
			n++
		}
	}
	return n*2 >= len(open)
}

// least is the least share and size of the zones whose rate is open.
func (list distances) least() (share float64, size int) {
	share, size = 1, math.MaxInt32
	for d := range model.Each(list) {
		if !d.first() && !d.open {
			share, size = min(share, d.share()), min(size, d.size)
		}
	}
	return share, size
}

// lowerThresholds lowers defaults to round values that give zones the secondary rate, if they do not show the first.
func (o *Observed) lowerThresholds(list distances) {
	first, second := o.Params.NodeEvictionRate.Value, o.Params.SecondaryNodeEvictionRate.Value
	below := 0.0
	list = slices.DeleteFunc(slices.Clone(list), func(d distance) bool {
		if !d.shows(first) || d.shows(second) {
			return false
		}
		if d.partial() && !d.open {
			below = max(below, d.share())
		}
		return true
	})
	share, size := list.least()
	if size == math.MaxInt32 {
		return // no size is known
	}
	if p := &o.Params.UnhealthyZoneThreshold; p.From == model.FromDefault && float64(p.Value) > share {
		value := math.Floor(share*10) / 10
		if value <= below {
			value = share
		}
		*p = model.Param[float32]{Value: float32(value), From: model.FromInferred}
		o.Rates.Ends["unhealthy-zone-threshold"] = Fit{Min: digits(below), Max: share, Evidence: len(list)}
	}
	if p := &o.Params.LargeClusterSizeThreshold; p.From == model.FromDefault && int(p.Value) >= size {
		*p = model.Param[int32]{Value: int32(size-1) / 5 * 5, From: model.FromInferred}
		o.Rates.Ends["large-cluster-size-threshold"] = Fit{Max: float64(size - 1), Evidence: len(list)}
	}
}

// raiseThreshold raises a default so that the zones are Normal, if they would not be served otherwise.
func (o *Observed) raiseThreshold(list distances) {
	p := &o.Params.UnhealthyZoneThreshold
	if p.From != model.FromDefault {
		return
	}
	most := 0.0
	for d := range model.Each(list) {
		if !d.first() && !d.open && (d.stops(o.Params) || d.secondary(o.Params)) {
			most = max(most, d.share())
		}
	}
	if most >= float64(p.Value) {
		*p = model.Param[float32]{Value: float32(math.Min(1, math.Floor(most*10+1)/10)), From: model.FromInferred}
		o.Rates.Ends["unhealthy-zone-threshold"] = Fit{Min: digits(most), Max: 1, Evidence: len(list), Or: o.Rates.Undecided}
	}
}

func inferred(rate span) model.Param[float32] {
	middle := (rate.min + rate.max) / 2
	first := math.Floor(math.Log10(middle)) // exponent of the first digit
	for _, step := range [...]float64{1, .5, .1, .05, .01, .005, .001} {
		value := digits(math.Round(middle/step*math.Pow(10, -first)) * step * math.Pow(10, first))
		if value >= rate.min && value <= rate.max {
			middle = value
			break
		}
	}
	return model.Param[float32]{Value: float32(middle), From: model.FromInferred}
}

// fitRates bounds the rates by the distances that each can have made.
func (o *Observed) fitRates(out map[string]Fit) {
	p := o.Params
	list := o.tokens()
	maps.Copy(out, o.Rates.Ends)
	put := func(flag string, rate float32, counts func(*distance) bool) {
		if rate <= 0 {
			return
		}
		if both, n := list.spans(counts).around(1 / float64(rate)); n > 0 {
			out[flag] = Fit{Min: digits(1 / both.max), Max: digits(1 / both.min), Unit: "1/s", Evidence: n, Or: o.Rates.Undecided}
		}
	}
	known := p.UnhealthyZoneThreshold.From >= model.FromFile && p.LargeClusterSizeThreshold.From >= model.FromFile
	first := (*distance).first
	if known || o.Rates.Undecided.Code != Decided {
		first = func(d *distance) bool { return !d.secondary(p) }
	}
	put("node-eviction-rate", p.NodeEvictionRate.Value, first)
	if o.Rates.Undecided.Code == Decided {
		put("secondary-node-eviction-rate", p.SecondaryNodeEvictionRate.Value, func(d *distance) bool { return d.secondary(p) })
	}
}
