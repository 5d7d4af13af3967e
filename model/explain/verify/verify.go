// Package verify answers whether the models explain each write of the controllers, and whether each decided effect was
// seen. If not, it lists unrecorded causes that would explain it. For example: of 812 writes Observed 810 are
// Explained, and Exit is 3.
package verify

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/model/infer/testimony"
)

// Report is the result.
type Report struct {
	// Observed counts the seen writes of the controllers, Explained those with a Decision, ByKind both by its kind.
	Observed, Explained int
	ByKind              map[model.DecisionKind]Count
	// ExplainedIf counts the writes that only a Hypothesis explains.
	ExplainedIf int
	Hypotheses  []Hypothesis
	// Bounded: not every hypothesis was tried.
	Bounded bool
	// Unexplained are the other writes, in order of time.
	Unexplained []Unexplained
	// NotJudged are unexplained writes that cannot be judged, with reasons: their cause may lie outside the data, or
	// the input cannot support a judgement. They count as Observed.
	NotJudged []Unexplained
	// Unobserved are Decisions whose effect the input would show and does not, under the Hypotheses that count. Empty
	// if the input cannot support a judgement.
	Unobserved []*model.Decision
	// Params are the flags as used, by their real names.
	Params map[string]Param
	// Lag is the least time from decision to write, unknown if no write is known to be later than its Decision. Window
	// is the width of the Decisions' windows.
	Lag, Window model.Maybe[Percentiles]
	Mode        infer.Mode
	Assumptions []infer.Note
	// Contradicted are flags given by hand under which no write is explained, so nothing is judged.
	Contradicted []infer.Contradiction
	Testimony    *testimony.Report
	// Exit is the exit code. 0: all is explained. 3: there are findings, or writes that only a Hypothesis explains. 4:
	// the input cannot support the judgement, or not of all writes, for the reasons Why.
	Exit int
	Why  []infer.Note
}

// Unexplained is a write without a Decision. Unsupported, if set, is why it is not judged.
type Unexplained struct {
	*infer.Write
	Unsupported *infer.Note
}

type Hypothesis struct {
	hypotheses.Hypothesis
	Settles []Unexplained
}

type Count struct {
	Observed, Explained int
}

// Param is a flag as used.
type Param struct {
	// Value is in the flag's own form.
	Value string
	From  model.Provenance
	// Fits are the values that agree with the record; unknown if the input does not bound them, or if Untried.
	Fits    model.Maybe[infer.Fit]
	Untried bool
}

type Percentiles struct {
	P50, P95, P99, Max time.Duration
}

// Evaluate judges a run, with the hypotheses about its open writes.
func Evaluate(found *hypotheses.Found) Report {
	r := found.Base
	v := Report{Mode: r.Mode, Assumptions: r.Assumptions, Contradicted: r.Contradicted, Why: r.Unsupported, ByKind: map[model.DecisionKind]Count{}, Params: params(r),
		Testimony: found.Result.Testimony, Bounded: found.Bounded}
	if len(v.Why) == 0 {
		v.Unobserved = unobserved(found.Result)
	}
	byNumber := v.count(found)
	for _, h := range found.Hypotheses {
		about := Hypothesis{Hypothesis: h}
		for _, number := range h.Writes {
			if w := byNumber[number]; w != nil {
				about.Settles = append(about.Settles, Unexplained{Write: w})
			}
		}
		v.Hypotheses = append(v.Hypotheses, about)
	}
	if r.Instants != nil {
		v.Why = append(slices.Clone(v.Why), infer.Note{Code: infer.NotVerified, Of: r.Instants})
	}
	switch {
	case len(v.Why) > 0, len(v.NotJudged) > 0:
		v.Exit = 4
	case len(v.Unexplained) > 0 || len(v.Unobserved) > 0 || v.ExplainedIf > 0 || v.Testimony != nil && len(v.Testimony.Contradicted) > 0:
		v.Exit = 3
	}
	return v
}

// Bound tries other values of the flags that are not bounded yet.
func (v *Report) Bound(found *hypotheses.Found) error {
	defer found.Result.KeepInput()()
	for name, p := range v.Params {
		if p.Fits.Known || name == "feature-gates" {
			continue
		}
		fit, tried, err := found.Result.Bound(name)
		if err != nil {
			return err
		}
		p.Fits, p.Untried = fit, !tried
		v.Params[name] = p
	}
	return nil
}

// count sorts the writes into explained, unexplained and not judged, and returns the judged ones by number.
func (v *Report) count(found *hypotheses.Found) map[int]*infer.Write {
	r, settled, byNumber := found.Base, found.If(), map[int]*infer.Write{}
	byID := make(map[model.DecisionID]*model.Decision, len(r.Decisions))
	for i := range r.Decisions {
		byID[r.Decisions[i].ID] = &r.Decisions[i]
	}
	var lags, windows []time.Duration
	for i := range r.Writes {
		w := &r.Writes[i]
		byNumber[w.Number] = w
		v.observe(w)
		switch {
		case w.Decision != 0:
			if w.Lag.Known {
				lags = append(lags, w.Lag.Value)
			}
			windows = append(windows, byID[w.Decision].Window.Width())
		case settled[w.Number] != "":
			v.ExplainedIf++
		case len(r.Unsupported) > 0:
			v.NotJudged = append(v.NotJudged, Unexplained{w, &r.Unsupported[0]})
		default:
			v.Unexplained = append(v.Unexplained, Unexplained{Write: w})
		}
	}
	for i := range r.NotJudged {
		v.observe(&r.NotJudged[i])
		v.NotJudged = append(v.NotJudged, Unexplained{Write: &r.NotJudged[i]})
	}
	v.Window = percentiles(windows)
	if slices.ContainsFunc(lags, func(d time.Duration) bool { return d > 0 }) {
		v.Lag = percentiles(lags)
	}
	return byNumber
}

func (v *Report) observe(w *infer.Write) {
	c := v.ByKind[w.Kind]
	v.Observed++
	c.Observed++
	if w.Decision != 0 {
		v.Explained++
		c.Explained++
	}
	v.ByKind[w.Kind] = c
}

func unobserved(r *infer.Result) (list []*model.Decision) {
	missing := r.Missing()
	for i := range r.Decisions {
		if d := &r.Decisions[i]; missing[d.ID] {
			list = append(list, d)
			delete(missing, d.ID)
		}
	}
	return list
}

func percentiles(list []time.Duration) model.Maybe[Percentiles] {
	if len(list) == 0 {
		return model.Maybe[Percentiles]{}
	}
	slices.Sort(list)
	at := func(hundredths int) time.Duration {
		d, _ := model.Percentile(list, hundredths)
		return d
	}
	return model.Some(Percentiles{at(50), at(95), at(99), at(100)})
}

func Flags(p *model.Params) map[string]Param {
	out := map[string]Param{}
	for i := range model.Flags {
		f := &model.Flags[i]
		if f.Name != "feature-gates" || f.From(p) >= model.FromFile {
			out[f.Name] = Param{Value: f.Value(p), From: f.From(p)}
		}
	}
	return out
}

func params(r *infer.Result) map[string]Param {
	out := Flags(&r.Params)
	for name, fit := range r.Fits {
		x := out[name]
		x.Fits = model.Some(fit)
		out[name] = x
	}
	return out
}
