package topics

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/simulate/alternative"
	"kardia/model/simulate/whatif"
	"kardia/ui/words"
)

// BranchAssumes are what the answer of a branch rests on.
func BranchAssumes(a *whatif.Answer) (list []words.Say) {
	for _, is := range a.Assumptions {
		list = append(list, words.Of("branch.assumes."+string(is.What), "n", is.N, "at", words.Stamp(is.At), "until", words.Stamp(is.Until), "node", is.Node, "zone", is.Zone, "pods", listed(is.Pods, 3),
			"ready", KubeletPosts(true), "unready", KubeletPosts(false)))
	}
	return list
}

// KubeletPosts is what a kubelet that is back is supposed to post, Ready or not.
func KubeletPosts(ready bool) words.Say {
	return words.Of("branch.posts.ready").If(ready).Or(words.Of("branch.posts.unready"))
}

// BranchFit is how far the unchanged run agrees with what was recorded.
func BranchFit(f *whatif.Fit) words.Say {
	if len(f.Extra)+f.Writes == 0 {
		return words.Of("branch.fit-none")
	}
	extra := words.Of("branch.fit-exact").If(len(f.Extra) == 0).Or(words.Of("branch.fit-extra", "n", len(f.Extra)))
	since := words.Of("branch.fit-since", "at", f.Since).If(f.Since.Known())
	return words.Of("branch.fit", "reproduced", f.Reproduced, "writes", f.Writes, "since", since, "extra", extra)
}

// BranchTolerates is how long pods tolerate the taints of a silent node in a branch.
func BranchTolerates(seconds int64) words.Say {
	return words.Of("branch.tolerates", "seconds", int(seconds))
}

// ChangeWord is how a decision differs: what all races lead to, or what some do.
func ChangeWord(c *whatif.Change) words.Say {
	return words.Of("branch.change." + c.Change.String()).If(c.Certain).Or(words.Of("branch.may." + c.Change.String()))
}

// Simulated is when a decision comes in a branch.
func Simulated(c *whatif.Change) words.Say {
	switch {
	case c.Branch == nil && c.Certain:
		return words.Of("branch.never")
	case c.Branch == nil:
		return words.Of("branch.not-by-end")
	case c.Branch.Certain:
		return words.Of("branch.comes", "window", c.Branch.Window)
	}
	return words.Of("branch.may-come", "window", c.Branch.Window)
}

// BranchRefusal is why there is no branch.
func BranchRefusal(r *whatif.Refusal) words.Say {
	first, made, extra, writes, because := words.Say{}, 0, 0, 0, words.Say{}
	if r.Because != nil {
		because = Note(r.Because)
	}
	if f := r.Fit; f != nil {
		made, extra, writes = f.Reproduced, len(f.Extra), f.Writes
		if len(f.Missing) > 0 {
			first = words.Of("branch.refusal-missing", "write", f.Missing[0].String())
		} else if extra > 0 {
			first = words.Of("branch.refusal-extra", "write", f.Extra[0].String())
		}
	}
	is := []words.Say{words.Of("branch.refusal."+r.Code.String(), "because", because, "from", r.Begins.Earliest.String(), "asked", r.Asked.String(), "begin", r.Within.Earliest.String(),
		"end", r.Within.Latest.String(), "for", r.For.String(), "nodes", r.N, "most", r.Most, "reproduced", made, "extra", extra, "writes", writes), first}
	for _, v := range r.Stalls {
		is = append(is, words.Of("branch.refusal-stall", "from", v.Earliest.Clock(), "to", v.Latest.Clock()))
	}
	return words.Chain(is...)
}

// OptionName is what an option is called; node is the one that it names.
func OptionName(a *alternative.Alternative, node string) words.Say {
	return words.Of("option.one-more-of", "node", node).If(a.Kind == alternative.OneMore && node != "").Or(words.Of("option.name." + a.Kind.String()))
}

// OptionMissing is why an option cannot be simulated.
func OptionMissing(a *alternative.Alternative) words.Say {
	why := words.Of("option.missing." + string(a.Missing))
	if a.Kind == alternative.OneMore {
		return words.Of("option.any-node", "why", why)
	}
	return why
}

// Losses is how many pods are deleted: for certain, and at most; or how many of those to which it may come.
func Losses(o *alternative.Losses) words.Say {
	certain := words.Of("option.certain", "certain", o.Certain)
	between := words.Between{Least: o.Certain + o.Least, Most: o.Certain + o.Most}
	switch {
	case o.Possible == 0:
		return certain
	case o.Least > 0 || o.Most < o.Possible || o.Least == o.Most:
		return words.Of("option.between", "between", between, "possible", o.Certain+o.Possible)
	}
	return words.Of("option.at-most", "certain", certain, "most", between.Most)
}

// OptionEffect is what differs from what comes if nothing is changed.
func OptionEffect(a *alternative.Alternative, stands *alternative.Losses) words.Say {
	var list []words.Say
	add := func(what string, keys []model.Key) {
		if len(keys) > 0 {
			list = append(list, words.Of("option.pods."+what, "n", len(keys), "pod", keys[0]))
		}
	}
	// Pods that may be deleted either way, and surely here, are named nowhere: a race decides which ones.
	if least := a.Certain + a.Least - stands.Certain - stands.Most; least > len(a.Lost)+len(a.MayLose) {
		list = append(list, words.Of("option.more", "between", words.Between{Least: least, Most: a.Certain + a.Most - stands.Certain - stands.Least}))
	}
	add("spared", a.Spared)
	raced := len(a.MaySpare) + len(a.MayLose) // pods of which a race decides which go
	among := raced > 1 && raced == a.Possible && a.Most < raced
	race := "both"
	switch {
	case len(a.MayLose) == 0:
		race = "spared"
	case len(a.MaySpare) == 0:
		race = "deleted"
	}
	if among {
		list = append(list, words.Of("option.race."+race, "between", words.Between{Least: a.Least, Most: a.Most}, "pods", raced, "would", len(a.MaySpare)))
	} else {
		add("may-spare", a.MaySpare)
	}
	now, stay := atOnce(a)
	list = append(list, now)
	add("lost", stay)
	if !among {
		add("may-lose", a.MayLose)
	}
	add("sooner", slices.DeleteFunc(slices.Clone(a.Sooner), func(key model.Key) bool { return slices.Contains(a.Now, key) }))
	add("later", a.Later)
	add("ends", a.Ends)
	if a.Kind == alternative.NoRate && a.Most < a.Possible {
		list = append(list, words.Of("option.token"))
	}
	if a.Zone != a.AsIs {
		list = append(list, words.Of("option.zone", "state", StateName(a.Zone)))
	}
	all := words.Join("; ", list...)
	switch {
	case !all.Missing():
		return all
	case a.Kind == alternative.Longer && a.Next.Earliest.Sub(stands.Next.Earliest) > time.Second:
		return words.Of("option.put-off")
	case a.Kind == alternative.Cordon || a.Kind == alternative.Longer:
		return words.Of("option.nothing." + a.Kind.String())
	}
	return words.Of("option.nothing.at-all")
}

// atOnce is the pods deleted at once, and those that would stay without that; later are the others that would.
func atOnce(a *alternative.Alternative) (said words.Say, later []model.Key) {
	var lost []model.Key
	for _, key := range a.Lost {
		if slices.Contains(a.Now, key) {
			lost = append(lost, key)
		} else {
			later = append(later, key)
		}
	}
	if len(a.Now) == 0 {
		return said, later
	}
	would := words.Say{}
	switch n := len(lost); {
	case n > 0 && n == len(a.Now):
		would = words.Of("option.would-stay")
	case n > 0:
		would = words.Of("option.some-would-stay", "some", n)
	}
	which := words.Of("option.which", "pod", cmp.Or(append(lost, a.Now...)...)).If(len(lost) == 1 || len(a.Now) == 1)
	return words.Of("option.at-once", "n", len(a.Now), "would", would, "which", which), later
}
