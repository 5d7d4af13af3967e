package topics

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/simulate/alternative"
	"kardia/ui/words"
)

// OptionName is what an option is called; node is the one that it names.
func OptionName(a *alternative.Alternative, node string) words.Say {
	if a.Kind == alternative.OneMore && node != "" {
		return words.Of("option.one-more-of", "node", node)
	}
	return words.Of("option.name." + a.Kind.String())
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
