package whatif_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	_ "kardia/internal/rapidseed"
	_ "kardia/internal/roomy"
	"kardia/model"
	"kardia/model/simulate/whatif"
)

// TestScenarios plays small clusters, and what would have been.
//
//	record zones=3,4 [tolerate=60] [until=600] [grace=50s]
//	b 100 250      kubelets whose names begin so are dead from a second to another
//	b stands 100 250    and their clocks stand: they write their leases with the same renewTime
//	b denied 100 250    and they may not write their leases, and post their statuses
//	b shy               they never say that their pods are ready again
//
// prints how the unchanged run fits;
//
//	whatif [grace=…] [period=…] [rate=…] [threshold=…] [large=…] [tolerate=…] [of=…] [for=…] [from=…]
//	kill a0 130
//
// prints what becomes of the pods, and the decisions that differ, of the kinds that are asked for.
func TestScenarios(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var rec *recording
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "record":
				rec = record(t, d)
				base, err := rec.base(t, whatif.Options{})
				if err != nil {
					return err.Error() + "\n"
				}
				besides := ""
				if n := len(base.Fit.Extra); n > 0 {
					besides = fmt.Sprintf(", and %d besides: %s", n, &base.Fit.Extra[0])
				}
				return fmt.Sprintf("%d of %d writes%s\n", base.Fit.Reproduced, base.Fit.Writes, besides)
			case "whatif":
				return suppose(t, d, rec)
			}
			t.Fatalf("unknown command %q", d.Cmd)
			return ""
		})
	})
}

func number(t *testing.T, text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func length(t *testing.T, text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// record plays a cluster and records it.
func record(t *testing.T, d *datadriven.TestData) *recording {
	var sizes []int
	c := small()
	seconds := int64(60)
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "zones":
			for _, n := range a.Vals {
				sizes = append(sizes, int(number(t, n)))
			}
		case "tolerate":
			seconds = int64(number(t, a.Vals[0]))
		case "until":
			c.ends = number(t, a.Vals[0])
		case "grace":
			c.flags.NodeMonitorGracePeriod = model.Param[time.Duration]{Value: length(t, a.Vals[0]), From: model.FromFile}
		default:
			t.Fatalf("unknown argument %q", a.Key)
		}
	}
	flags, ends := c.flags, c.ends
	c = small(sizes...)
	c.flags, c.ends = flags, ends
	for _, n := range c.nodes {
		n.pods = []int64{seconds}
	}
	for line := range strings.SplitSeq(d.Input, "\n") {
		switch words := strings.Fields(line); {
		case len(words) == 2 && words[1] == "shy":
			c.shy(words[0])
		case len(words) == 3:
			c.dies(words[0], number(t, words[1]), number(t, words[2]))
		case len(words) == 4 && words[1] == "stands":
			c.stands(words[0], number(t, words[2]), number(t, words[3]))
		case len(words) == 4 && words[1] == "denied":
			c.denied(words[0], number(t, words[2]), number(t, words[3]))
		case len(words) > 0:
			t.Fatalf("what is %q?", line)
		}
	}
	_, rec := c.play()
	return rec
}

// suppose runs a branch and prints what differs.
func suppose(t *testing.T, d *datadriven.TestData, rec *recording) string {
	branch, show := &whatif.Branch{Params: rec.cluster.flags}, []string{"MarkUnknown", "TaintNoExecute", "EvictPod", "ZoneState"}
	var o whatif.Options
	var of string
	for _, a := range d.CmdArgs {
		p := &branch.Params
		switch a.Key {
		case "grace":
			p.NodeMonitorGracePeriod.Value = length(t, a.Vals[0])
		case "period":
			p.NodeMonitorPeriod.Value = length(t, a.Vals[0])
		case "rate":
			p.NodeEvictionRate.Value = float32(number(t, a.Vals[0]))
		case "threshold":
			p.UnhealthyZoneThreshold.Value = float32(number(t, a.Vals[0]))
		case "large":
			p.LargeClusterSizeThreshold.Value = int32(number(t, a.Vals[0]))
		case "version":
			p.Version, _ = model.ParseVersion(a.Vals[0])
		case "tolerate":
			branch.Tolerations = &whatif.Tolerations{Seconds: int64(number(t, a.Vals[0]))}
		case "of":
			of = a.Vals[0]
		case "for":
			o.For = length(t, a.Vals[0])
		case "from":
			o.From = second(number(t, a.Vals[0]))
		case "show":
			show = a.Vals
		default:
			t.Fatalf("unknown argument %q", a.Key)
		}
	}
	if of != "" {
		branch.Tolerations.For = func(p *model.Pod) bool { return strings.HasPrefix(p.Name, of) }
	}
	for line := range strings.SplitSeq(d.Input, "\n") {
		if i := strings.LastIndexByte(line, ' '); i > 0 {
			e, err := whatif.ParseEdit(line[:i])
			if err != nil {
				t.Fatal(err)
			}
			e.At = second(number(t, line[i+1:]))
			branch.Edits = append(branch.Edits, e)
		}
	}
	b, err := rec.base(t, o)
	var refusal *whatif.Refusal
	if errors.As(err, &refusal) {
		return fmt.Sprintln("refused:", refusal.Code, refusal.Begins, refusal.Asked)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tell(b.Branch(branch), show)
}

func names(pods []whatif.Pod) string {
	list := []string{}
	for i := range pods {
		list = append(list, pods[i].Name)
	}
	return strings.Join(list, " ")
}

func tell(a *whatif.Answer, show []string) string {
	var out strings.Builder
	p := &a.Pods
	fmt.Fprintf(&out, "deleted %d, then %d to %d\n", p.Recorded, p.Least, p.Most)
	if p.LaterMost > 0 {
		fmt.Fprintf(&out, "to be deleted later %d, then %d to %d\n", p.LaterRecorded, p.LaterLeast, p.LaterMost)
	}
	for _, s := range []struct {
		word string
		list []whatif.Pod
	}{{"spared", p.Spared.Certain}, {"may be spared", p.Spared.Possible}, {"lost", p.Lost.Certain}, {"may be lost", p.Lost.Possible}, {"open", p.Open}, {"ended", p.Ended.Certain}, {"may be ended", p.Ended.Possible}} {
		if len(s.list) > 0 {
			fmt.Fprintf(&out, "%s: %s\n", s.word, names(s.list))
		}
	}
	for i := range a.Changes {
		c := &a.Changes[i]
		d := c.Decision()
		if !strings.Contains(strings.Join(show, " "), d.Kind.String()) {
			continue
		}
		sure := "may be"
		if c.Certain {
			sure = "surely"
		}
		why := ""
		if d.Kind == model.ZoneState {
			why = fmt.Sprintf(" %s → %s", d.State.From, d.State.To)
		}
		fmt.Fprintf(&out, "%s %s %s %s%s:%s%s%s\n", sure, c.Change, d.Kind, d.Subject(), why, at(c.Recorded), within("unchanged", c.Unchanged), within("branch", c.Branch))
	}
	return out.String()
}

func at(d *model.Decision) string {
	if d == nil {
		return ""
	}
	return fmt.Sprintf(" recorded %.1f", d.Time.Sub(epoch).Seconds())
}

func within(what string, d *whatif.Decision) string {
	if d == nil {
		return ""
	}
	return fmt.Sprintf(" %s %.1f–%.1f", what, d.Window.Earliest.Sub(epoch).Seconds(), d.Window.Latest.Sub(epoch).Seconds())
}
