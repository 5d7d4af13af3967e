package infer

import (
	"cmp"
	"math"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/evidence"
	"kardia/model/infer/flags"
)

// clocks is the assumed difference between the clocks of a kubelet and of the controller manager.
const clocks = time.Second

// graceIn bounds the grace period by the timestamps of a capture. A node is declared in the first pass later than that
// after the pass that counted its last heartbeat. Declarations may be late and never early, so only the upper end
// proves anything. With three nodes it does not depend on one clock.
func (c *captured) graceIn(cluster *model.Cluster, at model.Instant, period time.Duration) (fit Fit, ok bool) {
	type bound struct{ min, max time.Duration }
	var list []bound
	unwatched := history.UnwatchedIn(c.history)
	for row := range cluster.Nodes {
		_, outdated := unwatched.Lease(row, at)
		beat, declared, told := toldBy(row)
		if outdated || !told {
			continue
		}
		silent := declared.Sub(beat)
		list = append(list, bound{max(0, silent-2*period-evidence.SeenWithin-clocks), silent + time.Second + clocks})
	}
	if len(list) == 0 {
		return Fit{}, false
	}
	slices.SortFunc(list, func(a, b bound) int { return cmp.Compare(a.max, b.max) })
	first := list[0]
	if len(list) >= 3 {
		first = list[1]
	}
	n := 0
	for _, b := range list {
		if b.min <= first.max && first.min <= b.max {
			n++
		}
	}
	return Fit{Min: math.Floor(first.min.Seconds()), Max: math.Ceil(first.max.Seconds()), Unit: "s", Evidence: n,
		Or: flags.Alternative{Code: flags.Delayed}}, true
}

// toldBy is the last sign of life and the declaration of an Unknown node, by the API server's clock if possible.
func toldBy(row *model.NodeRow) (beat, declared model.Instant, told bool) {
	l := &row.Lease
	if row.Node == nil || !l.Seen || l.Gone || !l.Renewed.Bounded() {
		return 0, 0, false
	}
	r := row.Node.Ready()
	if r == nil || r.Status != model.StatusUnknown || r.Reason != "NodeStatusUnknown" || !r.Transition.Bounded() {
		return 0, 0, false
	}
	beat = max(l.Renewed, r.Heartbeat)
	if w := l.Written.Earliest; w.Bounded() && w > l.Created && w.Sub(l.Renewed).Abs() > 2*clocks {
		beat = w
	}
	return beat, r.Transition, beat <= r.Transition
}

// judgeGrace bounds the grace period by the last capture, replaces a wrong default, and contradicts a wrong given
// value.
func (c *captured) judgeGrace(res *Result, cluster *model.Cluster, at model.Instant) {
	const name = "node-monitor-grace-period"
	p := &res.Params.NodeMonitorGracePeriod
	fit, ok := c.graceIn(cluster, at, res.Params.NodeMonitorPeriod.Value)
	if !ok {
		return
	}
	res.Fits[name] = fit
	if p.Value.Seconds() <= fit.Max {
		return
	}
	value, ok := roundest(fit)
	switch {
	case !ok || p.From == model.FromFile:
	case p.From == model.FromDefault:
		*p = model.Param[time.Duration]{Value: value, From: model.FromInferred}
		c.o.Params = res.Params
	default:
		given := model.FlagNamed(name).Value(&res.Params)
		other := res.Params
		other.NodeMonitorGracePeriod.Value = value
		res.Contradicted = append(res.Contradicted, Contradiction{Flag: name, Given: given, Fits: model.FlagNamed(name).Value(&other), Within: model.Some(fit), Findings: fit.Evidence})
	}
}

// roundest is the likeliest value of a Fit: the default of a version, or the longest in five seconds, or in seconds.
func roundest(fit Fit) (value time.Duration, ok bool) {
	for _, version := range [...]model.Version{{}, {Major: 1, Minor: 31}} { // the newest, and the last with another default
		if v := model.Defaults(version).NodeMonitorGracePeriod.Value; fit.Min <= v.Seconds() && v.Seconds() <= fit.Max {
			return v, true
		}
	}
	return flags.Roundest(seconds(fit.Min), seconds(fit.Max))
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
