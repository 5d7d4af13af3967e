package postmortem

import (
	"strconv"
	"time"

	"kardia/model"
	"kardia/ui/report"
	"kardia/ui/topics"
	"kardia/ui/words"
)

func (m *Made) report() *Report {
	t := &m.topic
	r := &Report{SchemaVersion: schemaVersion, Name: t.Name, Redaction: text(t.Redaction), From: report.Stamp(t.From), To: report.Stamp(t.To), Node: text(t.Node), Zone: text(t.Incident.Scope.Zone),
		Input: m.input, Zero: report.Stamp(t.Origin.At), ZeroIs: t.OriginIs().String(), Summary: t.Summary(), Verdicts: []report.Verdicts{}, Impact: m.impact(), Silences: m.silences(),
		Removed: report.RemovedOf(t.Removed), Timeline: m.timeline(), Zones: []ZoneRow{}, Margin: m.margin(), WhatIf: m.whatIf(), Standing: m.standing(),
		Verification: report.VerificationOf(&t.Judgement), Unknown: []Unknown{}, Commands: t.Commands, Decisions: make([]report.Decision, 0, len(t.Decisions))}
	for _, v := range t.Verdicts {
		r.Verdicts = append(r.Verdicts, report.VerdictsOf(v.At, v.Verdicts))
	}
	for _, z := range t.Zones {
		rate, _ := strconv.ParseFloat(model.Number(z.Rate).String(), 64)
		r.Zones = append(r.Zones, ZoneRow{report.Stamp(z.At), z.Zone.String(), z.State.String(), rate, z.Waiting, z.NotReady, z.Counted, z.Master})
	}
	if m.chain != nil {
		r.Chain = &Chain{*m.chain, t.Chain.Decision.ID.String()}
	}
	for i := range t.Times {
		x := &t.Times[i]
		r.Times = append(r.Times, Measure{topics.MeasureName(x), topics.MeasureIs(x), len(x.Lengths), report.Seconds(x.At(0)), report.Seconds(x.At(50)), report.Seconds(x.At(95)), report.Seconds(x.At(100)), x.Open})
	}
	for i := range t.Unknown {
		says := topics.IncidentUnknown(&t.Unknown[i])
		r.Unknown = append(r.Unknown, Unknown{says[0], says[1], says[2]})
	}
	for _, d := range t.Decisions {
		r.Decisions = append(r.Decisions, report.AfterDecision(d, t.Aftermath))
	}
	return r
}

func (m *Made) impact() Impact {
	t := &m.topic
	deleted, spared := t.Incident.Deleted()
	together, _ := t.NotReady()
	out := Impact{Deletes: t.Deletes, Deleted: deleted, Spared: spared, NotReadySeconds: report.Seconds(together), Pods: []PodFate{}, Workloads: []WorkloadFate{}, Reasons: []SparedReason{}}
	for i := range t.Pods {
		p := &t.Pods[i]
		fate := PodFate{Pod: p.Key.String(), Node: text(p.Node), Workload: topics.OwnerName(p.Owner), Why: t.PodWhy(p), NotReadySeconds: report.Seconds(p.NotReady), NotReadyAtEnd: p.NotReadyAtEnd, Gone: report.Stamp(p.Gone)}
		if d := p.Deletion; d != nil {
			fate.Deleted, fate.Decision = report.Stamp(d.Time), text(d.ID.String())
		}
		out.Pods = append(out.Pods, fate)
	}
	for i := range t.Workloads {
		w := &t.Workloads[i]
		out.Workloads = append(out.Workloads, WorkloadFate{topics.OwnerName(w.Owner), w.Deleted, w.Spared, report.Seconds(w.NotReady), known(w.Counted, w.Before), known(w.Counted, w.Least), report.Stamp(w.LeastAt)})
	}
	for _, x := range t.Reasons {
		out.Reasons = append(out.Reasons, SparedReason{x.By, x.Pods, x.Pod.Key.String(), t.PodWhy(x.Pod)})
	}
	return out
}

func (m *Made) silences() []Silence {
	list := []Silence{}
	for i := range m.topic.Silences {
		s := &m.topic.Silences[i]
		list = append(list, Silence{Node: s.Node, Zone: known(s.Zone.Known, s.Zone.Value.String()), Last: report.Stamp(s.Last.Says), LastWas: topics.LastWas(s), ClockOffSeconds: report.Seconds(s.Last.Off),
			Unheeded: s.Loss.Unheeded, Declared: report.Stamp(s.At()), Window: window(s.Declared.Window), Decision: s.Declared.ID.String(), Basis: s.Declared.Basis.String(),
			CountedSeconds: report.Seconds(s.Counted), CountedFrom: text(topics.CountedFrom(s)), SilentSeconds: report.Seconds(s.Silent), Back: report.Stamp(s.Back.Says), BackAtLatest: s.BackAtLatest,
			WholeSeconds: report.Seconds(s.Whole), ReadyAgain: report.Stamp(s.ReadyAgain), Gone: report.Stamp(s.Gone)})
	}
	return list
}

func (m *Made) timeline() []Row {
	list := []Row{}
	for _, row := range m.topic.Rows() {
		out := Row{Time: report.Stamp(row.At), Window: window(row.Window), Kind: string(row.Kind), Actor: text(row.Actor()), ActorTold: row.Told, Requester: report.RequesterOf(row.By),
			Subjects: row.Subjects, What: row.What, TimeFrom: row.TimeFrom}
		if d := row.Decision; d != nil {
			out.Basis, out.Rule = text(d.Basis.String()), text(d.Rule.String())
		}
		if o := m.topic.Origin.At; o.Bounded() && row.At.Bounded() {
			out.SinceSeconds = seconds(row.At.Sub(o))
		}
		list = append(list, out)
	}
	return list
}

func (m *Made) margin() Margin {
	t := &m.topic
	c := &t.Countdowns
	out := Margin{Margin: report.MarginOf(t.Margin, t.Result.Params.NodeMonitorGracePeriod.Value, t.Result.Unled()), Avoidable: []Avoidable{}, Cancelled: c.Cancelled, LeastLeftSeconds: report.Seconds(c.Left),
		Forgotten: c.Forgotten, ForgottenLeastLeftSeconds: report.Seconds(c.ForgottenLeft)}
	for _, a := range c.Avoidable {
		out.Avoidable = append(out.Avoidable, Avoidable{a.Pod.String(), a.Node, seconds(a.Later)})
	}
	return out
}

func (m *Made) whatIf() *WhatIf {
	w := m.topic.WhatIf
	if w == nil {
		return nil
	}
	out := &WhatIf{Refused: text(m.topic.Refused()), Graces: []WhatIfGrace{}}
	if w.Fit != nil {
		out.Writes, out.Reproduced = &w.Fit.Writes, &w.Fit.Reproduced
	}
	for _, g := range w.Graces {
		a := g.Answer
		one := WhatIfGrace{GraceSeconds: seconds(g.Grace), NodesTainted: report.Between{Least: a.Nodes.Least, Most: a.Nodes.Most}}
		out.NodesTainted = &a.Nodes.Recorded
		if w.ShowsPods {
			p, open := report.BranchPodsOf(&a.Pods), len(a.Pods.Open)
			out.PodsDeleted, out.PodsLater = &p.DeletedRecorded, &p.LaterRecorded
			one.PodsDeleted, one.Later, one.Spared, one.Lost, one.Open = &p.DeletedBranch, &p.LaterBranch, &p.Spared, &p.Lost, &open
		}
		out.Graces = append(out.Graces, one)
	}
	return out
}

func (m *Made) standing() *Standing {
	s := m.topic.Standing
	if s == nil {
		return nil
	}
	out := &Standing{At: report.Stamp(m.topic.To), Nodes: []StandingNode{}, Stuck: []StuckPod{}, Exits: append([]string{}, topics.Exits(s.Exits)...), StillMarked: []MarkedPod{},
		Actors: report.ActorsFrom(s.Actors), Clocks: Clocks{s.Clocks.Heard, s.Clocks.Said + s.Clocks.Unknown, []ClockOff{}}, Caveats: report.CaveatsOf(s.Caveats)}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		is := StandingNode{n.Name, known(true, n.Node.Zone.String()), topics.Stands(n), report.Stamp(n.LastKnown), []StandingCheck{}}
		for k := range n.Checks {
			c := &n.Checks[k]
			is.Checks = append(is.Checks, StandingCheck{topics.CheckSay(c, words.Range{Least: c.For, Most: c.For}).String(), topics.CheckAnswer(c), text(topics.CheckCommand(c))})
		}
		out.Nodes = append(out.Nodes, is)
	}
	for _, x := range s.Stuck {
		out.Stuck = append(out.Stuck, StuckPod{x.Pod.Key.String(), x.Node, report.Stamp(x.Since), x.Heard})
	}
	for _, p := range s.Marked {
		out.StillMarked = append(out.StillMarked, MarkedPod{p.Key.String(), p.Node, report.Stamp(p.ReadySince)})
	}
	for _, c := range s.Clocks.Off {
		out.Clocks.Off = append(out.Clocks.Off, ClockOff{c.Node, seconds(c.By)})
	}
	if s.Forecast != nil {
		coming := report.EvictionsAt(m.topic.To, s.Coming, report.Assumed(s.Forecast))
		out.Coming = &coming
	}
	return out
}

func text(s string) *string { return known(s != "", s) }

func known[T any](ok bool, v T) *T {
	if !ok {
		return nil
	}
	return &v
}

// window is nil if a time is exact, or nothing is known of it.
func window(v model.Interval) *report.Window {
	if !v.Known() || v.Earliest == v.Latest {
		return nil
	}
	return &report.Window{Earliest: report.Stamp(v.Earliest), Latest: report.Stamp(v.Latest)}
}

func seconds(d time.Duration) report.Seconds { return report.Seconds(model.Some(d)) }
