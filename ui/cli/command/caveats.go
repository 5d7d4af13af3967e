package command

import (
	"strings"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/history"
	"kardia/ui/contract"
)

// caveats words caveats, and notes the exit code for them.
func (r *run) caveats(why caveat.List) contract.Caveats {
	list := contract.CaveatsOf(why)
	if len(list.NotKnown) > 0 {
		r.note(Partial)
	}
	return list
}

// sayCaveats is caveats for tables, which have no line for them.
func (r *run) sayCaveats(why caveat.List) contract.Caveats {
	list := r.caveats(why)
	if says := list.Says(); says != "" {
		r.say("not known: %s", says)
	}
	return list
}

// saySeen is sayCaveats for the end of the input, of one node or, for "", all.
func (r *run) saySeen(j *judged, node string, claims caveat.Claim) (contract.Caveats, error) {
	v, err := j.view(j.History.Coverage().Latest)
	v.Node = node
	if err != nil {
		return contract.Caveats{}, err
	}
	return r.sayCaveats(caveat.Of(v).Forbids(claims)), nil
}

// viewOf is the state of an input at a time. lacks are the kinds for which a live cluster did not answer.
func viewOf(h history.History, watched bool, lacks map[model.Kind]string, at model.Instant) (caveat.View, error) {
	v, err := caveat.At(h, at)
	v.Watched, v.Lacks = watched, lacks
	return v, err
}

func (j *judged) view(at model.Instant) (caveat.View, error) {
	return viewOf(j.History, j.Watched, j.unread, at)
}

// known is view, with the controllers as known then.
func (j *judged) known(at model.Instant) (v caveat.View, err error) {
	if v, err = j.view(at); err == nil {
		v.Controllers, err = j.result.Known(at)
	}
	return v, err
}

// absent is the fault of a subject that is not in the input. If not all were listed, it may exist.
func absent(known caveat.List, what, name, where string, names []string) *Fault {
	claim := caveat.NodeCount
	if what == "pod" {
		claim = caveat.PodCount
	}
	f := nobody(what, name, where, names)
	if unknown := contract.CaveatsOf(known.Forbids(claim)).Says(); unknown != "" {
		if strings.HasPrefix(f.Next, "There are") { // and others
			f.Next = ""
		}
		f.Code, f.What = Partial, "no "+what+" \""+name+"\" is known in "+where+": "+unknown
	}
	return f
}
