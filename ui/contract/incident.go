package contract

import (
	"strconv"

	"kardia/model"
	"kardia/model/explain/incident"
	"kardia/model/explain/loss"
	"kardia/model/explain/recovery"
	"kardia/ui/topics"
	"kardia/ui/words"
)

func (m *Postmortem) report() *Incident {
	t := &m.topic
	r := &Incident{SchemaVersion: schemaVersion, Name: t.Name, Redaction: text(t.Redaction), From: Stamp(t.From), To: Stamp(t.To), Node: text(t.Node), Zone: text(t.Incident.Scope.Zone),
		Input: m.input, Zero: Stamp(t.Origin.At), ZeroIs: t.OriginIs().String(), Summary: t.Summary(), Verdicts: each(t.Verdicts, func(v incident.Judged) Verdicts { return VerdictsOf(v.At, v.Verdicts) }), Impact: m.impact(), Silences: m.silences(),
		Removed: RemovedOf(t.Removed), Timeline: m.timeline(), Margin: m.margin(), WhatIf: m.whatIf(), Standing: m.standing(),
		Verification: VerificationOf(&t.Judgement), Commands: t.Commands, Decisions: each(t.Decisions, func(d *model.Decision) Decision { return AfterDecision(d, t.Aftermath) })}
	r.Zones = each(t.Zones, func(z incident.Zone) ZoneRow {
		rate, _ := strconv.ParseFloat(model.Number(z.Rate).String(), 64)
		return ZoneRow{Stamp(z.At), z.Zone.String(), z.State.String(), rate, z.Waiting, z.NotReady, z.Counted, z.Master}
	})
	if m.chain != nil {
		r.Chain = &IncidentChain{*m.chain, t.Chain.Decision.ID.String()}
	}
	for i := range t.Times {
		x := &t.Times[i]
		r.Times = append(r.Times, Measure{topics.MeasureName(x), topics.MeasureIs(x), len(x.Lengths), Seconds(x.At(0)), Seconds(x.At(50)), Seconds(x.At(95)), Seconds(x.At(100)), x.Open})
	}
	r.Unknown = each(t.Unknown, func(u incident.Unknown) Unknown {
		says := topics.IncidentUnknown(&u)
		return Unknown{says[0], says[1], says[2]}
	})
	return r
}

func (m *Postmortem) impact() IncidentImpact {
	t := &m.topic
	deleted, spared := t.Incident.Deleted()
	together, _ := t.NotReady()
	out := IncidentImpact{Deletes: t.Deletes, Deleted: deleted, Spared: spared, NotReadySeconds: Seconds(together),
		Reasons: each(t.Reasons, func(r incident.Reason) SparedReason {
			return SparedReason{r.By, r.Pods, r.Pod.Key.String(), t.PodWhy(r.Pod)}
		})}
	out.Pods = each(t.Pods, func(p incident.Pod) PodFate {
		fate := PodFate{Pod: p.Key.String(), Node: text(p.Node), Workload: topics.OwnerName(p.Owner), Why: t.PodWhy(&p), NotReadySeconds: Seconds(p.NotReady), NotReadyAtEnd: p.NotReadyAtEnd, Gone: Stamp(p.Gone)}
		if d := p.Deletion; d != nil {
			fate.Deleted, fate.Decision = Stamp(d.Time), text(d.ID.String())
		}
		return fate
	})
	out.Workloads = each(t.Workloads, func(w incident.Workload) WorkloadFate {
		return WorkloadFate{topics.OwnerName(w.Owner), w.Deleted, w.Spared, Seconds(w.NotReady), known(w.Counted, w.Before), known(w.Counted, w.Least), Stamp(w.LeastAt)}
	})
	return out
}

func (m *Postmortem) silences() []Silence {
	return each(m.topic.Silences, func(s incident.Silence) Silence {
		return Silence{Node: s.Node, Zone: known(s.Zone.Known, s.Zone.Value.String()), Last: Stamp(s.Last.Says), LastWas: topics.LastWas(&s), ClockOffSeconds: Seconds(s.Last.Off),
			Unheeded: s.Loss.Unheeded, Declared: Stamp(s.At()), Window: inexact(s.Declared.Window), Decision: s.Declared.ID.String(), Basis: s.Declared.Basis.String(),
			CountedSeconds: Seconds(s.Counted), CountedFrom: text(topics.CountedFrom(&s)), SilentSeconds: Seconds(s.Silent), Back: Stamp(s.Back.Says), BackAtLatest: s.BackAtLatest,
			WholeSeconds: Seconds(s.Whole), ReadyAgain: Stamp(s.ReadyAgain), Gone: Stamp(s.Gone)}
	})
}

func (m *Postmortem) timeline() []TimelineRow {
	return each(m.topic.Rows(), func(row topics.IncidentRow) TimelineRow {
		out := TimelineRow{Time: Stamp(row.At), Window: inexact(row.Window), Kind: string(row.Kind), Actor: text(row.Actor()), ActorTold: row.Told, Requester: RequesterOf(row.By),
			Subjects: row.Subjects, What: row.What, TimeFrom: row.TimeFrom}
		if d := row.Decision; d != nil {
			out.Basis, out.Rule = text(d.Basis.String()), text(d.Rule.String())
		}
		if o := m.topic.Origin.At; o.Bounded() && row.At.Bounded() {
			out.SinceSeconds = seconds(row.At.Sub(o))
		}
		return out
	})
}

func (m *Postmortem) margin() IncidentMargin {
	t := &m.topic
	c := &t.Countdowns
	return IncidentMargin{Margin: MarginOf(t.Margin, t.Result.Params.NodeMonitorGracePeriod.Value, t.Result.Unled()), Avoidable: each(c.Avoidable, func(a incident.Avoidable) Avoidable { return Avoidable{a.Pod.String(), a.Node, seconds(a.Later)} }),
		Cancelled: c.Cancelled, LeastLeftSeconds: Seconds(c.Left),
		Forgotten: c.Forgotten, ForgottenLeastLeftSeconds: Seconds(c.ForgottenLeft)}
}

func (m *Postmortem) whatIf() *IncidentWhatIf {
	w := m.topic.WhatIf
	if w == nil {
		return nil
	}
	out := &IncidentWhatIf{Refused: text(m.topic.Refused()), Graces: []WhatIfGrace{}}
	if w.Fit != nil {
		out.Writes, out.Reproduced = &w.Fit.Writes, &w.Fit.Reproduced
	}
	for _, g := range w.Graces {
		a := g.Answer
		one := WhatIfGrace{GraceSeconds: seconds(g.Grace), NodesTainted: Between{Least: a.Nodes.Least, Most: a.Nodes.Most}}
		out.NodesTainted = &a.Nodes.Recorded
		if w.ShowsPods {
			p, open := BranchPodsOf(&a.Pods), len(a.Pods.Open)
			out.PodsDeleted, out.PodsLater = &p.DeletedRecorded, &p.LaterRecorded
			one.PodsDeleted, one.Later, one.Spared, one.Lost, one.Open = &p.DeletedBranch, &p.LaterBranch, &p.Spared, &p.Lost, &open
		}
		out.Graces = append(out.Graces, one)
	}
	return out
}

func (m *Postmortem) standing() *Standing {
	s := m.topic.Standing
	if s == nil {
		return nil
	}
	out := &Standing{At: Stamp(m.topic.To), Nodes: each(s.Nodes, standingOf), Stuck: each(s.Stuck, func(p incident.Stuck) StuckPod { return StuckPod{p.Pod.Key.String(), p.Node, Stamp(p.Since), p.Heard} }),
		Exits: append([]string{}, topics.Exits(s.Exits)...), StillMarked: each(s.Marked, func(p *model.Pod) MarkedPod { return MarkedPod{p.Key.String(), p.Node, Stamp(p.ReadySince)} }),
		Actors: ActorsFrom(s.Actors), Clocks: Clocks{s.Clocks.Heard, s.Clocks.Said + s.Clocks.Unknown, each(s.Clocks.Off, func(c loss.Clock) ClockOff { return ClockOff{c.Node, seconds(c.By)} })}, Caveats: CaveatsOf(s.Caveats)}
	if s.Forecast != nil {
		coming := EvictionsAt(m.topic.To, s.Coming, Assumed(s.Forecast))
		out.Coming = &coming
	}
	return out
}

func standingOf(n incident.NodeStands) StandingNode {
	return StandingNode{n.Name, known(true, n.Node.Zone.String()), topics.Stands(&n), Stamp(n.LastKnown), each(n.Checks, func(c recovery.Check) StandingCheck {
		return StandingCheck{topics.CheckSay(&c, words.Range{Least: c.For, Most: c.For}).String(), topics.CheckAnswer(&c), text(topics.CheckCommand(&c))}
	})}
}
