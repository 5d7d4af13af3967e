package outlook_test

import (
	"slices"
	"testing"
	"time"

	"kardia/internal/played"
	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// judged is what the models say of a story, from what is known at a time.
type judged struct {
	*played.Scenario
	result *infer.Result
}

func judge(t *testing.T, statements string) *judged {
	t.Helper()
	s := played.Play(t, statements)
	res, err := infer.Run(s.History, infer.Options{Params: s.Params})
	if err != nil {
		t.Fatal(err)
	}
	return &judged{s, res}
}

// at is the Outlook, and the nodes as they are then.
func (j *judged) at(t *testing.T, since string) (*outlook.Outlook, *model.Cluster) {
	t.Helper()
	state, err := j.result.Known(j.At(since))
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := history.StateAt(j.History, j.At(since))
	if err != nil {
		t.Fatal(err)
	}
	judgement := &outlook.Judgement{Result: j.result, Until: j.Coverage().Latest, State: state, Forecast: forecast.Run(state, forecast.Options{})}
	return outlook.Read(judgement, j.At(since), false, nil), nodes
}

// next are the true decisions of a kind after a time, in order.
func (j *judged) next(kind model.DecisionKind, since string) (list []*model.Decision) {
	for i := range j.Decided {
		if d := &j.Decided[i]; d.Kind == kind && d.Outcome == model.Did && d.Time > j.At(since) {
			list = append(list, d)
		}
	}
	return list
}

// within reports whether a window holds a time, but for the moments that a pass takes.
func within(w model.Interval, at model.Instant) bool {
	return w.Earliest <= at && at <= w.Latest.Add(20*time.Millisecond)
}

const zones = "nodes a-1..a-4 zone=a\nnodes b-1..b-3 zone=b\ndeployment shop/web replicas=9 tolerate=40s\nlength 4m\n"

var b = model.Some(model.ZoneKey{Zone: "b"})

// A zone dies. Its nodes are declared after the grace period, and get their taints one by one, each ten seconds; each
// pod is deleted forty seconds after its node's taint.
func TestAZoneDies(t *testing.T) {
	j := judge(t, zones+"at 30s kill zone=b")
	silent, nodes := j.at(t, "1m10s")
	for _, d := range j.next(model.MarkUnknown, "1m10s") {
		if w, ok := silent.Declared(d.Node); !ok || !within(w, d.Time) {
			t.Errorf("%s is declared after %v, and predicted %v within %v to %v", d.Node, d.Time.Sub(j.Start), ok, w.Earliest.Sub(j.Start), w.Latest.Sub(j.Start))
		}
		if is := silent.Silence(nodes.Row(d.Node)); !is.Declared.Known() || !within(is.GraceEnds, d.Time.Add(-time.Second)) && is.GraceEnds.Earliest > d.Time {
			t.Errorf("%s: %+v", d.Node, is)
		}
	}
	if _, ok := silent.Declared("a-1"); ok || silent.Node("a-1") != nil || silent.Armed > 0 {
		t.Error("a node that renews is threatened")
	}
	for _, since := range []string{"1m27s", "1m32s", "1m38s"} {
		o, nodes := j.at(t, since)
		z, taints, evictions := o.Zone(b), j.next(model.TaintNoExecute, since), j.next(model.EvictPod, since)
		if z == nil || z.State != model.ZoneFull || z.NotReady != 3 {
			t.Fatalf("%s: zone b is %+v", since, z)
		}
		if o.Queued != len(taints) || len(z.Waits) != len(taints) || o.Requeued > 0 || o.Master || o.Leaderless() {
			t.Errorf("%s: %d queued, %d wait, %d again; %d get a taint", since, o.Queued, len(z.Waits), o.Requeued, len(taints))
		}
		if len(taints) > 0 && (!within(z.Next, taints[0].Time) || z.Until < taints[len(taints)-1].Time) {
			t.Errorf("%s: the next taint comes within %v to %v, and truly after %v", since, z.Next.Earliest.Sub(j.Start), z.Next.Latest.Sub(j.Start), taints[0].Time.Sub(j.Start))
		}
		if !within(o.Next, evictions[0].Time) || o.Total.Least > len(evictions) || o.Total.Most < len(evictions) || o.Total.By < evictions[len(evictions)-1].Time {
			t.Errorf("%s: the first of %+v is deleted within %v to %v, and truly after %v", since, o.Total, o.Next.Earliest.Sub(j.Start), o.Next.Latest.Sub(j.Start), evictions[0].Time.Sub(j.Start))
		}
		held := 0
		for _, name := range []string{"b-1", "b-2", "b-3"} {
			switch why, _ := o.Hold(o.Node(name)); why {
			case outlook.NextTaint:
				held++
			case "":
				if o.Node(name).Count[forecast.Due] == 0 {
					t.Errorf("%s: nothing holds the taint of %s", since, name)
				}
			default:
				t.Errorf("%s: %s holds the taint of %s", since, why, name)
			}
		}
		if held != len(taints) || z.Armed != o.Armed || o.Armed+z.ToTaint.Most != len(evictions) {
			t.Errorf("%s: %d nodes are held, %d pods have countdowns, %+v wait for a taint; %d are deleted", since, held, o.Armed, z.ToTaint.Deleted, len(evictions))
		}
		pods := 0
		for i, d := range z.Deletions {
			if pods += d.Pods; i > 0 && d.Window.Earliest < z.Deletions[i-1].Window.Earliest {
				t.Errorf("%s: deletions are not in order: %v", since, z.Deletions)
			}
		}
		first := evictions[0]
		if names := o.Threatened(b.Value, nodes); pods != z.Armed || len(names) != 3 || names[0] != first.Node && o.Node(names[0]).Next.Earliest > first.Time {
			t.Errorf("%s: threatened are %v, and %s is first", since, names, first.Node)
		}
	}
}

// What holds a queued node's taint.
func TestHold(t *testing.T) {
	for what, c := range map[string]struct {
		statements, since string
		want              outlook.Hold
	}{
		"most of a small zone is silent": {zones + "at 30s kill a-1..a-3", "1m40s", outlook.RateZero},
		"all zones are dark":             {zones + "at 30s kill all", "1m50s", outlook.InMaster},
		"another gets its token":         {zones + "at 30s kill zone=b", "1m27s", outlook.NextTaint},
	} {
		j := judge(t, c.statements)
		o, nodes := j.at(t, c.since)
		var held []outlook.Hold
		for row := range nodes.Nodes {
			if why, _ := o.Hold(o.Node(row.Name)); why != "" {
				held = append(held, why)
			}
		}
		if len(held) == 0 || slices.ContainsFunc(held, func(h outlook.Hold) bool { return h != c.want }) {
			t.Errorf("%s: held by %v", what, held)
		}
		if o.Master != (c.want == outlook.InMaster) {
			t.Errorf("%s: master disruption %v", what, o.Master)
		}
	}
	if why, by := (&outlook.Outlook{}).Hold(nil); why != "" || by.Known() {
		t.Errorf("a node without a threat is held by %s", why)
	}
}

// A lease that is twice its duration old has no leader. Another leader starts the countdowns again.
func TestLeaders(t *testing.T) {
	s := played.Play(t, zones+"at 30s kill b-1\nat 1m35s controllers-off\nat 2m30s controllers-on")
	for _, c := range []struct {
		since                 string
		leaderless, restarted bool
	}{{"1m30s", false, false}, {"2m10s", true, false}, {"2m45s", false, true}} {
		live := infer.Options{Params: s.Params, Mode: infer.Causal, Until: s.At(c.since), Watched: true}
		res, err := infer.Run(s.History, live)
		if err != nil {
			t.Fatal(err)
		}
		o, _ := (&judged{s, res}).at(t, c.since)
		if o.Leaderless() != c.leaderless || (o.Restart != nil) != c.restarted {
			t.Errorf("%s: leaderless %v, restart %+v", c.since, o.Leaderless(), o.Restart)
		}
	}
}

// An Outlook says why it is missing, and is read once for one basis.
func TestMissing(t *testing.T) {
	j := judge(t, zones)
	at := j.At("1m")
	state, err := j.result.Known(at)
	if err != nil {
		t.Fatal(err)
	}
	whole := outlook.Judgement{Result: j.result, State: state, Forecast: forecast.Run(state, forecast.Options{})}
	with := func(change func(*outlook.Judgement)) *outlook.Judgement {
		j := whole
		change(&j)
		return &j
	}
	for what, c := range map[string]struct {
		judgement *outlook.Judgement
		at        model.Instant
		why       outlook.Reason
		zones     int
	}{
		"no models":         {nil, at, outlook.NoModels, 0},
		"everything":        {&whole, at, "", 2},
		"no forecast yet":   {with(func(j *outlook.Judgement) { j.Forecast = nil }), at, outlook.Computing, 2},
		"of another minute": {&whole, at.Add(time.Minute), outlook.Computing, 0},
		"after its end":     {with(func(j *outlook.Judgement) { j.Until = at }), at.Add(time.Minute), "", 2},
		"unreadable":        {with(func(j *outlook.Judgement) { j.Missing.Reason = outlook.Unreadable }), at, outlook.Unreadable, 0},
		"unsupported":       {with(func(j *outlook.Judgement) { j.Result = &infer.Result{Unsupported: []infer.Note{{Code: infer.NoTime}}} }), at, outlook.Unsupported, 0},
	} {
		o := outlook.Read(c.judgement, c.at, false, nil)
		if o.Missing.Reason != c.why || len(o.Zones) != c.zones || o.Judged != (c.judgement != nil) {
			t.Errorf("%s: missing %q, %d zones", what, o.Missing.Reason, len(o.Zones))
		}
		if outlook.Read(c.judgement, c.at, false, o) != o {
			t.Errorf("%s: it is read again", what)
		}
	}
	if o := outlook.Read(&whole, at, true, nil); len(o.Zones) > 0 || o.Missing.Reason != "" {
		t.Errorf("unsettled: %d zones, missing %q", len(o.Zones), o.Missing.Reason)
	}
	wrong := &infer.Result{}
	for m, want := range map[outlook.Missing]*infer.Result{{Reason: outlook.Contradicted, Result: wrong}: wrong, {Reason: outlook.Unsupported, Result: wrong}: nil} {
		if got := (&outlook.Judgement{Missing: m}).Withdrawn(); got != want || m.Pending() {
			t.Errorf("%s: withdrawn %v, pending %v", m.Reason, got != nil, m.Pending())
		}
	}
	if (*outlook.Judgement)(nil).Withdrawn() != nil || (*outlook.Judgement)(nil).Decisions() != nil || !(outlook.Missing{Reason: outlook.Computing}).Pending() {
		t.Error("of no judgement")
	}
}
