// Package volume is how a volume that hangs on a node is told on the screens.
package volume

import (
	"kardia/model"
	"kardia/model/explain/volumes"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/paint"
)

// Name is the claim, where it is known, and else the PersistentVolume or the attachment.
func Name(v *volumes.Volume) string {
	switch {
	case v.Claim != (model.Key{}):
		return v.Claim.String()
	case v.Name != "":
		return v.Name
	}
	return v.Attachment
}

// When is in how long it is detached by force; "" where it is not.
func When(p *paint.Painter, now model.Instant, v *volumes.Volume) string {
	if !v.Detached.Known() {
		return ""
	}
	return "in " + p.Ahead(now, v.Detached) + ", " + decision.Window(v.Detached, p)
}

// Row is a volume in a sentence.
func Row(p *paint.Painter, now model.Instant, v *volumes.Volume) (themes.Token, string) {
	text := Name(v) + ": " + v.Says()
	if when := When(p, now, v); when != "" {
		text += ": " + when
	}
	if v.State == volumes.Asked {
		text += ", asked for " + paint.Duration(now.Sub(v.Asked)) + " ago"
	}
	switch v.State {
	case volumes.Counting:
		return themes.Predicted, text
	case volumes.Stuck, volumes.Overdue:
		return themes.Warn, text
	}
	return themes.Text, text
}
