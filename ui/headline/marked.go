package headline

import (
	"strings"

	"kardia/model"
	"kardia/themes"
)

// marked is how many pods are still not Ready though their nodes are Ready again; "" where none is. Kubernetes sends them no
// traffic, and their nodes read as if all were well.
func (t *tally) marked() string {
	n := len(t.controllers.Marked)
	if n == 0 {
		return ""
	}
	return model.Counted(n, "pod is still not Ready", "pods are still not Ready")
}

// butMarked is what is said of nodes that are well, and of the pods that are not.
func (t *tally) butMarked(is sentence) sentence {
	marked := t.marked()
	if marked == "" {
		return is
	}
	by := ": marked by the controller"
	why := by + " when their nodes were lost"
	if len(t.controllers.Marked) == 1 {
		why = by + " when its node was lost"
	}
	is.glyph, is.token, is.lead = t.p.Glyphs.NotReady, themes.Warn, []string{is.lead[0] + ", but " + marked, marked}
	var rest []string
	for _, text := range is.rest {
		if more, besides := strings.CutPrefix(text, ", "); besides {
			text = "; " + more
		}
		rest = append(rest, why+text)
	}
	is.rest = append(rest, by, "")
	return is
}
