package infer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/control/nodelifecycle"
	"kardia/model/history"
)

// TestFlagsAreThoseOfTheProcessThatListsThem: a controller that starts anew with other flags, and lists them in its log, says
// nothing of the one before it. Where that one listed its own they are known; else the defaults are tried, and what
// is supposed is said.
func TestFlagsAreThoseOfTheProcessThatListsThem(t *testing.T) {
	was, is := standard, standard
	is.NodeMonitorGracePeriod = model.Param[time.Duration]{Value: 20 * time.Second, From: model.FromFile}
	is.NodeMonitorPeriod = model.Param[time.Duration]{Value: 2 * time.Second, From: model.FromFile}
	for what, both := range map[string]bool{"both listed them": true, "the second alone did": false} {
		s := newStory(was)
		s.outage(6, 2)
		for n := range 3 {
			s.node(fmt.Sprintf("c%02d", n), "c", after(300), model.FarFuture, 60)
		}
		s.restart(after(200), true, false)
		s.loop.At(after(200), func(l *loop.Loop) {
			l.Nodes = nodelifecycle.New(is)
			l.PassAfter = func(at model.Instant) model.Instant { return at.Add(is.NodeMonitorPeriod.Value + 3*time.Millisecond) }
		})
		h := s.tell(after(390))
		if both {
			h.Said = append(h.Said, lists(after(-120), 1, &was)...)
		}
		h.Said = append(h.Said, lists(after(199.5), 2, &is)...)
		res := ran(t, h, Options{Params: is})
		clean(t, res)
		if len(res.Contradicted) > 0 || len(res.Writes) < 25 {
			t.Errorf("%s: %d writes, contradicted %v", what, len(res.Writes), res.Contradicted)
		}
		if fit := res.Fits["node-monitor-grace-period"]; fit.Min > 20 || fit.Max < 20 {
			t.Errorf("%s: a grace period of %v fits", what, fit)
		}
	}
}

// TestAProcessBeforeHadAnotherGracePeriod: of a restart that Events tell of nobody says whether flags changed with it. Where
// what was declared before and after cannot come of one grace period, the later tells of that which is.
func TestAProcessBeforeHadAnotherGracePeriod(t *testing.T) {
	short := standard
	short.NodeMonitorGracePeriod.Value = 20 * time.Second
	for _, x := range []struct{ was, is model.Params }{{short, standard}, {standard, short}} {
		s := newStory(x.was)
		for n := range 6 {
			s.node(fmt.Sprintf("a%02d", n), "a", after(60+float64(30*n)), model.FarFuture, 600)
			s.node(fmt.Sprintf("b%02d", n), "b", model.FarFuture, model.FarFuture, 600)
			s.node(fmt.Sprintf("c%02d", n), "c", after(330+float64(13*n)), model.FarFuture, 600)
		}
		s.restart(after(290), true, false)
		s.loop.At(after(290), func(l *loop.Loop) { l.Nodes = nodelifecycle.New(x.is) })
		res := ran(t, s.tell(after(520)), Options{})
		truth := x.is.NodeMonitorGracePeriod.Value
		if fit := res.Fits["node-monitor-grace-period"]; fit.Min > truth.Seconds() || fit.Max < truth.Seconds() || fit.Evidence < 3 {
			t.Errorf("%v, then %v: a grace period of %v fits", x.was.NodeMonitorGracePeriod.Value, truth, fit)
		}
	}
}

// Where Events tell of a restart and nobody of flags, a process before it that had the defaults is driven by those: what
// it wrote is no sign that anything stood still.
func TestAProcessBeforeHadTheDefaults(t *testing.T) {
	short := standard
	short.NodeMonitorGracePeriod.Value = 20 * time.Second
	s := newStory(standard)
	for n := range 6 {
		s.node(fmt.Sprintf("a%02d", n), "a", after(60+float64(30*n)), model.FarFuture, 600)
		s.node(fmt.Sprintf("b%02d", n), "b", model.FarFuture, model.FarFuture, 600)
		s.node(fmt.Sprintf("c%02d", n), "c", after(330+float64(13*n)), model.FarFuture, 600)
	}
	s.restart(after(290), true, false)
	s.loop.At(after(290), func(l *loop.Loop) { l.Nodes = nodelifecycle.New(short) })
	res := ran(t, s.tell(after(520)), Options{})
	if n := res.Findings(); n > 0 {
		t.Errorf("%d findings", n)
		clean(t, res)
	}
	if !slices.ContainsFunc(res.Assumptions, func(a Note) bool {
		return a.Code == FlagsDefault && strings.Contains(a.Name, "node-monitor-grace-period=50s")
	}) {
		t.Errorf("which flags it had before is not said: %v", res.Assumptions)
	}
}

// lists is what a process says when it starts.
func lists(at model.Instant, process int, p *model.Params) (said []history.Statement) {
	for _, name := range []string{"node-monitor-grace-period", "node-monitor-period"} {
		said = append(said, history.Statement{At: at, Until: at, Times: 1, By: model.ControllerManager, Process: process, What: history.SaidFlag,
			Text: "--" + name + "=" + model.FlagNamed(name).Value(p)})
	}
	return append(said, history.Statement{At: at.Add(100 * time.Millisecond), Until: at.Add(100 * time.Millisecond), Times: 1, By: model.ControllerManager, Process: process, What: history.SaidStart})
}
