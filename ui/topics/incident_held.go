package topics

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kardia/model"
	"kardia/model/explain/incident"
	"kardia/model/infer/processes"
	"kardia/ui/words"
)

func (t *Incident) deleted() words.Say {
	first := t.First(incident.IsDelete)
	switch {
	case !t.ShowsPods && first == nil:
		return words.Of("incident.deleted.not-known")
	case first == nil && t.Undecided.Is() && len(t.Silences) == 0:
		return words.Say{}
	case first == nil && t.Undecided.Is():
		return words.Of("incident.deleted.no-trace")
	case first == nil:
		return words.Of("incident.deleted.none", "at", second(t.To))
	}
	var more words.Say
	after := words.Of("incident.deleted.after", "for", took(first.Time.Sub(t.Origin.At))).If(t.Origin.Is == incident.OfHeartbeat && first.Time > t.Origin.At && !t.Captured)
	n, spared := t.Incident.Deleted()
	if spared > 0 && t.Watched() {
		least := words.Of("incident.at-least").If(!t.PodsListed)
		on := words.Of("incident.deleted.on", "n", len(t.Lost()))
		more = words.Of("incident.deleted.more", "least", least, "k", spared, "on", on, "spared", t.spared(spared))
	}
	unready, strays, _ := t.Strays()
	said := words.Of("incident.deleted.unready", "who", strings.ToLower(ofThem(unready, n).String())).If(unready > 0)
	stray := words.Of("incident.deleted.stray", "who", strings.ToLower(ofThem(strays, n).String())).If(strays > 0 && t.NodeObjects)
	return words.Of("incident.deleted.says", "pods", words.Of("incident.pods-were", "n", n), "at", second(first.Time), "after", after, "more", more, "said", said, "stray", stray)
}

// spared is the verb for n pods that were not deleted, which is unknown if nodes are silent to the end.
func (t *Incident) spared(n int) words.Say {
	if slices.ContainsFunc(t.Silences, func(s incident.Silence) bool { return s.Lasts() }) {
		return words.Of("incident.not-deleted", "n", n, "at", second(t.To))
	}
	return words.Of("incident.spared", "n", n)
}

// ofThem is a part of named ones.
func ofThem(n, all int) words.Say {
	return words.Of("incident.all-of-them", "n", n).If(n == all).Or(words.Of("incident.some-of-them", "k", n))
}

// held is what held the deletions back, if anything.
func (t *Incident) held() words.Say {
	told := t.Undecided.Is() || len(t.Silences) == 0 // then only what a log states
	var parts []words.Say
	if d := t.First(func(d *model.Decision) bool { return d.Kind == model.EnterMasterDisruption }); d != nil && !t.Doubts(d) && (!told || d.Told()) {
		until := words.Say{}
		if e := t.First(func(d *model.Decision) bool { return d.Kind == model.ExitMasterDisruption }); e != nil && e.Time > d.Time {
			until = words.Of("incident.held.until", "at", second(e.Time))
		}
		parts = append(parts, words.Of("incident.held.dark", "at", second(d.Time), "until", until))
	}
	if told {
		return sentence(parts...)
	}
	for _, r := range t.Reached() {
		var zones []string
		for _, z := range r.Zones {
			zones = append(zones, zoneName(z.String()).String())
		}
		slices.Sort(zones)
		parts = append(parts, words.Of("incident.held.zones", "zones", some(slices.Compact(zones), 3), "state", r.State))
	}
	parts = append(parts, t.tainted(), t.restarted())
	return sentence(parts...)
}

func sentence(parts ...words.Say) words.Say {
	text := words.Join("; ", parts...).String()
	if text == "" {
		return words.Say{}
	}
	return words.Of("incident.sentence", "says", capital(text))
}

// capital begins a sentence; other scripts than Latin have no capitals.
func capital(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:]
}

// tainted is how the lost nodes were tainted, and how many others.
func (t *Incident) tainted() words.Say {
	is := t.Tainted()
	switch {
	case is.Nodes+is.Others == 0 && !t.NodeObjects:
		return words.Say{}
	case is.Nodes+is.Others == 0:
		return words.Of("incident.tainted.none")
	case is.Nodes == 0:
		return words.Of("incident.tainted.only-others", "others", is.Others)
	}
	who := words.Of("incident.tainted.of", "n", is.Nodes, "of", is.Lost).If(is.Nodes < is.Lost).Or(words.Of("incident.nodes-were", "n", is.Nodes))
	often := words.Of("incident.tainted.often", "times", is.Times).If(is.Times > is.Nodes && second(is.First) != second(is.Last))
	others := words.Of("incident.tainted.others", "n", is.Others).If(is.Others > 0)
	return words.Of("incident.tainted.says", "who", who, "often", often, "when", span(is.First, is.Last), "others", others)
}

// restarted is a restart of the controller manager and its effect on countdowns.
func (t *Incident) restarted() words.Say {
	starts := t.Restarts()
	if len(starts) == 0 {
		return words.Say{}
	}
	var forgot words.Say
	if c := &t.Countdowns; c.Forgotten > 0 {
		left := words.Of("incident.restarted.left", "n", c.Forgotten, "for", took(c.ForgottenLeft.Value)).If(c.ForgottenLeft.Known)
		forgot = words.Of("incident.restarted.forgot", "n", c.Forgotten, "left", left)
	}
	return words.Of("incident.restarted.says", "n", len(starts), "at", second(starts[0]), "only", t.supposed(), "forgot", forgot)
}

// supposed is that no source shows a restart of the controllers, except the writes that it explains.
func (t *Incident) supposed() words.Say {
	writes, restarts := 0, 0
	for _, h := range t.Found.Leading() {
		if h.Kind == processes.Restarted {
			writes, restarts = writes+len(h.Writes), restarts+1
		}
	}
	switch {
	case restarts == 0:
		return words.Say{}
	case len(t.Restarts()) > restarts:
		return words.Of("incident.restarted.some-supposed", "k", restarts, "writes", writes)
	}
	return words.Of("incident.restarted.supposed", "writes", writes)
}
