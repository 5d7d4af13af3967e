package open

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
)

// saidIn is what the real log of the controller manager says of an incident.
func saidIn(t *testing.T, name string) []history.Statement {
	t.Helper()
	o, err := Open(context.Background(), []string{"../read/klog/testdata/" + name + ".log.zst"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	return o.History.Statements()
}

// besideLog is a History with what a log says, by a clock that is so far ahead, and without some kinds.
func besideLog(t *testing.T, h history.History, said []history.Statement, ahead time.Duration, without ...model.Kind) *history.Memory {
	t.Helper()
	list := slices.DeleteFunc(changesOf(t, h), func(ch model.Change) bool { return slices.Contains(without, ch.Kind) })
	sources := append(slices.Clone(h.Sources()), history.Source{Path: "kcm.log", Format: "klog", Statements: len(said)})
	m := history.NewMemory(list, h.Coverage(), nil, sources)
	for _, s := range said {
		s.At, s.Until = s.At.Add(ahead), s.Until.Add(ahead)
		s.Origin.Source = int32(len(sources) - 1)
		m.Said = append(m.Said, s)
	}
	return m
}

// TestALogMakesWindowsNarrower: beside the log of the controller manager each window of what the two controllers
// decided is at most as wide as without it, whatever the log's clock shows, and holds when the log says it; and
// zone states, which leave no object behind, are observed.
func TestALogMakesWindowsNarrower(t *testing.T) {
	for _, c := range []struct {
		name  string
		files func(string) bool
		ahead time.Duration
	}{{"zone-outage", watchFiles, 0}, {"all-dark", watchFiles, -37 * time.Second}, {"node-loss", auditLog, 0}} {
		h, said := incident(t, c.name, c.files).History, saidIn(t, c.name)
		alone, _ := shadowed(t, besideLog(t, h, nil, 0), flags)
		both, _ := shadowed(t, besideLog(t, h, said, c.ahead), flags)
		if n := both.Findings(); n > 0 || len(both.Writes) != len(alone.Writes) || len(both.Testimony.Contradicted) > 0 {
			t.Fatalf("%s: %d of %d writes and effects are unexplained, contradicted: %v", c.name, n, len(both.Writes), both.Testimony.Contradicted)
		}
		widths := map[string][]time.Duration{}
		for i := range alone.Decisions {
			d := &alone.Decisions[i]
			key := fmt.Sprint(d.Kind, d.Subject(), d.Outcome)
			widths[key] = append(widths[key], d.Window.Width())
		}
		told := map[string][]model.Instant{}
		for _, s := range said {
			if s.What == history.SaidLost {
				told[s.Node] = append(told[s.Node], s.At)
			}
		}
		narrower, wide := 0, time.Duration(0)
		for i := range both.Decisions {
			d := &both.Decisions[i]
			key := fmt.Sprint(d.Kind, d.Subject(), d.Outcome)
			if len(widths[key]) == 0 {
				t.Errorf("%s: %s is decided beside the log only", c.name, key)
				continue
			}
			if was, is := widths[key][0], d.Window.Width(); is > was {
				t.Errorf("%s: the window of %s is %v wide, and was %v", c.name, key, is, was)
			} else if is < was {
				narrower++
			}
			widths[key] = widths[key][1:]
			switch d.Kind {
			case model.MarkUnknown:
				at := told[d.Node][0]
				told[d.Node] = told[d.Node][1:]
				wide = max(wide, d.Window.Width())
				if at < d.Window.Earliest || d.Window.Latest.Add(100*time.Millisecond) < at { // it is logged a moment after the pass began
					t.Errorf("%s: %s is declared at %s, and the models say %v", c.name, d.Node, at, d.Window)
				}
			case model.ZoneState:
				if d.Rule == model.RuleZoneState && slices.ContainsFunc(said, func(s history.Statement) bool {
					return s.What == history.SaidZoneState && s.Zone == d.Zone && s.State == d.State.To
				}) && (d.Basis != model.Observed || d.Observed == nil || d.Observed.Evidence[0].What != model.InputLogLine) {
					t.Errorf("%s: %s of %s is %s", c.name, d.Why.Code, d.Zone.Value, d.Basis)
				}
			}
		}
		t.Logf("%s: %d of %d windows are narrower, those of declarations at most %v", c.name, narrower, len(both.Decisions), wide)
	}
}

// logOfRestart is what the controller manager of the incident "restart" would have said of its declarations and of
// its start: the log itself was not kept.
func logOfRestart(t *testing.T, h history.History, first model.Instant) (said []history.Statement) {
	t.Helper()
	res, _ := shadowed(t, h, flags)
	for i := range res.Writes {
		if w := &res.Writes[i]; w.Kind == model.MarkUnknown {
			at := w.Time.Earliest.Add(-3 * time.Millisecond)
			said = append(said, history.Statement{What: history.SaidLost, By: model.ControllerManager, Node: w.Node, At: at, Until: at, Times: 1, Silence: time.Nanosecond})
		}
	}
	for what, at := range map[history.Saying]model.Instant{history.SaidStart: first.Add(-time.Second), history.SaidPass: first} {
		said = append(said, history.Statement{What: what, By: model.ControllerManager, At: at, Until: at, Times: 1})
	}
	return said
}

// TestALogTellsOfARestart: beside an audit log without Events and leases, a start in the log is known, and no
// hypothesis. The same holds if the log's clock is off, which is reported. If nothing shows the offset of the clock,
// the log is not used.
func TestALogTellsOfARestart(t *testing.T) {
	first := model.At(time.Date(2026, 11, 21, 5, 7, 51, 610e6, time.UTC)) // its first pass, by its own log
	h := incident(t, "restart", auditLog).History
	said := logOfRestart(t, h, first)
	starts := slices.DeleteFunc(slices.Clone(said), func(s history.Statement) bool { return s.What == history.SaidLost })
	for _, c := range []struct {
		what  string
		said  []history.Statement
		ahead time.Duration
		rests infer.Code
	}{{"by the same clock", said, 0, infer.LogUsed}, {"by a clock that is off", said, 37 * time.Second, infer.LogShifted}, {"by an unknown clock", starts, 0, infer.LogUnused}} {
		m := besideLog(t, h, c.said, c.ahead, model.KindEvent, model.KindLeaderLease)
		res, err := infer.Run(m, infer.Options{Params: flags})
		if err != nil {
			t.Fatal(err)
		}
		found, err := hypotheses.Search(res)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(res.Assumptions, func(n infer.Note) bool { return n.Code == c.rests }) {
			t.Errorf("%s: want %q: %v", c.what, c.rests, res.Assumptions)
		}
		if len(c.said) < len(said) {
			if len(res.Restarts) > 0 || len(found.Hypotheses) != 1 {
				t.Errorf("%s: restarts %v, %v", c.what, res.Restarts, found.Hypotheses)
			}
			continue
		}
		if res.Findings() > 0 || len(found.Hypotheses) > 0 || len(res.Restarts) != 1 || !res.Restarts[0].Contains(first) || res.Restarts[0].Width() > 2*time.Second {
			t.Errorf("%s: %d left open, restarts %v, %v", c.what, res.Findings(), res.Restarts, found.Hypotheses)
		}
	}
}

// TestALogTellsOfZonesThatAreNotKnown: an audit log names only the zones of nodes that were written to, so that the
// models give no zone's state. The log's state of it is reported, and no disagreement.
func TestALogTellsOfZonesThatAreNotKnown(t *testing.T) {
	said := saidIn(t, "zone-outage")
	res, _ := shadowed(t, besideLog(t, incident(t, "zone-outage", auditLog).History, said, 0), flags)
	var told []string
	for i := range res.Decisions {
		if d := &res.Decisions[i]; d.Kind == model.ZoneState && d.Basis == model.Observed {
			told = append(told, d.Zone.Value.Zone+" "+d.State.To.String())
		}
	}
	if want := []string{"us-east-1b FullDisruption", "us-east-1b Normal"}; !slices.Equal(told, want) || len(res.Testimony.Contradicted) > 0 || res.Testimony.NotCompared != 2 {
		t.Errorf("told %v, %d not compared, contradicted %v", told, res.Testimony.NotCompared, res.Testimony.Contradicted)
	}
}
