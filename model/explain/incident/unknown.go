package incident

import (
	"slices"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/model/infer"
)

// Unknown is a gap in the findings: Code names its reason and the data that would close it.
type Unknown struct {
	Code string
	N    int
	// Note is the models' reason, Why a source's. Window has no or imprecise data. Kind is missing. Names are flags.
	Why        string
	Note       *infer.Note
	Window     model.Interval
	Kind       model.Kind
	Names      []string
	Hypothesis *verify.Hypothesis
}

func (x *Incident) unknowns(h history.History) (list []Unknown) {
	add := func(is bool, u Unknown) {
		if is {
			list = append(list, u)
		}
	}
	for i := range x.Result.Unsupported {
		add(true, Unknown{Code: "decisions", Note: &x.Result.Unsupported[i]})
	}
	add(x.Captured, Unknown{Code: "queues", Note: x.Result.Instants})
	for _, k := range [...]model.Kind{model.KindNode, model.KindNodeLease, model.KindPod, model.KindEvent, model.KindLeaderLease} {
		add(!caveat.Reads(h.Sources(), k), Unknown{Code: "kind-" + k.String(), Kind: k})
	}
	list = append(list, x.holes(h)...)
	x.doubts(add)
	told := slices.ContainsFunc(x.Events, func(e Event) bool { return e.Told && e.Kind != OfMark })
	add(!told, Unknown{Code: "writers"})
	add(told && slices.ContainsFunc(x.Events, func(e Event) bool { return !e.Told && e.Decision != nil && e.Decision.Basis == model.Observed }), Unknown{Code: "controllers"})
	add(!slices.ContainsFunc(x.Events, func(e Event) bool { return e.By != nil }), Unknown{Code: "requesters"})
	add(slices.ContainsFunc(x.Zones, func(z Zone) bool { return z.Waiting > 1 }), Unknown{Code: "order"})
	add(x.ShowsPods, Unknown{Code: "serving"})
	add(len(x.Silences) > 0, Unknown{Code: "cause"})
	return list
}

func (x *Incident) holes(h history.History) (list []Unknown) {
	const mostHoles = 20
	gaps := h.Gaps()
	for i, g := range gaps {
		if i == mostHoles {
			return append(list, Unknown{Code: "more-gaps", N: len(gaps) - i})
		}
		code := "gap"
		if g.Possible {
			code = "gap-possible"
		}
		list = append(list, Unknown{Code: code, Window: g.Interval, Why: g.Why})
	}
	n, widest := 0, model.Interval{}
	for _, d := range x.Decided {
		if w := d.Window.Width(); w >= Together {
			n++
			if w > widest.Width() || !widest.Known() {
				widest = d.Window
			}
		}
	}
	switch {
	case n > 0 && widest.Bounded():
		list = append(list, Unknown{Code: "times", N: n, Window: widest})
	case n > 0:
		list = append(list, Unknown{Code: "times-one-sided", N: n})
	}
	return list
}

func (x *Incident) doubts(add func(is bool, u Unknown)) {
	v := &x.Judgement
	add(len(v.Unexplained) > 0 && !x.Undecided.Is(), Unknown{Code: "unexplained", N: len(v.Unexplained)})
	add(len(v.Unobserved) > 0, Unknown{Code: "unobserved", N: len(v.Unobserved)})
	for i := range v.Hypotheses {
		add(true, Unknown{Code: "hypothesis", N: len(v.Hypotheses[i].Settles), Hypothesis: &v.Hypotheses[i]})
	}
	add(v.Bounded, Unknown{Code: "bounded"})
	var open []string
	for name, p := range v.Params {
		if !p.Fits.Known && p.From == model.FromDefault {
			open = append(open, "--"+name)
		}
	}
	slices.Sort(open)
	add(len(open) > 0, Unknown{Code: "flags", Names: open})
}

// Expected counts nodes whose declaration the models expect, but the input does not show.
func (x *Incident) Expected() int {
	nodes := map[string]bool{}
	for _, d := range x.Unseen {
		if d.Kind == model.MarkUnknown {
			nodes[d.Node] = true
		}
	}
	return len(nodes)
}
