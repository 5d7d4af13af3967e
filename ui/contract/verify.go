package contract

import (
	"math"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/infer"
	"kardia/model/infer/testimony"
	"kardia/ui/doc"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Verification is how the models explain the observations.
type Verification struct {
	Caveats

	// Began is the start of the recording, from which the table counts.
	Began model.Instant `json:"-"`
	// Partial: the input cannot support a judgement, and none is made about unseen effects.
	Partial bool `json:"-"`

	Observed  int `json:"observed"`
	Explained int `json:"explained"`
	// ExplainedIf are explained only if a hypothesis holds.
	ExplainedIf int           `json:"explainedIf"`
	Unexplained []Unexplained `json:"unexplained"`
	// NotJudged are unexplained and cannot be judged; Detail is the reason.
	NotJudged   []Unexplained    `json:"notJudged"`
	Unobserved  []Unobserved     `json:"unobserved"`
	ByKind      map[string]Count `json:"byKind"`
	Params      map[string]Param `json:"params"`
	Lag         Lags             `json:"lagSeconds"`
	Window      Widths           `json:"windowSeconds"`
	Mode        string           `json:"mode"`
	Assumptions []string         `json:"assumptions"`
	// Contradicted are flags given by hand under which nothing is judged.
	Contradicted []Contradicted `json:"contradicted"`
	// Hypotheses would explain the unexplained writes, without direct evidence.
	Hypotheses []Hypothesis `json:"hypotheses"`
	// Bounded is why not every hypothesis was tried; nil if all were.
	Bounded *string `json:"bounded"`
	// Logs is how far components' own logs agree; nil if none was read.
	Logs *Logs `json:"logs"`
}

// Logs compares the statements of components' own logs with the decisions of the models.
type Logs struct {
	// Statements is how many statements are about decisions; the other counts are of them.
	Statements int `json:"statements"`
	// Sampled is how many of them only samples show.
	Sampled      int      `json:"sampled"`
	Confirmed    int      `json:"confirmed"`
	NotCompared  int      `json:"notCompared"`
	Contradicted []Unsaid `json:"contradicted"`
	// ClockAhead bounds how far the logs' clock is ahead of the API server's, by so many Writes; nil if none shows it.
	// ShiftedSeconds was subtracted before comparing.
	ClockAhead     *[2]Seconds `json:"clockAheadSeconds"`
	Writes         int         `json:"writes"`
	ShiftedSeconds Seconds     `json:"shiftedSeconds"`

	clock, of string
}

// Unsaid is a statement or a decision with which nothing agrees.
type Unsaid struct {
	Time    Stamp   `json:"time"`
	Kind    string  `json:"kind"`
	Subject string  `json:"subject"`
	Detail  string  `json:"detail"`
	ID      *string `json:"id"`
}

func logsOf(t *testimony.Report) *Logs {
	if t == nil {
		return nil
	}
	out := &Logs{Statements: t.Statements, Sampled: t.Sampled, Confirmed: len(t.Confirmed), NotCompared: t.NotCompared, Contradicted: []Unsaid{}, Writes: t.Clock.Writes, of: topics.Logs(t).String(),
		ShiftedSeconds: seconds(t.Shifted)}
	if ahead := t.Clock.Ahead; ahead.Known {
		out.ClockAhead = &[2]Seconds{{Value: ahead.Value.Least, Known: true}, {Value: ahead.Value.Most, Known: true}}
		out.clock = ahead.Value.String()
	}
	for _, c := range t.Contradicted {
		out.Contradicted = append(out.Contradicted, Unsaid{Stamp(c.At), c.Kind.String(), c.Subject, topics.Disagreement(&c), known(c.Decision != 0, c.Decision.String())})
	}
	return out
}

// Says is how far the logs agree with the models.
func (l *Logs) Says() words.Say {
	return topics.Testimony(l.Statements, l.Confirmed, len(l.Contradicted), l.NotCompared)
}

func (l *Logs) put(d *doc.Doc) {
	if l == nil {
		return
	}
	d.Say(doc.Plain, words.Of("testimony.line", "logs", l.of, "says", l.Says()))
	if l.ClockAhead != nil {
		shifted := words.Say{}
		if s := l.ShiftedSeconds.Value; s != 0 {
			shifted = words.Of("testimony.shifted", "for", s.Round(time.Millisecond).String())
		}
		d.Say(doc.Plain, words.Of("testimony.clock", "ahead", l.clock, "n", l.Writes, "shifted", shifted))
	}
}

// Hypothesis would explain some writes. If it does not count, these are still Unexplained.
type Hypothesis struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"`
	Counts  bool     `json:"counts"`
	What    string   `json:"what"`
	Time    Stamp    `json:"time"`
	Window  Window   `json:"window"`
	For     []string `json:"for"`
	Against []string `json:"against"`
	// Or are the IDs of hypotheses that fit as well.
	Or     []string      `json:"or"`
	Writes []Unexplained `json:"writes"`
}

// Contradicted is a flag given by hand that the observations contradict, with a value that fits.
type Contradicted struct {
	Flag  string `json:"flag"`
	Given string `json:"given"`
	Fits  string `json:"fits"`
	// Findings do not agree under the value given, Left under the one that fits.
	Findings int `json:"findings"`
	Left     int `json:"left"`
}

// Unexplained is a write that no decision explains. It had been written by Time.
type Unexplained struct {
	Time    Stamp   `json:"time"`
	Window  *Window `json:"window,omitempty"`
	Kind    string  `json:"kind"`
	Subject string  `json:"subject"`
	Detail  string  `json:"detail"`
}

// Unobserved is a decision whose effect was not seen though the input would show it.
type Unobserved struct {
	ID      string `json:"id"`
	Time    Stamp  `json:"time"`
	Kind    string `json:"kind"`
	Subject string `json:"subject"`
}

// Count is how many writes of a kind were seen, and how many of them are explained.
type Count struct {
	Observed  int `json:"observed"`
	Explained int `json:"explained"`
}

// Param is a flag as used. From is default, inferred, file, flag or user.
type Param struct {
	Value string `json:"value"`
	From  string `json:"from"`
	// Fits is the range of values that agree with the observations, times in seconds; nil if nothing determines it.
	Fits     *[2]Bound `json:"fits"`
	Evidence int       `json:"evidence"`
	// Or are the other possible values; nil if the observations decide.
	Or *string `json:"or"`

	unit string
}

// Lags are percentiles of the time from decision to write.
type Lags struct {
	P50 Seconds `json:"p50"`
	P99 Seconds `json:"p99"`
	Max Seconds `json:"max"`
}

// Widths are percentiles of the widths of windows.
type Widths struct {
	P50 Seconds `json:"p50"`
	P95 Seconds `json:"p95"`
	Max Seconds `json:"max"`
}

// VerificationOf reports a judgement.
func VerificationOf(v *verify.Report) Verification {
	out := Verification{Partial: len(v.Why) > 0, Observed: v.Observed, Explained: v.Explained, Unexplained: each(v.Unexplained, unexplainedOf), NotJudged: each(v.NotJudged, unexplainedOf), Unobserved: each(v.Unobserved, unobservedOf),
		ByKind: map[string]Count{}, Params: map[string]Param{}, Mode: v.Mode.String(), Assumptions: topics.Notes(v.Assumptions), Contradicted: each(v.Contradicted, func(c infer.Contradiction) Contradicted {
			return Contradicted{c.Flag, c.Given, c.Fits, c.Findings, c.Left}
		}), ExplainedIf: v.ExplainedIf, Hypotheses: each(v.Hypotheses, hypothesisOf)}
	out.Bounded = known(v.Bounded, words.Of("hypothesis.bounded").String())
	for kind, n := range v.ByKind {
		out.ByKind[kind.String()] = Count(n)
	}
	for name, p := range v.Params {
		out.Params[name] = paramOf(&p)
	}
	seconds := func(d time.Duration, of model.Maybe[verify.Percentiles]) Seconds {
		return Seconds{Value: d, Known: of.Known}
	}
	lag, window := v.Lag.Value, v.Window.Value
	out.Lag = Lags{seconds(lag.P50, v.Lag), seconds(lag.P99, v.Lag), seconds(lag.Max, v.Lag)}
	out.Logs = logsOf(v.Testimony)
	out.Window = Widths{seconds(window.P50, v.Window), seconds(window.P95, v.Window), seconds(window.Max, v.Window)}
	return out
}

func unobservedOf(d *model.Decision) Unobserved {
	return Unobserved{d.ID.String(), Stamp(d.Time), d.Kind.String(), d.Subject()}
}

func unexplainedOf(u verify.Unexplained) Unexplained {
	return Unexplained{Stamp(u.Time.Latest), inexact(u.Time), u.Kind.String(), u.Subject(), topics.UnexplainedWrite(&u).String()}
}

func hypothesisOf(h verify.Hypothesis) Hypothesis {
	return Hypothesis{ID: h.ID, Kind: h.Kind.String(), Counts: h.Counts, What: topics.Note(&h.What).String(), Time: Stamp(h.Time),
		Window: Window{Stamp(h.Window.Earliest), Stamp(h.Window.Latest)},
		For:    topics.Notes(h.For), Against: topics.Notes(h.Against), Or: append([]string{}, h.Or...), Writes: each(h.Settles, unexplainedOf)}
}

func paramOf(p *verify.Param) Param {
	out := Param{Value: p.Value, From: p.From.String()}
	if p.From == model.FromFile {
		out.From = "input"
	}
	if fit := p.Fits.Value; p.Fits.Known {
		out.Fits, out.Evidence, out.unit = &[2]Bound{Bound(fit.Min), Bound(fit.Max)}, fit.Evidence, fit.Unit
		out.Or = text(topics.FlagOr(&fit.Or).String())
	}
	return out
}

// Bound is an end of a range in JSON; null if nothing bounds it.
type Bound float64

// MarshalJSON implements json.Marshaler.
func (b Bound) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(b), 0) || math.IsNaN(float64(b)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(b), 'f', -1, 64), nil
}
