package topics

import (
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
	if ready {
		return words.Of("branch.posts.ready")
	}
	return words.Of("branch.posts.unready")
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
	if c.Certain {
		return words.Of("branch.change." + c.Change.String())
	}
	return words.Of("branch.may." + c.Change.String())
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
