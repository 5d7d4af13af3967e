package topics

import (
	"cmp"

	"kardia/model/past"
	"kardia/ui/words"
)

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
