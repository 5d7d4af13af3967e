package topics

import (
	"math"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
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
	if !counts {
		return words.Of("hypothesis.might")
	}
	return words.Of("hypothesis.only", "or", either(or))
}

func either(or []string) words.Say {
	if len(or) == 0 {
		return words.Say{}
	}
	return words.Of("hypothesis.or", "or", strings.Join(or, " or "))
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
