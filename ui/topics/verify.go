package topics

import (
	"time"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/explain/why"
	"kardia/model/infer"
	"kardia/model/infer/evidence"
	"kardia/ui/words"
)

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
