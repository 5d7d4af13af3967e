package themes

import (
	"fmt"
	"slices"

	"github.com/lucasb-eyer/go-colorful"
)

// The least contrast of text on its background (WCAG AA), and the least distance of colours with different meanings.
// CIEDE2000 1 is just noticeable, and single characters need several.
const (
	enough = 4.5
	apart  = 8
)

// quiet are the tokens whose colour has no meaning, or that are plain text on selected rows.
func quiet(k Token) bool { return k == Dim || k == Faint || k == Age0 }

// together are pairs with one meaning: a fresh heartbeat is quiet text, a very late one a warning.
var together = [][2]Token{{Dim, Age0}, {Age3, Warn}}

// Check lists the failures of a theme, nil for none: low contrast of text, and ages that do not rise in contrast. Also
// colours of different meaning that an eye cannot distinguish.
func Check(t Theme) (failed []string) {
	if t.Name == NoColour().Name {
		return nil
	}
	failed = append(failed, t.unreadable()...)
	bg := backgrounds(t.Light)[0]
	for k := Age0; k < Age4; k++ {
		if k > Age0 && contrast(t.Styles[k+1].Fg.colour(), bg) <= contrast(t.Styles[k].Fg.colour(), bg) {
			failed = append(failed, fmt.Sprintf("%v is not more visible than %v", k+1, k))
		}
	}
	for a := range TokenCount {
		for b := a + 1; b < TokenCount; b++ {
			if !t.mustDiffer(a, b) {
				continue
			}
			for _, eye := range eyes {
				if d := 100 * eye.sees(t.catches(a)).DistanceCIEDE2000(eye.sees(t.catches(b))); !(d >= apart) {
					failed = append(failed, fmt.Sprintf("%v and %v are %.1f apart for %s, not %d", a, b, d, eye.name, apart))
				}
			}
		}
	}
	return failed
}

func (t *Theme) unreadable() (failed []string) {
	for k := range TokenCount {
		s := t.Styles[k]
		if k == Rule || s.Reverse {
			continue // carries no information, or has the terminal's own colours
		}
		on := backgrounds(t.Light)
		switch {
		case s.Bg.Set:
			on = []colorful.Color{s.Bg.colour()}
		case !quiet(k) && t.Styles[Select].Bg.Set:
			on = append(on, t.Styles[Select].Bg.colour())
		}
		for _, bg := range on {
			if c := contrast(s.Fg.colour(), bg); c < enough {
				failed = append(failed, fmt.Sprintf("%v %s on %s has contrast %.1f, not %.1f", k, s.Fg.colour().Hex(), bg.Hex(), c, enough))
			}
		}
	}
	return failed
}

// mustDiffer reports whether two tokens can share a screen and differ in meaning: two texts, or two badges.
func (t *Theme) mustDiffer(a, b Token) bool {
	badge := func(k Token) bool { return k >= Live }
	if a == Rule || b == Rule || a == Select || b == Select || badge(a) != badge(b) || slices.Contains(together, [2]Token{a, b}) {
		return false
	}
	return !(a == Dim && b == Age0)
}

// catches is the colour that catches the eye: a badge's background, else the text.
func (t *Theme) catches(k Token) colorful.Color {
	if s := t.Styles[k]; s.Bg.Set {
		return s.Bg.colour()
	}
	return t.Styles[k].Fg.colour()
}

func (c Colour) colour() colorful.Color {
	return colorful.Color{R: float64(c.RGB>>16&0xff) / 255, G: float64(c.RGB>>8&0xff) / 255, B: float64(c.RGB&0xff) / 255}
}

// contrast is the WCAG 2 contrast ratio.
func contrast(a, b colorful.Color) float64 {
	luminance := func(c colorful.Color) float64 {
		r, g, b := c.LinearRgb()
		return 0.2126*r + 0.7152*g + 0.0722*b
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// backgrounds are the usual ones of terminals.
func backgrounds(light bool) []colorful.Color {
	if light {
		return []colorful.Color{Colour{RGB: 0xffffff}.colour(), Colour{RGB: 0xfdf6e3}.colour()}
	}
	return []colorful.Color{Colour{}.colour(), Colour{RGB: 0x1e1e2e}.colour()}
}

// eye is a transformation of linear RGB.
type eye struct {
	name string
	m    [9]float64
}

// eyes are the kinds of colour vision. Source: Machado, Oliveira, Fernandes, A Physiologically-based Model for
// Simulation of Color Vision Deficiency (2009), severity 1.0.
var eyes = []eye{
	{"normal vision", [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}},
	{"protanopia", [9]float64{0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998}},
	{"deuteranopia", [9]float64{0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881}},
	{"tritanopia", [9]float64{1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}},
}

func (e *eye) sees(c colorful.Color) colorful.Color {
	r, g, b := c.LinearRgb()
	m := &e.m
	return colorful.LinearRgb(m[0]*r+m[1]*g+m[2]*b, m[3]*r+m[4]*g+m[5]*b, m[6]*r+m[7]*g+m[8]*b).Clamped()
}
