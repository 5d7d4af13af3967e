package actors

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/model/conformance"
	"kardia/sources/scenario"
)

func init() { conformance.Settle() }

// TestKubelets plays the scenarios of sources/scenario/testdata by the kubelet's own code. The tests there play them by
// the scenario's kubelets, and hold them to the same results.
func TestKubelets(t *testing.T) {
	for _, file := range []string{"shutdown", "pressure"} {
		datadriven.RunTest(t, "../../../sources/scenario/testdata/kubelet-"+file, func(t *testing.T, d *datadriven.TestData) string {
			s, err := scenario.Parse("file", d.Input)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			switch d.Cmd {
			case "shutdown":
				for _, h := range shutdownOf(t, s, d.Input).play(t) {
					if !strings.HasPrefix(h.what, "SIGTERM") && !strings.HasPrefix(h.what, "new pods") {
						fmt.Fprintln(&out, h)
					}
				}
			case "pressure":
				list := pressedOf(s).play(t)
				for _, h := range list {
					fmt.Fprintf(&out, "%6s %s\n", (h.at - list[0].at).Round(time.Second), h.name)
				}
			}
			return out.String()
		})
	}
}

// shutdownOf reads the kubelet's configuration from the text: the real code is to read it, too.
func shutdownOf(t *testing.T, s *scenario.Scenario, text string) shutdown {
	down := shutdown{byPriority: map[int32]time.Duration{}}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "kubelet" {
			continue
		}
		for _, word := range words[1:] {
			switch name, value, _ := strings.Cut(word, "="); name {
			case "shutdownGracePeriod":
				down.period = seconds(t, value)
			case "shutdownGracePeriodCriticalPods":
				down.critical = seconds(t, value)
			case "shutdownGracePeriodByPodPriority":
				for part := range strings.SplitSeq(value, ",") {
					var priority int32
					number, length, _ := strings.Cut(part, ":")
					if _, err := fmt.Sscan(number, &priority); err != nil {
						t.Fatal(err)
					}
					down.byPriority[priority] = seconds(t, length)
				}
			}
		}
	}
	for _, w := range s.Workloads {
		down.pods = append(down.pods, dying{w.Key.Name, int32(w.Priority), w.Grace, w.Ends})
	}
	return down
}

func seconds(t *testing.T, text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func pressedOf(s *scenario.Scenario) pressed {
	p := pressed{evicts: s.Faults[0].Evicts}
	for _, w := range s.Workloads {
		p.pods = append(p.pods, greedy{w.Key.Name, int32(w.Priority), w.Requests.Memory, 100 << 20, w.Ends})
	}
	return p
}
