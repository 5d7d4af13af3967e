package topics

import (
	"math"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/explain/verify"
	"kardia/model/explain/why"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/evidence"
	"kardia/model/infer/flags"
	"kardia/model/infer/hypotheses"
	"kardia/model/infer/testimony"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// Note is an assumption of a judgement, or evidence for a hypothesis. Its times have their date; screens shorten them.
func Note(n *infer.Note) words.Say {
	var of words.Say
	if n.Of != nil {
		of = supposed(n.Of, n.At)
	}
	return words.Of("judgement."+string(n.Code), "n", n.N, "name", n.Name, "clock", n.Clock, "or", either(n.Or), "of", of,
		"since", n.Since.String(), "until", n.Until.String(), "at", n.At.String(), "for", n.For.String(), "most", n.Most.String(),
		"registered", n.Counts[0], "elected", n.Counts[1], "logged", n.Counts[2],
		"nodes", words.Of("count.nodes", "n", n.Counts[0]), "passes", words.Of("count.passes", "n", n.Counts[0]), "starts", words.Of("count.starts", "n", n.Counts[1]),
		"writes", words.Of("count.writes", "n", n.Counts[2]))
}

// Notes are several, each in a text.
func Notes(list []infer.Note) []string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = Note(&list[i]).String()
	}
	return texts
}

// Unjudged is why there is no judgement, or no whole one; "" if there is one. It is clean.
func Unjudged(m outlook.Missing) string {
	switch m.Reason {
	case "":
		return ""
	case outlook.Contradicted:
		return FlagContradicted(&m.Result.Contradicted[0]).String()
	case outlook.Unsupported:
		return paint.Clean(strings.Join(Notes(m.Result.Unsupported), "; "))
	}
	return paint.Clean(words.Of("unjudged."+string(m.Reason), "percent", m.Percent, "for", m.Limit, "cause", m.Cause).String())
}

// UnjudgedShort is Unjudged for screens below the headline, which has it in full: a final reason is left to the trust page.
func UnjudgedShort(m outlook.Missing) string {
	switch {
	case m.Reason == outlook.ReadingChanges || m.Reason == outlook.ReadingRecording:
		return words.Of("unjudged-short.reading", "percent", m.Percent).String()
	case m.Reason == "" || m.Reason == outlook.NoModels || m.Pending():
		return Unjudged(m)
	}
	return words.Of("unjudged-short.final").String()
}

// Supposed is what a hypothesis supposes, and about when.
func Supposed(h *hypotheses.Hypothesis) words.Say { return supposed(&h.What, h.Time) }

func supposed(what *infer.Note, at model.Instant) words.Say {
	if !at.Known() {
		return Note(what)
	}
	return words.Of("hypothesis.about", "what", Note(what), "at", at.String())
}

// Holds is what depends on a hypothesis.
func Holds(counts bool, or []string) words.Say {
	return words.Of("hypothesis.might").If(!counts).Or(words.Of("hypothesis.only", "or", either(or)))
}

func either(or []string) words.Say {
	return words.Of("hypothesis.or", "or", words.Either(or)).If(len(or) != 0)
}

// Fit is the values of a flag that agree with the observations, from the least to the greatest.
func Fit(least, greatest float64, unit string) words.Say {
	if unit == "1/s" {
		unit = "/s"
	}
	end := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) + unit }
	switch {
	case math.IsInf(greatest, 1):
		return words.Of("fit.least", "least", end(least))
	case math.IsInf(least, -1):
		return words.Of("fit.most", "most", end(greatest))
	}
	return words.Of("fit.between", "least", end(least), "most", end(greatest))
}

// Compared is what a controller compared; the zero Say for nothing.
func Compared(c *model.Check) words.Say {
	return words.Of("compared."+c.What.String(), "of", c.Of).If(c.What != model.NothingCompared)
}

// Check is a comparison with both sides, and whether it holds: counted silence 31.2s > 50s: no.
func Check(c *model.Check) words.Say {
	left, right := c.Sides()
	holds := words.Of("check-holds").If(c.Holds).Or(words.Of("check-fails"))
	return words.Of("check", "holds", holds, "what", Compared(c), "left", left, "op", c.Op, "right", right)
}

// Input is the role of a fact that a decision rests on; the zero Say if it has none.
func Input(in *model.Input) words.Say {
	return words.Of("evidence."+in.What.String(), "of", in.Of, "n", int(in.N), "kind", in.Kind).If(in.What != model.InputNone)
}

// Testimony is how far statements of logs agree with the decisions of the models.
func Testimony(statements, confirmed, contradicted, notCompared int) words.Say {
	unjudged := words.Of("testimony.not-compared", "n", notCompared).If(notCompared > 0)
	return words.Of("testimony.counts", "statements", words.Of("testimony.statements", "n", statements), "confirmed", confirmed,
		"contradicted", words.Of("testimony.contradicted", "n", contradicted), "unjudged", unjudged)
}

// Logs is the source of the statements.
func Logs(t *testimony.Report) words.Say {
	switch {
	case t.Sampled == 0:
		return words.Of("testimony.logs")
	case t.Sampled == t.Statements:
		return words.Of("testimony.samples")
	}
	return words.Of("testimony.both")
}

// Disagreement is how a log and the models disagree.
func Disagreement(c *testimony.Contradiction) string {
	said := c.Statement
	if said == nil {
		said = &history.Statement{}
	}
	return words.Of("testimony.disagreement."+string(c.What), "said", said.State.String(), "state", c.State.String(), "at", c.At.String(),
		"from", c.Window.Earliest.String(), "to", c.Window.Latest.String(), "since", said.Since.String()).String()
}

// Write is a write of a controller that was seen, without its subject.
func Write(w *infer.Write) words.Say {
	anew := words.Of("write-anew").If(w.Anew)
	is := words.Of("write."+w.Kind.String(), "reason", w.Reason, "taint", w.Taint, "anew", anew)
	if w.Across {
		return words.Of("write-across", "write", is)
	}
	return is
}

// Unexplained is why no decision of the models explains a write; missing if that is not known.
func Unexplained(w *infer.Write) words.Say {
	u := &w.Unexplained
	if u.Code == 0 {
		return words.Say{}
	}
	is := words.Of("unexplained.why."+u.Code.String(), "from", u.When.Earliest.String(), "to", u.When.Latest.String(), "flag", u.Flag)
	if u.RuledOut == evidence.NotRuledOut {
		return is
	}
	because := words.Of("unexplained.because."+u.RuledOut.String(), "for", u.Heard.Round(10*time.Millisecond).String())
	return words.Of("unexplained.ruled-out", "why", is, "because", because)
}

// NoneExplains is that no decision explains a write, and why.
func NoneExplains(w *infer.Write) words.Say {
	return words.Of("unexplained.none-explains", "why", Unexplained(w))
}

// UnexplainedWrite is a write, and why nothing explains it, or it is not judged.
func UnexplainedWrite(u *verify.Unexplained) words.Say {
	because := Unexplained(u.Write)
	if u.Unsupported != nil {
		because = Note(u.Unsupported)
	}
	return words.Of("unexplained.write", "write", Write(u.Write), "why", because)
}

// LinkWhy is what is missing where a chain of causes breaks, or ends with a write that nothing explains.
func LinkWhy(l *why.Link) words.Say {
	switch {
	case l.Kind == why.LinkWrite && l.Write.Unexplained.Code == 0:
		return words.Of("unexplained.none")
	case l.Kind == why.LinkWrite:
		return Unexplained(l.Write)
	case l.Kind == why.LinkBreak && l.Gap == (model.Interval{}):
		return words.Of("unexplained.no-cause")
	}
	return words.Text(l.Why)
}

// FlagOr is what else than the bounds of a flag would do; missing if nothing.
func FlagOr(or *flags.Alternative) words.Say {
	if or.Code == flags.Decided {
		return words.Say{}
	}
	return words.Of("flag-fit.or."+or.Code.String(), "n", or.N, "for", or.For.String(), "periods", otherPeriods(or),
		"rate", model.Number(or.Rate).String(), "share", strconv.FormatFloat(or.Share, 'g', 2, 64))
}

func otherPeriods(or *flags.Alternative) words.Say {
	var list []words.Say
	for _, d := range or.Periods {
		if d > 0 {
			list = append(list, words.Text(d.String()))
		}
	}
	if or.More {
		list = append(list, words.Of("flag-fit.another"))
	}
	last := len(list) - 1
	if last <= 0 {
		return words.Join("", list...)
	}
	return words.Of("flag-fit.either", "list", words.Join(", ", list[:last]...), "last", list[last])
}

// FlagContradicted is that a flag that was given contradicts what was seen, and which value fits.
func FlagContradicted(c *infer.Contradiction) words.Say {
	left := words.Text(strconv.Itoa(c.Left)).If(c.Left > 0).Or(words.Of("flag-fit.none-left"))
	return words.Of("flag-fit.contradicted", "flag", c.Flag, "given", c.Given, "fits", c.Fits, "n", c.Findings, "left", left)
}
