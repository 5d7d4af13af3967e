package headline

import (
	"strconv"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/controllers"
	"kardia/ui/paint"
)

// queue says who waits for a taint, and whether one comes.
func (t *tally) queue() sentence {
	o := t.controllers
	lead, brief := t.waits(""), strconv.Itoa(t.controllers.Queued+t.controllers.Anew)+" wait"
	besides, others := "", []string{""}
	anew, held := t.waitsHow()
	if text, inBrief := t.stuck(); text != "" {
		besides = "; " + text
		others = []string{besides, "; " + inBrief, ""}
	}
	then := t.then()
	halted := func(why string) sentence {
		if then != "" { // it ends: who was silent is back, or every node of another zone is
			waits := "; " + lead + anew + ": halted now, for " + why
			return sentence{t.p.Glyphs.Predicted, themes.Predicted, []string{"next: " + then}, []string{waits + besides, waits, "; " + lead + ": halted now", "; " + brief + " for a taint: halted now", "; " + brief + ": halted now", "; halted now", ""}}
		}
		return sentence{t.p.Glyphs.Inferred, themes.Halted, []string{lead + anew + ": halted, for " + why, lead + ": halted, for " + why, lead + ": halted", lead}, others}
	}
	if o.Master {
		return halted("every zone is dark")
	}
	if held == allHalted {
		return halted("too many are not ready")
	}
	rests := []string{""}
	if soon := t.nextTaint(); soon != "" {
		rests = []string{", the next is tainted " + soon + t.goes(then), ", the next " + soon, ""}
	}
	return sentence{t.p.Glyphs.Predicted, themes.Predicted, []string{"next: " + lead + anew + held, "next: " + lead}, rests}
}

// nextTaint is by when the next node that waits is tainted; "" where that is not certain.
func (t *tally) nextTaint() string {
	next := model.FarFuture
	for i := range t.controllers.Zones {
		if z := &t.controllers.Zones[i]; z.Next.Known() && len(z.Waiting) > 0 {
			next = min(next, z.Next.Latest)
		}
	}
	if next == model.FarFuture {
		return ""
	}
	if within := (max(next.Sub(t.s.From()), 0) + time.Second - 1).Truncate(time.Second); within > 0 {
		return "within " + paint.Duration(within)
	}
	return "at once"
}

// goes is what follows upon a taint, where no countdown runs yet: then says how many pods go, and when.
func (t *tally) goes(then string) string {
	if !t.s.Has(model.KindPod) {
		return ", its pods go when they no longer tolerate that"
	}
	if then != "" {
		return ", then " + then
	}
	return "; no pod is deleted for it as things are"
}

// then is how many pods go, and when the first do; "" where none is foreseen to.
func (t *tally) then() string {
	is, first := &t.controllers.Total, model.Interval{}
	for i := range t.controllers.Forecast.Evictions {
		if e := &t.controllers.Forecast.Evictions[i]; e.State.Ahead() && e.Window.Earliest.Bounded() && (!first.Known() || controllers.Sooner(e.Window, first)) {
			first = e.Window
		}
	}
	if is.Most == 0 || !first.Known() {
		return ""
	}
	if w := is.First; w.Known() && w.Latest < first.Latest {
		first.Latest = max(w.Latest, first.Earliest)
	}
	return is.Deleted.String() + " deleted, the first " + t.p.In(t.s.From(), first)
}

// waits says how many stand in the queues, as the rows of the zones do: also who has its taint, and waits to get it anew. more is
// "more " where others were told of before.
func (t *tally) waits(more string) string {
	return model.Counted(t.controllers.Queued+t.controllers.Anew, more+"node waits for a NoExecute taint", more+"nodes wait for a NoExecute taint")
}

// allHalted is said of who waits where no zone of theirs taints any.
const allHalted = ": halted"

// waitsHow is what else is to be said of those that wait: how many have their taint, and get it anew; and how many get none as
// things stand, as the rows of their zones say.
func (t *tally) waitsHow() (anew, held string) {
	o := t.controllers
	if o.Anew > 0 {
		anew = ", " + strconv.Itoa(o.Anew) + " of them again"
	}
	halted := 0
	for i := range o.Zones {
		if z := &o.Zones[i]; z.Rate == 0 || o.Master {
			halted += len(z.Waiting)
		}
	}
	switch {
	case halted > 0 && halted == o.Queued+o.Anew:
		held = allHalted
	case halted > 0:
		held = ", " + strconv.Itoa(halted) + " of them halted"
	}
	return anew, held
}
