package topics

import (
	"kardia/model/caveat"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// Caveat is a reason why something is not stated, in one clause.
func Caveat(c *caveat.Caveat) words.Say {
	key := c.Reason.String()
	switch {
	case c.Reason == caveat.NoNode && c.Since.Known():
		key = "node-named"
	case c.Reason == caveat.LeaseNotSeen && c.Since.Known():
		key = "lease-seen"
	case c.Reason == caveat.PodsNotListed && c.Until.Known():
		key = "pods-listed"
	case c.Reason == caveat.PodsNotListed && c.Since.Known():
		key = "pods-seen"
	case c.Reason == caveat.CaptureUndated && c.Until.Bounded():
		key = "capture-between"
	}
	omits := words.Of("caveat-omits", "what", Omits(c.Omits)).If(c.Omits != "")
	is := words.Of("caveat."+key, "n", len(c.Nodes), "since", c.Since.String(), "until", c.Until.String(), "omits", omits)
	why := paint.Clean(c.Why)
	if key == "node-named" { // a line of a log may be of any length
		why = words.Plain.Truncate(why, 80)
	}
	if why != "" {
		return words.Chain(is, words.Text(": "+why))
	}
	return is
}

func caveats(list caveat.List) string {
	var says []words.Say
	for i := range list {
		says = append(says, Caveat(&list[i]))
	}
	return words.Join("; ", says...).String()
}
