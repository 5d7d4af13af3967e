package topics

import (
	"time"

	"kardia/model"
	"kardia/ui/words"
)

// Why is the reason of a decision, or what it changes if that is all; the zero Say if it has none.
func Why(d *model.Decision) words.Say {
	if _, _, is := Changed(d); is && d.Why.Code == model.NoReason {
		return changed(d)
	}
	say := reason(d, d.Why.Code)
	for _, code := range d.Why.Also {
		switch next := reason(d, code); {
		case code == model.NoReason:
		case code == model.WhyByMaster, code == model.WhyStillThere: // begin with a comma
			say = words.Chain(say, next)
		case code >= model.WhyLeaseAhead && code <= model.WhyStatusSent:
			say = words.Of("reason-sent", "why", say, "sent", next)
		default:
			say = words.Join("; ", say, next)
		}
	}
	return say
}

// WhyBesides is Why, unless Decision has said it: a change of a zone's state or rate.
func WhyBesides(d *model.Decision) words.Say {
	if _, _, is := Changed(d); is {
		return words.Say{}
	}
	return Why(d)
}

func reason(d *model.Decision, code model.ReasonCode) words.Say {
	r := &d.Why
	if code == model.NoReason {
		return words.Say{}
	}
	silent := words.Of("reason-silent-beyond", "for", model.Length(r.For), "grace", model.Length(r.Most)).If(r.Most > 0).Or(words.Of("reason-silent", "for", model.Length(r.For)))
	return words.Of("reason."+code.String(), "name", r.Name, "gate", model.GateComparisonOperators, "at", r.At, "stamp", r.At.String(),
		"until", r.Until.String(), "n", max(int(r.Times), 1), "for", lengths(r.For, r.Most), "within", model.Length(r.Most),
		"heard", model.Length(r.Heard), "posted", model.Length(r.Posted), "silent", silent, "unled", words.Of("no-leader"),
		"state", d.State.To, "rate", model.Number(d.Rate.To).String())
}

// lengths are two lengths that bound one; a single one if they hardly differ.
func lengths(from, to time.Duration) words.Say {
	return words.Text(model.Length(from)).If(to-from < 100*time.Millisecond).Or(words.Of("reason-between", "from", model.Length(from), "to", model.Length(to)))
}
