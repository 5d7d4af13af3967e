package config

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/spf13/pflag"

	"kardia/ui/nodes"
)

// usual is a program with two screens and a few keys.
var usual = Usual{Themes: []string{"dark", "light"}, Views: []string{"fleet", "node"},
	Keys:    []Keys{{"why", []string{"w"}}, {"play or pause", []string{"space"}}, {"messages", nil}, {"copy name", []string{"y"}}},
	Columns: map[string][]string{"fleet": {"NODE", "READY", "SILENT FOR"}},
	Flags:   flags()}

func flags() *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Func("node-monitor-grace-period", "", func(s string) error {
		if !strings.HasSuffix(s, "s") {
			return errors.New("must be a duration")
		}
		return nil
	})
	f.Lookup("node-monitor-grace-period").DefValue = "50s"
	return f
}

func read(text string) (Config, []error) {
	return Read(fstest.MapFS{Name: {Data: []byte(text)}}, "config.yaml", usual)
}

func TestWhatAFileSays(t *testing.T) {
	c, problems := read(`
theme: light
times: local
zone-label: topology.k8s.aws/zone-id
thresholds:
  late: 45s
keys:
  why: w ?
  copy name: []
  play or pause: [space, p]
columns:
  fleet: [node, silent for]
contexts:
  prod/eu:
    flags:
      node-monitor-grace-period: 40s
  empty:
`)
	if problems != nil {
		t.Fatal(problems)
	}
	if c.Theme != "light" || c.Times != "local" || c.View != "" || c.ZoneLabel != "topology.k8s.aws/zone-id" || c.Thresholds != (nodes.Thresholds{Late: 45 * time.Second}) {
		t.Errorf("%+v", c)
	}
	for action, want := range map[string]string{"why": "w ?", "copy name": "", "play or pause": "space p"} {
		if got := strings.Join(c.Keys[action], " "); got != want {
			t.Errorf("%s is on %q, want %q", action, got, want)
		}
	}
	if got := strings.Join(c.Columns["fleet"], ","); got != "NODE,SILENT FOR" {
		t.Errorf("columns are %s", got)
	}
	if got := c.Contexts["prod/eu"].Flags["node-monitor-grace-period"]; got != "40s" {
		t.Errorf("%+v", c.Contexts)
	}
}

// An invalid setting names its line, and the probable meaning; the rest holds all the same.
func TestWhatIsWrongNamesItsLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"them: dark\n", `config.yaml:1: unknown key "them" in the file; did you mean "theme"?`},
		{"\n\ntheme: drak\n", `config.yaml:3: there is no theme "drak"; did you mean "dark"?`},
		{"times: mars\n", `config.yaml:1: there is no time zone "mars"; there are utc, local`},
		{"keys:\n  whi: w\n", `config.yaml:2: there is no action "whi"; did you mean "why"?`},
		{"columns:\n  fleet:\n  - node\n  - silent\n", `config.yaml:4: fleet has no column "SILENT"; there are NODE, READY, SILENT FOR`},
		{"columns:\n  fleet: []\n", `config.yaml:2: no columns at all: leave the line out for the usual ones`},
		{"contexts:\n  prod:\n    flag: {}\n", `config.yaml:3: unknown key "flag" in context prod; did you mean "flags"?`},
		{"contexts:\n  prod:\n    colour: pink\n", `config.yaml:3: there is no colour "pink"; there are danger, warn, accent`},
		{"contexts:\n  prod:\n    flags:\n      node-monitor-grace-period: 40\n", `config.yaml:4: node-monitor-grace-period 40: must be a duration`},
		{"theme: dark\ntheme: light\n", `config.yaml:2: "theme" is here twice`},
		{"keys: w\n", `config.yaml:1: keys is a mapping: "key: value", a line each`},
		{"theme: [dark]\n", `config.yaml:1: one value is wanted here`},
		{"a: &x 1\nb: *x\n", `config.yaml:1: unknown key "a" in the file; there are columns, contexts, glyphs, keys, language, theme, thresholds, times, view, zone-label`},
		{"thresholds:\n  late: soon\n", `config.yaml:2: "soon" is no length of time from 1s to 1h0m0s, as 20s is`},
		{"thresholds:\n  lat: 20s\n", `config.yaml:2: unknown key "lat" in thresholds; did you mean "late"?`},
		{"theme: dark\n---\ntheme: light\n", `config.yaml: a second document: the file is one`},
		{"theme: [\n", `config.yaml: line 1: did not find expected node content`},
		{"\x00", `config.yaml: control characters are not allowed`},
	} {
		_, problems := read(c.text)
		if len(problems) == 0 || problems[0].Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, problems, c.want)
		}
	}
	c, problems := read("theme: light\nspeed: 3\nview: node\n")
	if len(problems) != 1 || c.Theme != "light" || c.View != "node" {
		t.Errorf("%+v %v", c, problems)
	}
}

func TestNoFileSaysNothing(t *testing.T) {
	for _, dir := range []fstest.MapFS{{}, {Name: {}}, {Name: {Data: []byte("# nothing\n")}}} {
		if c, problems := Read(dir, "config.yaml", usual); problems != nil || c.Theme != "" || c.Keys != nil {
			t.Errorf("%+v %v", c, problems)
		}
	}
}

// The sample sets nothing until a line is taken up, and then nothing wrong: its values are the defaults.
func TestTheSampleIsTrue(t *testing.T) {
	sample := Sample(usual)
	if c, problems := read(sample); problems != nil || c.Theme != "" {
		t.Errorf("%+v %v", c, problems)
	}
	lines := strings.Split(sample, "\n")
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(line, "#"); ok && (!strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "  ")) {
			lines[i] = rest
		}
	}
	c, problems := read(strings.Join(lines, "\n"))
	if problems != nil {
		t.Fatalf("%v\n%s", problems, strings.Join(lines, "\n"))
	}
	for _, k := range usual.Keys {
		if !slices.Equal(c.Keys[k.Action], k.Keys) && len(c.Keys[k.Action])+len(k.Keys) > 0 {
			t.Errorf("%s is on %q, want %q", k.Action, c.Keys[k.Action], k.Keys)
		}
	}
	if !maps.EqualFunc(c.Columns, usual.Columns, slices.Equal) || c.View != "fleet" {
		t.Errorf("%+v", c)
	}
}

// What is in force is a file that says the same.
func TestTheViewReadsBack(t *testing.T) {
	first, _ := read("theme: light\nkeys:\n  why: \"y ' \\\" :\"\n  copy name: []\ncontexts:\n  a b: {flags: {node-monitor-grace-period: 40s}}\n")
	view := View(first, usual)
	again, problems := read(view)
	if problems != nil || View(again, usual) != strings.ReplaceAll(View(again, usual), "\x00", "") || again.Theme != "light" ||
		!slices.Equal(again.Keys["why"], first.Keys["why"]) || again.Contexts["a b"].Flags["node-monitor-grace-period"] != "40s" {
		t.Errorf("%v\n%s", problems, view)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(Sample(usual)))
	f.Add([]byte("keys:\n  why: [w]\n? [a]\n: b\n"))
	f.Add([]byte("\r\r0")) // YAML's lines end with any of these
	breaks := strings.NewReplacer("\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")
	f.Fuzz(func(t *testing.T, text []byte) {
		_, problems := read(string(text))
		for _, p := range problems {
			var at *Problem
			if !errors.As(p, &at) || at.Line > strings.Count(breaks.Replace(string(text)), "\n")+2 {
				t.Fatalf("%v of %s", p, strconv.Quote(string(text)))
			}
		}
	})
}
