package screentest

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"kardia/internal/golden"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
)

var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// Plain is a frame without its colours.
func Plain(lines []string) string {
	return sgr.ReplaceAllString(strings.Join(lines, "\n"), "") + "\n"
}

// Shown is what a view shows at 120×36, without colours.
func Shown(v screen.View, s *screen.Snapshot) string {
	return Plain(v.Render(s, Painters()["dark"], screen.Arrange(120, 36).Area()))
}

// Painters are the looks that the tests go through.
func Painters() map[string]*paint.Painter {
	return map[string]*paint.Painter{
		"dark":      paint.New(themes.Dark(), themes.Unicode(), nil),
		"light":     paint.New(themes.Light(), themes.Unicode(), nil),
		"no-colour": paint.New(themes.NoColour(), themes.Unicode(), nil),
		"ascii":     paint.New(themes.Dark(), themes.ASCII(), nil),
	}
}

// fataler is what testing.T and rapid.T have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// CheckFrame fails unless a frame has exactly h lines, none wider than w, and no control
// character but our own colours.
func CheckFrame(t fataler, lines []string, p *paint.Painter, w, h int) {
	t.Helper()
	if len(lines) != h {
		t.Fatalf("%d lines, want %d", len(lines), h)
	}
	for i, line := range lines {
		if got := ansi.StringWidth(line); got > w {
			t.Fatalf("line %d is %d wide, want at most %d: %q", i, got, w, line)
		}
		for _, r := range sgr.ReplaceAllString(line, "") {
			if !unicode.IsPrint(r) || p.Glyphs.ASCII && r > 0x7e {
				t.Fatalf("line %d holds %U: %q", i, r, line)
			}
		}
	}
}

// Sizes are the screens that have golden frames.
var Sizes = []struct {
	Name string
	W, H int
}{{"80x24", 80, 24}, {"120x36", 120, 36}, {"200x60", 200, 60}, {"40x10", 40, 10}}

// Goldens compares a view at every size as plain text, and once with every theme's colours.
func Goldens(t *testing.T, name string, s *screen.Snapshot, view func() screen.View) {
	t.Helper()
	painters := Painters()
	for _, size := range Sizes {
		area := screen.Arrange(size.W, size.H).Area()
		lines := view().Render(s, painters["dark"], area)
		CheckFrame(t, lines, painters["dark"], area.W, area.H)
		golden.Compare(t, name+"-"+size.Name+".txt", Plain(lines))
	}
	area := screen.Arrange(80, 24).Area()
	for theme, p := range painters {
		lines := view().Render(s, p, area)
		CheckFrame(t, lines, p, area.W, area.H)
		golden.Compare(t, name+"-80x24-"+theme+".ansi", strings.Join(lines, "\n")+"\n")
	}
}
