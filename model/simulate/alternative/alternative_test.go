package alternative_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/loop"
	"kardia/model/infer"
	"kardia/model/infer/phases"
	"kardia/model/simulate/alternative"
	"kardia/model/simulate/forecast"
)

var epoch = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

// stand is a cluster of zones whose nodes beat every ten seconds until they fall silent, at an instant.
// Every node has a pod that tolerates unreachable for 30 s, one for 300 s, and one for ever.
type stand struct {
	loop   *loop.Loop
	silent map[string]float64
}

func pod(name, node string, seconds int64) *model.Pod {
	list := model.Tolerations{{Key: model.TaintUnreachable, Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(seconds)},
		{Key: model.TaintNotReady, Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(seconds)}}
	if seconds == 0 {
		list = model.Tolerations{{Operator: "Exists", Effect: model.NoExecute}, {Key: model.TaintUnreachable, Operator: "Exists"}}
	}
	return &model.Pod{Key: model.Key{Namespace: "default", Name: name + "-" + node}, Node: node, Phase: model.PhaseRunning, Ready: model.StatusTrue, Tolerations: &list, GraceSeconds: 30}
}

// newStand lets a cluster run for some seconds: sizes are of the zones a, b and so on, silent when a node
// renews last.
func newStand(sizes []int, silent map[string]float64, seconds float64) *stand {
	l := loop.New(model.Defaults(model.Version{Major: 1, Minor: 36}), loop.StartingAt(epoch, 5*time.Second, time.Millisecond))
	s := &stand{l, silent}
	s.loop.Terminates = func(node string) bool { _, dead := silent[node]; return !dead }
	for z, n := range sizes {
		for i := range n {
			name := fmt.Sprintf("%c%d", 'a'+z, i)
			l.SetNode(name, &model.Node{Created: epoch.Add(-time.Hour), Zone: model.ZoneKey{Zone: name[:1]},
				Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue, Heartbeat: epoch, Transition: epoch}}})
			for kind, seconds := range map[string]int64{"short": 30, "long": 300, "ever": 0} {
				l.SetPod(pod(kind, name, seconds))
			}
			for at := 0.5; at <= seconds; at += 10 {
				if dies, ok := silent[name]; ok && at > dies {
					break
				}
				when := epoch.Add(time.Duration(at * float64(time.Second)))
				l.At(when, func(l *loop.Loop) { l.Renew(name, when) })
			}
		}
	}
	l.Run(epoch.Add(time.Duration(seconds * float64(time.Second))))
	return s
}

// state is what the controllers think when the time is over.
func (s *stand) state() *infer.State {
	l := s.loop
	return &infer.State{At: l.Now(), Cache: l.Cache.Clone(), Nodes: l.Nodes.Clone(), Taints: l.Taints.Clone(), Pods: l.Pods.Clone(),
		Params: model.Defaults(model.Version{Major: 1, Minor: 36}), Clock: l.Clock()}
}

// TestAlternatives runs the scripts in testdata. Times are seconds.
//
//	of NODE zones=N,N… at=SECONDS dead=NODE:SECONDS,…
func TestAlternatives(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var sizes []int
			var at int
			silent := map[string]float64{}
			for _, arg := range d.CmdArgs[1:] {
				for _, v := range arg.Vals {
					switch name, dies, _ := strings.Cut(v, ":"); arg.Key {
					case "zones":
						n, _ := strconv.Atoi(v)
						sizes = append(sizes, n)
					case "at":
						at, _ = strconv.Atoi(v)
					case "dead":
						silent[name], _ = strconv.ParseFloat(dies, 64)
					}
				}
			}
			s := newStand(sizes, silent, float64(at)).state()
			before := fingerprint(s.Cache)
			f := forecast.Run(s, forecast.Options{})
			var b strings.Builder
			tried := alternative.Of(s, f, d.CmdArgs[0].Key)
			fmt.Fprintf(&b, "as things stand: %s\n", outlook(tried.Stands, s.At))
			for _, a := range tried.List {
				b.WriteString(told(&a, s.At))
			}
			if after := fingerprint(s.Cache); after != before {
				t.Errorf("the state has changed:\n%s\n%s", before, after)
			}
			return b.String()
		})
	})
}

func told(a *alternative.Alternative, at model.Instant) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", a.Kind, a.Node)
	if a.Missing != "" {
		return b.String() + ": " + string(a.Missing) + "\n"
	}
	b.WriteString(": " + outlook(a.Losses, at))
	if a.Zone != a.AsIs {
		fmt.Fprintf(&b, ", zone left %s, not %s", a.Zone, a.AsIs)
	}
	if len(a.Spared)+len(a.MaySpare)+len(a.Lost)+len(a.MayLose)+len(a.Now)+len(a.Sooner)+len(a.Later)+len(a.Ends) == 0 && a.Zone == a.AsIs {
		b.WriteString(", nothing otherwise")
	}
	b.WriteByte('\n')
	for _, part := range []struct {
		word string
		list []model.Key
	}{{"spared", a.Spared}, {"may be spared", a.MaySpare}, {"lost", a.Lost}, {"may be lost", a.MayLose}, {"at once", a.Now}, {"sooner", a.Sooner}, {"later", a.Later}, {"ends", a.Ends}} {
		if len(part.list) > 0 {
			var names []string
			for _, k := range part.list {
				names = append(names, k.Name)
			}
			fmt.Fprintf(&b, "  %s %s\n", part.word, strings.Join(names, " "))
		}
	}
	return b.String()
}

func outlook(o alternative.Losses, at model.Instant) string {
	text := fmt.Sprintf("%d deleted", o.Certain)
	if o.Possible > 0 {
		text += fmt.Sprintf(" and possibly %d more", o.Possible)
		if o.Least > 0 || o.Most < o.Possible {
			text += fmt.Sprintf(" (%d to %d)", o.Least, o.Most)
		}
	}
	if o.Next.Known() {
		text += fmt.Sprintf(", first in %.0fs to %.0fs", o.Next.Earliest.Sub(at).Seconds(), o.Next.Latest.Sub(at).Seconds())
	}
	return text
}

// fingerprint tells whether a cache is as it was.
func fingerprint(c *informer.Cache) string {
	var lines []string
	for i := range int32(c.Rows()) {
		row := c.Row(i)
		line := fmt.Sprint(row.Name, row.Version, row.Lease)
		for _, p := range row.Pods() {
			line += fmt.Sprint(p.Key, p.Deletion, len(p.Tolerations.List()))
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestAChangeReachesWhatMayBeOtherwise: where it is not known what the last pass has done, what is done now is done
// whatever it has.
func TestAChangeReachesWhatMayBeOtherwise(t *testing.T) {
	x := newStand([]int{3, 3}, map[string]float64{"a0": 30}, 100)
	s := x.state()
	s.Phases = []phases.Phase{{Clock: s.Clock}}
	s.Otherwise = s.Clone()
	f := forecast.Run(s, forecast.Options{})
	for _, a := range alternative.Of(s, f, "a0").List {
		switch {
		case a.Missing != "":
			t.Errorf("%s: %s", a.Kind, a.Missing)
		case a.Kind == alternative.Forever && len(a.Spared) != 2:
			t.Errorf("%s spares %v, may spare %v", a.Kind, a.Spared, a.MaySpare)
		}
	}
}

// TestNothingIsTriedInAGap: nobody knows on what a change would be made.
func TestNothingIsTriedInAGap(t *testing.T) {
	s := newStand([]int{3, 3}, map[string]float64{"a0": 30}, 100).state()
	s.Before = newStand([]int{3, 3}, map[string]float64{"a0": 30}, 90).state()
	for _, a := range alternative.Of(s, forecast.Run(s, forecast.Options{}), "a0").List {
		if a.Missing != "unwatched" {
			t.Errorf("%s is tried: %q", a.Kind, a.Missing)
		}
	}
}
