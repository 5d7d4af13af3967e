package command

import (
	"kardia/model/caveat"
	"kardia/ui/report"
)

// caveats are why some claims are not earned by what was seen; the exit code says so.
func (r *run) caveats(v caveat.View, claims caveat.Claim) report.Caveats {
	list := report.CaveatsOf(caveat.Of(v).Forbids(claims))
	if len(list.NotKnown) > 0 {
		r.note(Partial)
	}
	return list
}

// sayCaveats is caveats for tables, which have no line for them.
func (r *run) sayCaveats(v caveat.View, claims caveat.Claim) report.Caveats {
	list := r.caveats(v, claims)
	if says := list.Says(); says != "" {
		r.say("not known: %s", says)
	}
	return list
}
