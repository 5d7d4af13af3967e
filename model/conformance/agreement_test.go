package conformance

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"k8s.io/kubernetes/pkg/controller/nodelifecycle"
	"kardia/model"
)

// reference is the version of Kubernetes that this binary is built with, read off the
// path of its source: a test binary does not know its modules.
var reference = func() model.Version {
	f := runtime.FuncForPC(reflect.ValueOf(nodelifecycle.NewNodeLifecycleController).Pointer())
	file, _ := f.FileLine(f.Entry())
	_, after, _ := strings.Cut(file, "k8s.io/kubernetes@")
	v, ok := model.ParseVersion(after)
	if !ok {
		panic("no version in " + file)
	}
	return v
}()

// agree plays a scenario on both sides.
func agree(t *testing.T, s Scenario) *Agreement { return Compare(s, play(t, s), reference) }

// TestAgreement plays random scenarios on both sides. What they decide, whom, and when
// to a tick must agree, whatever the seed.
func TestAgreement(t *testing.T) {
	start := time.Now()
	sum := agreeOn(t, Numbered, *scenarios)
	t.Logf("%s, seed %d: %d scenarios in %s, %d differ; %d writes and events agree, %d of them by an allowed race; %d remembered things agree",
		reference, *seed, *scenarios, time.Since(start).Round(time.Millisecond), sum.differ, sum.written, sum.races, sum.compared-sum.written)
	sum.check(t, *scenarios)
}

// agreeOn plays the first so many scenarios of the seed.
func agreeOn(t *testing.T, numbered func(int) Scenario, scenarios int) *tally {
	sum := &tally{kinds: map[string]int{}, rules: map[string]int{}}
	workers := runtime.GOMAXPROCS(0)
	t.Run("scenarios", func(t *testing.T) {
		for w := range workers {
			t.Run(fmt.Sprint(w), func(t *testing.T) {
				t.Parallel()
				for i := w; i < scenarios && !(*stop && sum.failed() > 0); i += workers {
					s := numbered(*seed*1000000 + i)
					a := agree(t, s)
					if sum.add(a); len(a.Differences) == 0 {
						continue
					}
					if !*stop && sum.failed() <= *shrunk {
						t.Errorf("scenario %d of seed %d:\n%s", i, *seed, minimal(t, s))
					} else {
						t.Errorf("scenario %d of seed %d: %s", i, *seed, a.Differences[0])
					}
				}
			})
		}
	})
	return sum
}

var stop = flag.Bool("stop", false, "stop at the first disagreement, as it is")

var shrunk = flag.Int("shrunk", 3, "how many failing scenarios are made minimal")

// minimal prints the smallest scenario that still differs, as a script for testdata.
func minimal(t *testing.T, s Scenario) string {
	limit := time.Now().Add(20 * time.Second)
	s = Shrink(s, 400, func(s Scenario) bool {
		return time.Now().Before(limit) && len(agree(t, s).Differences) > 0
	})
	return fmt.Sprintf("%s# %s", s, first(agree(t, s).Differences, 6))
}

func first(d []Difference, n int) (text string) {
	for _, d := range d[:min(n, len(d))] {
		text += fmt.Sprintln(d)
	}
	return text
}

// TestScripts plays what disagreed once.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range agree(t, script(t, string(text))).Differences {
				t.Error(d)
			}
		})
	}
}

var (
	only = flag.String("only", "", "the scenario or the script that TestOnly plays and prints")
	from = flag.Float64("from", 0, "print the trace from this second on")
	to   = flag.Float64("to", 1e9, "print the trace up to this second")
)

// TestOnly prints a scenario, what happened, and the differences.
func TestOnly(t *testing.T) {
	if *only == "" {
		t.Skip("needs -only")
	}
	var s Scenario
	if text, err := os.ReadFile(*only); err == nil {
		s = script(t, string(text))
	} else {
		var n int
		fmt.Sscan(*only, &n)
		s = Numbered(*seed*1000000 + n)
	}
	trace := play(t, s)
	a := Compare(s, trace, reference)
	t.Logf("\n%s\n%s\n%s", s, trace.Between(*from, *to), first(a.Differences, 30))
}
