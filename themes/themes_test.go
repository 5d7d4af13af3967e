package themes

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
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
		if got, ok := Named(All(), theme.Name); !ok || got.Name != theme.Name {
			t.Errorf("%s is not found by its name", theme.Name)
		}
	}
	if _, ok := Named(All(), "plaid"); ok {
		t.Error("found a theme that does not exist")
	}
	if Dark().Light || !Light().Light {
		t.Error("the default themes are made for the wrong backgrounds")
	}
}

// Every theme of ours passes what every theme must: contrast, ages that stand out more and more,
// and at least 8 (CIEDE2000) between any two colours that mean different things, for every eye.
func TestThemesPass(t *testing.T) {
	for _, theme := range All() {
		for _, failed := range Check(theme) {
			t.Errorf("%s: %s", theme.Name, failed)
		}
	}
}

// What fails is said.
func TestWhatFails(t *testing.T) {
	theme := Dark()
	theme.Styles[Unknown].Fg = theme.Styles[Accent].Fg
	theme.Styles[Text].Fg = Colour{RGB: 0x202020, Set: true}
	theme.Styles[Age2], theme.Styles[Age3] = theme.Styles[Age3], theme.Styles[Age2]
	said := strings.Join(Check(theme), "\n")
	for _, want := range []string{"accent and unknown are 0.0 apart for tritanopia, not 8", "text #202020 on #000000 has contrast 1.3, not 4.5", "age.3 is not more visible than age.2"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in\n%s", want, said)
		}
	}
}

// The hue of an incident is not that of the chrome: what is selected, titles and badges.
func TestTroubleIsNotChrome(t *testing.T) {
	for _, theme := range All()[:4] {
		for _, trouble := range []Token{Unknown, NotReady, Evict} {
			for _, chrome := range []Token{Accent, Live, Replay} {
				h, c, _ := theme.catches(chrome).Hcl()
				k, _, _ := theme.catches(trouble).Hcl()
				if away := math.Abs(math.Mod(h-k+540, 360) - 180); c > 0.1 && away < 45 {
					t.Errorf("%s: %v is %.0f degrees from %v", theme.Name, trouble, away, chrome)
				}
			}
		}
	}
}

// A person's own themes are read from files, and win; what is wrong in one is said, with its name.
func TestOwnThemes(t *testing.T) {
	dark, err := files.ReadFile("dark.yaml")
	if err != nil {
		t.Fatal(err)
	}
	own, problems := Read(fstest.MapFS{
		"dark.yaml":    {Data: bytes.Replace(dark, []byte("#25b1c1"), []byte("#112233"), 1)},
		"mine.yaml":    {Data: dark},
		"few.yaml":     {Data: []byte("light: true\ntokens: {text: \"#000000\"}")},
		"odd.yaml":     {Data: append(dark, "  sparkle: \"#ffffff\"\n"...)},
		"colour.yaml":  {Data: bytes.Replace(dark, []byte("#25b1c1"), []byte("teal"), 1)},
		"style.yaml":   {Data: bytes.Replace(dark, []byte("bold: true"), []byte("blink: true"), 1)},
		"no.yaml":      {Data: []byte("tokens: [")},
		"large.yaml":   {Data: make([]byte, largest+1)},
		"README.md":    {Data: []byte("# mine")},
		"old.yaml/x.y": {Data: nil},
	})
	var names []string
	for _, theme := range own {
		names = append(names, theme.Name)
	}
	if fmt.Sprint(names) != "[dark mine]" {
		t.Errorf("read %v", names)
	}
	said := fmt.Sprint(problems)
	for _, want := range []string{"few.yaml: no style for text.dim, ", `odd.yaml: there is no token "sparkle"`, `"teal" is no colour: write #rrggbb`, `style.yaml: `, "no.yaml: ", "large.yaml: 65537 bytes"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in\n%s", want, said)
		}
	}
	list := With(own)
	if first, _ := Named(list, "dark"); first.Styles[Accent].Fg.RGB != 0x112233 || len(list) != len(All())+1 {
		t.Errorf("a person's own does not win, or is there twice: %d themes", len(list))
	}
	if none, problems := Read(os.DirFS(filepath.Join(t.TempDir(), "none"))); none != nil || problems != nil {
		t.Errorf("of a directory that is not there: %v, %v", none, problems)
	}
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
			"fresh": g.Age[0], "ok": g.Age[1], "late": g.Age[2], "very late": g.Age[3], "past": g.PastGrace, "no age": g.NoAge,
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
		for name, glyph := range map[string]string{"recorded": g.Recorded, "inferred": g.Inferred, "predicted": g.Predicted, "later": g.Later, "reconstructed": g.Reconstructed, "last known": g.LastKnown, "gap": g.Gap,
			"new": g.New, "unseen": g.Unseen, "unknown": g.Unknown, "not ready": g.NotReady, "cordoned": g.Cordoned,
			"coarse": g.Coarse, "no age": g.NoAge, "past": g.PastGrace, "ellipsis": g.Ellipsis} {
			if other, taken := meaning[glyph]; taken {
				t.Errorf("%s: %s is both %s and %s", g.Name, glyph, name, other)
			}
			meaning[glyph] = name
		}
	}
}

func TestGreysStayGreyIn256Colours(t *testing.T) {
	few := func(c Colour) colorful.Color {
		near, ok := colorful.MakeColor(ansi.Convert256(c.colour()))
		if !ok {
			t.Fatalf("#%06x has no near colour", c.RGB)
		}
		return near
	}
	for _, theme := range All()[:4] {
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
