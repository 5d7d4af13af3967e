package topics

import (
	"cmp"
	"time"

	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/explain/verify"
	"kardia/model/past"
	"kardia/ui/words"
)

// Anomaly is what is out of the ordinary, or begins, without its kind and subject.
func Anomaly(a *review.Anomaly) words.Say {
	lasts := func(d time.Duration) string { return model.Length(d.Round(100 * time.Millisecond)) }
	switch {
	case a.Kind == review.Unobserved:
		return words.Of("anomaly.unobserved", "act", a.Decision.Kind)
	case a.Write != nil:
		return UnexplainedWrite(&verify.Unexplained{Write: a.Write})
	case a.Clock != nil:
		return RecorderClock(a.Clock)
	case a.Kind == review.ClockStep && a.For < 0:
		return words.Of("anomaly.clock-back", "for", lasts(-a.For))
	case a.Kind == review.ClockStep && a.For > 0:
		return words.Of("anomaly.clock-ahead", "for", lasts(a.For))
	case a.Kind == review.LateBeat:
		return words.Of("anomaly.late")
	case a.Kind == review.LongSilence:
		return words.Of("anomaly.returns", "for", lasts(a.For))
	case a.Kind == review.NearMiss:
		return words.Of("anomaly.near", "for", lasts(a.For), "grace", lasts(a.Grace))
	case a.Kind == review.Stall && a.Ends:
		return words.Of("anomaly.answers", "for", lasts(a.For))
	case a.Kind == review.Stall:
		return words.Of("anomaly.stalls", "for", lasts(a.For))
	case a.Decision == nil:
		return words.Text(a.Why)
	case a.Decision.Kind == model.ZoneState:
		return words.Join(": ", words.Text(a.Zone.Value.String()), Why(a.Decision))
	case a.Decision.Kind == model.EnterMasterDisruption, a.Decision.Kind == model.ExitMasterDisruption:
		return words.Join(": ", decided(a.Decision), Why(a.Decision))
	}
	return Why(a.Decision)
}

// Difference is one thing that two versions of an object, or two times, show differently.
func Difference(d *past.Difference) string {
	none := words.Of("difference.none").String()
	is := words.Of("difference.what."+d.Kind.String(), "name", d.Name, "after", d.After,
		"change", words.Of("decision.from-to", "from", cmp.Or(d.Before, none), "to", cmp.Or(d.After, none)))
	if d.Reason != "" {
		is = words.Of("difference.because", "is", is, "why", d.Reason)
	}
	return is.String()
}
