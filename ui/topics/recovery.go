// Package topics words each thing that Kardia explains, once: from the model's findings to a doc, whose sentences are
// in ui/words. Screens, commands and reports use it. Example: Recovery words the ways to remove stuck pods.
package topics

import (
	"slices"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/explain/impact"
	"kardia/model/explain/recovery"
	"kardia/ui/doc"
	"kardia/ui/words"
)

// Recovery is how the stuck pods of a node go, and what must be so before it is marked out of service.
type Recovery struct {
	recovery.Assessment

	At model.Instant
	// Ahead is how many of its pods may be deleted yet.
	Ahead int
	// Elsewhere is how many pods are stuck on other nodes, On those nodes.
	Elsewhere int
	On        []string
	// PodsUnread is why its pods are unknown; "" if they are known.
	PodsUnread string
}

const (
	// stuckShown is the number of workloads named before the ways to remove their pods, podsShown the pods of each.
	stuckShown = 2
	podsShown  = 2
)

// Doc words it: the first questions are in the first lines, as many as a small window has. Volumes and commands follow.
func (r *Recovery) Doc() (d doc.Doc) {
	groups := stuckBy(&r.Assessment)
	r.stuck(&d, groups)
	for i := range r.Exits {
		d.Say(doc.Plain, words.Of("recovery.numbered", "number", i+1, "way", ExitSay(&r.Exits[i])))
	}
	d.Titled(words.Of("recovery.safe"), doc.Warn, r.safe())
	for i := range r.Checks {
		sign, tone := doc.Open, doc.Warn
		switch r.Checks[i].Answer {
		case recovery.Yes:
			sign, tone = doc.Yes, doc.Plain
		case recovery.No:
			sign, tone = doc.No, doc.Warn
		}
		d.Sign(sign, tone, CheckSay(&r.Checks[i], words.Range{Least: r.Checks[i].For, Most: r.Checks[i].For}))
	}
	if r.PodsUnread != "" {
		d.Say(doc.Warn, words.Of("recovery.taint-unread", "why", r.PodsUnread))
	} else {
		d.Say(doc.Dim, words.Of("recovery.taint", "deleted", words.Of("recovery.taint-deletes", "n", r.Deleted),
			"tolerating", words.Of("recovery.taint-spares", "n", r.Tolerating), "stuck", len(r.Stuck)))
	}
	d.Say(doc.Dim, words.Of("recovery.untaint"))
	d.Say(doc.Dim, words.Of("recovery.no-schedule"))
	if len(r.Volumes) > 0 { // the time of their release is the first question
		r.volumes(&d)
	}
	r.commands(&d)
	if len(r.Volumes) == 0 {
		r.volumes(&d)
	}
	if len(groups) > stuckShown || slices.ContainsFunc(groups, func(g stuck) bool { return len(g.pods) > podsShown+1 }) {
		d.Head(words.Of("recovery.all"))
		for i := range groups {
			d.Sign(doc.Recorded, doc.Plain, groups[i].say(r, len(groups[i].pods)))
		}
	}
	return d
}

// stuck is the stuck pods, or that there are none.
func (r *Recovery) stuck(d *doc.Doc, groups []stuck) {
	ahead := words.Say{}
	switch {
	case r.Ahead > 0 && len(r.Stuck) > 0:
		ahead = words.Of("recovery.ahead-others", "n", r.Ahead)
	case r.Ahead > 0:
		ahead = words.Of("recovery.ahead", "n", r.Ahead)
	}
	d.Titled(words.Of("recovery.title"), doc.Dim, ahead)
	for i := range groups[:min(len(groups), stuckShown)] {
		d.Sign(doc.Recorded, doc.Plain, groups[i].say(r, podsShown))
	}
	if more := len(groups) - stuckShown; more > 0 {
		d.Say(doc.Dim, words.Of("recovery.more", "n", more))
	}
	switch {
	case r.PodsUnread != "":
		d.Say(doc.Warn, words.Of("recovery.pods-unread", "why", r.PodsUnread))
	case len(r.Stuck) == 0:
		d.Say(doc.Dim, words.Of("recovery.none"))
		if r.Elsewhere > 0 {
			d.Say(doc.Plain, words.Of("recovery.elsewhere", "n", r.Elsewhere, "nodes", r.On))
		}
	case len(r.Exits) == 0:
		d.Say(doc.Dim, words.Of("recovery.renews"))
	default:
		d.Titled(words.Of("recovery.how"), doc.Warn, words.Of("recovery.how-risk"))
	}
}

// safe reports whether the node may be marked out of service: not if a check fails, and not yet while one is open.
func (r *Recovery) safe() words.Say {
	fails, open := words.Of("recovery.fails", "n", r.Fails()), words.Of("recovery.open", "n", r.Open())
	switch {
	case r.Fails() > 0 && r.Open() > 0:
		return words.Of("recovery.safe-no-open", "fails", fails, "open", open)
	case r.Fails() > 0:
		return words.Of("recovery.safe-no", "fails", fails)
	case r.Open() > 0:
		return words.Of("recovery.safe-open", "open", open)
	}
	return words.Of("recovery.safe-yes")
}

// ExitSay is one of the ways by which stuck pods go.
func ExitSay(e *recovery.Exit) words.Say {
	return words.Of("recovery.way."+e.Way.String(), "n", e.Pods)
}

// Twice is what goes wrong with each way that needs a command, if the machine is not off.
func Twice() words.Say { return words.Of("recovery.twice") }

// CheckSay is one of the checks, of nodes for which it lasts so long.
func CheckSay(c *recovery.Check, lasts words.Range) words.Say {
	return words.Of("recovery.check."+c.Finding.String(), "for", lasts, "n", c.Volumes, "why", c.Unread, "version", c.Version)
}

func (r *Recovery) commands(d *doc.Doc) {
	d.Head(words.Of("recovery.commands"))
	for _, c := range r.Checks {
		d.Command("?", CheckCommand(&c))
	}
	for i, e := range r.Exits {
		for _, line := range e.Commands {
			d.Command(strconv.Itoa(i+1), line)
		}
	}
	if len(r.Exits) == 0 {
		d.Command("", r.Taint)
	}
	d.Command("", r.Untaint)
}

func (r *Recovery) volumes(d *doc.Doc) {
	d.Head(words.Of("volume.title"))
	if r.Unread != "" {
		d.Say(doc.Dim, words.Of("volume.unread", "why", r.Unread))
	} else if len(r.Volumes) == 0 {
		d.Say(doc.Dim, words.Of("volume.none"))
	}
	for i := range r.Volumes {
		tone, text := Volume(&r.Volumes[i], r.At)
		d.Sign(doc.Recorded, tone, text)
		d.Below(doc.Warn, words.Text(r.Volumes[i].Failed))
	}
	d.Say(doc.Dim, words.Of("volume.clock"))
	if len(r.Volumes) > 0 {
		d.Say(doc.Dim, words.Of("volume.assumes", "what", VolumesAssume()))
	}
}

// stuck are the stuck pods of one workload, or those without one.
type stuck struct {
	of    impact.Owner // zero for none
	pods  []*model.Pod
	since model.Interval // when their grace was over
}

func stuckBy(o *recovery.Assessment) (list []stuck) {
	for _, k := range o.Stuck {
		var of impact.Owner
		if k.Pod.Owner != nil {
			of = impact.OwnerOf(k.Pod)
		}
		i := slices.IndexFunc(list, func(g stuck) bool { return g.of == of })
		if i < 0 {
			i, list = len(list), append(list, stuck{of: of, since: model.Exactly(k.Since)})
		}
		g := &list[i]
		g.pods, g.since = append(g.pods, k.Pod), model.Interval{Earliest: min(g.since.Earliest, k.Since), Latest: max(g.since.Latest, k.Since)}
	}
	return list
}

// say names the owner, how long its pods have been stuck, their volumes, and at most most pods.
func (g *stuck) say(r *Recovery, most int) words.Say {
	of := words.Of("recovery.of", "kind", g.of.Kind, "name", g.of.Namespace+"/"+g.of.Name).If(g.of != (impact.Owner{})).Or(words.Of("recovery.of-none"))
	var keeps []words.Say
	for i := range r.Volumes {
		v := &r.Volumes[i]
		if slices.ContainsFunc(g.pods, func(pod *model.Pod) bool { return slices.Contains(v.By, pod) }) {
			when := words.Of("recovery.keeps-until")
			if v.Detached.Known() {
				when = volumeWhen(v, r.At)
			}
			keeps = append(keeps, words.Of("recovery.keeps", "volume", v.Called(), "when", when))
		}
	}
	pods := words.Text(strings.Join(keys(g.pods), " "))
	if len(g.pods) > most+1 {
		pods = words.Of("and-more", "names", strings.Join(keys(g.pods[:most]), " "), "n", len(g.pods)-most)
	}
	return words.Of("recovery.stuck", "n", len(g.pods), "of", of, "late", words.Range{Least: r.At.Sub(g.since.Latest), Most: r.At.Sub(g.since.Earliest)},
		"keeps", words.Chain(keeps...), "pods", pods)
}

func keys(pods []*model.Pod) (list []string) {
	for _, p := range pods {
		list = append(list, p.Key.String())
	}
	return list
}

// CheckCommand is how a person finds out what Kardia cannot; "" if there is nothing to find out.
func CheckCommand(c *recovery.Check) string {
	if c.Command == "" && c.Finding == recovery.MachineUnknown {
		return machine(c.Provider).String()
	}
	return c.Command
}

// machine is where to check whether a machine runs.
func machine(provider string) words.Say {
	return words.Of("recovery.machine.console").If(provider == "").Or(words.Of("recovery.machine.ask", "id", provider))
}
