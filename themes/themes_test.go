package themes

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/lucasb-eyer/go-colorful"
)

func TestEveryTokenIsFilled(t *testing.T) {
	for _, theme := range All() {
		if theme.Name == "no-colour" {
			for k, s := range theme.Styles {
				if s.Fg.Set || s.Bg.Set {
					t.Errorf("no-colour: %v has a colour", Token(k))
				}
			}
			continue
		}
		for k, s := range theme.Styles {
			if !s.Fg.Set {
				t.Errorf("%s: %v has no colour", theme.Name, Token(k))
			}
		}
	}
}

func TestTokensHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for k := range TokenCount {
		if name := k.String(); name == "" || name == "?" || seen[name] {
			t.Errorf("token %d is called %q", k, name)
		} else {
			seen[name] = true
		}
	}
	if len(seen) > 26 {
		t.Errorf("%d tokens: too many to keep apart", len(seen))
	}
}

func TestNamed(t *testing.T) {
	for _, theme := range All() {
		if got, ok := Named(theme.Name); !ok || got.Name != theme.Name {
			t.Errorf("%s is not found by its name", theme.Name)
		}
	}
	if _, ok := Named("plaid"); ok {
		t.Error("found a theme that does not exist")
	}
	if For(true).Light || !For(false).Light {
		t.Error("the default themes are made for the wrong backgrounds")
	}
}

func rgb(c uint32) colorful.Color {
	return colorful.Color{R: float64(c>>16&0xff) / 255, G: float64(c>>8&0xff) / 255, B: float64(c&0xff) / 255}
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

// backgrounds are what terminals are usually set to.
func backgrounds(light bool) []uint32 {
	if light {
		return []uint32{0xffffff, 0xfdf6e3}
	}
	return []uint32{0x000000, 0x1e1e2e}
}

// Text is readable (WCAG AA, 4.5:1) on its background, in selected rows and in badges.
func TestContrast(t *testing.T) {
	const enough = 4.5
	for _, theme := range All() {
		if theme.Name == "no-colour" {
			continue
		}
		selection := theme.Styles[Select].Bg.RGB
		for k := range TokenCount {
			s := theme.Styles[k]
			if k == Rule {
				continue // carries no information
			}
			on := append(backgrounds(theme.Light), selection)
			switch {
			case s.Bg.Set:
				on = []uint32{s.Bg.RGB}
			case k == Dim || k == Faint || k == Age0:
				on = backgrounds(theme.Light) // lifted to plain text in selected rows
			}
			for _, bg := range on {
				if c := contrast(rgb(s.Fg.RGB), rgb(bg)); c < enough {
					t.Errorf("%s: %v #%06x on #%06x has contrast %.2f", theme.Name, k, s.Fg.RGB, bg, c)
				}
			}
		}
	}
}

// The ramp of ages stands out more and more: a late cell catches the eye before a fresh one.
func TestRampRises(t *testing.T) {
	for _, theme := range []Theme{Dark(), Light(), HighContrastDark(), HighContrastLight()} {
		bg := rgb(backgrounds(theme.Light)[0])
		for k := Age0; k < Age4; k++ {
			a, b := rgb(theme.Styles[k].Fg.RGB), rgb(theme.Styles[k+1].Fg.RGB)
			if contrast(b, bg) <= contrast(a, bg) {
				t.Errorf("%s: %v does not stand out more than %v", theme.Name, k+1, k)
			}
		}
	}
}

// eyes are kinds of colour vision: what each makes of linear RGB.
// Source: Machado, Oliveira, Fernandes, A Physiologically-based Model for Simulation
// of Color Vision Deficiency (2009), severity 1.0.
var eyes = map[string][9]float64{
	"normal":       {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"tritanopia":   {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
}

func seen(m [9]float64, c colorful.Color) colorful.Color {
	r, g, b := c.LinearRgb()
	return colorful.LinearRgb(m[0]*r+m[1]*g+m[2]*b, m[3]*r+m[4]*g+m[5]*b, m[6]*r+m[7]*g+m[8]*b).Clamped()
}

// Colours that stand side by side and mean different things stay apart for every eye.
// ΔE (CIEDE2000) of 1 is just noticeable; single characters need several.
func TestStatesStayApart(t *testing.T) {
	const apart = 8
	beside := [][2]Token{
		{Unknown, NotReady}, {Unknown, Cordoned}, {Unknown, Age0}, {Unknown, Age3}, {Unknown, Age4},
		{NotReady, Cordoned}, {NotReady, Age0}, {Cordoned, Age0}, {Unknown, Evict}, {Evict, Age0},
		{Evict, Cordoned}, {Unknown, Warn}, {Live, Replay}, {Accent, Text}, {Age0, Age3},
	}
	for _, theme := range []Theme{Dark(), Light(), HighContrastDark(), HighContrastLight()} {
		for _, pair := range beside {
			a, b := colourOf(theme, pair[0]), colourOf(theme, pair[1])
			for eye, m := range eyes {
				d := 100 * seen(m, a).DistanceCIEDE2000(seen(m, b))
				if d < apart || math.IsNaN(d) {
					t.Errorf("%s, %s: %v and %v are only %.1f apart", theme.Name, eye, pair[0], pair[1], d)
				}
			}
		}
	}
}

// colourOf is the colour that catches the eye: a badge's background, else the text.
func colourOf(theme Theme, k Token) colorful.Color {
	if s := theme.Styles[k]; s.Bg.Set {
		return rgb(s.Bg.RGB)
	}
	return rgb(theme.Styles[k].Fg.RGB)
}

// Every glyph is there, one cell wide, one rune, no emoji; in the ASCII set plain ASCII.
func TestGlyphs(t *testing.T) {
	for _, set := range []Glyphs{Unicode(), ASCII()} {
		v := reflect.ValueOf(set)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			switch f := v.Field(i); {
			case name == "Name":
			case f.Kind() == reflect.String:
				checkGlyph(t, set, name, f.String())
			case f.Kind() == reflect.Array:
				for k := range f.Len() {
					checkGlyph(t, set, fmt.Sprint(name, k), f.Index(k).String())
				}
			}
		}
	}
}

func checkGlyph(t *testing.T, set Glyphs, name, glyph string) {
	t.Helper()
	r, size := utf8.DecodeRuneInString(glyph)
	switch {
	case size == 0 || size != len(glyph):
		t.Errorf("%s %s: %q is not one character", set.Name, name, glyph)
	case ansi.StringWidth(glyph) != 1 || !unicode.IsPrint(r):
		t.Errorf("%s %s: %q is not one cell", set.Name, name, glyph)
	case set.ASCII && r > 0x7e:
		t.Errorf("%s %s: %q is not ASCII", set.Name, name, glyph)
	case r >= 0x2800 && r < 0x2900 || r >= 0x1f000:
		t.Errorf("%s %s: %q is braille or an emoji", set.Name, name, glyph)
	}
}

// States that share a heat map have different glyphs, so that colour is never needed.
func TestHeatGlyphsDiffer(t *testing.T) {
	for _, g := range []Glyphs{Unicode(), ASCII()} {
		used := map[string]string{}
		for name, glyph := range map[string]string{
			"fresh": g.Age[0], "ok": g.Age[1], "late": g.Age[2], "very late": g.Age[3], "past": g.Past, "no age": g.NoAge,
			"unknown": g.Unknown, "not ready": g.NotReady, "cordoned": g.Cordoned, "new": g.New, "unseen": g.Unseen,
		} {
			if other, taken := used[glyph]; taken {
				t.Errorf("%s: %s and %s are both %q", g.Name, name, other, glyph)
			}
			used[glyph] = name
		}
	}
}

// On terminals with 256 colours the nearest ones are used. Plain text must stay grey
// there, and the selected row readable.
// What is known how, and what a node's state is, never share a shape with one another or with
// the mark of a text that was cut.
func TestSignsDiffer(t *testing.T) {
	for _, g := range []Glyphs{Unicode(), ASCII()} {
		meaning := map[string]string{}
		for name, glyph := range map[string]string{"recorded": g.Recorded, "inferred": g.Inferred, "predicted": g.Predicted, "gap": g.Gap,
			"new": g.New, "unseen": g.Unseen, "unknown": g.Unknown, "not ready": g.NotReady, "cordoned": g.Cordoned,
			"coarse": g.Coarse, "no age": g.NoAge, "past": g.Past, "ellipsis": g.Ellipsis} {
			if other, taken := meaning[glyph]; taken {
				t.Errorf("%s: %s is both %s and %s", g.Name, glyph, name, other)
			}
			meaning[glyph] = name
		}
	}
}

func TestGreysStayGreyIn256Colours(t *testing.T) {
	few := func(c Colour) colorful.Color {
		near, ok := colorful.MakeColor(ansi.Convert256(rgb(c.RGB)))
		if !ok {
			t.Fatalf("#%06x has no near colour", c.RGB)
		}
		return near
	}
	for _, theme := range []Theme{Dark(), Light(), HighContrastDark(), HighContrastLight()} {
		for _, k := range []Token{Text, Dim, Faint, Rule, Age0} {
			if _, s, _ := few(theme.Styles[k].Fg).Hsv(); s > 0.1 {
				t.Errorf("%s: %v becomes %s", theme.Name, k, few(theme.Styles[k].Fg).Hex())
			}
		}
		selected := few(theme.Styles[Select].Bg)
		if _, s, _ := selected.Hsv(); s > 0.35 {
			t.Errorf("%s: the selected row becomes %s", theme.Name, selected.Hex())
		}
		for k := range TokenCount {
			s := theme.Styles[k]
			if k == Rule || s.Bg.Set || k == Dim || k == Faint || k == Age0 {
				continue
			}
			if c := contrast(few(s.Fg), selected); c < 3.5 {
				t.Errorf("%s: %v %s on the selected row %s has contrast %.1f", theme.Name, k, few(s.Fg).Hex(), selected.Hex(), c)
			}
		}
	}
}
