package conformance

import (
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

var (
	auditTo  = flag.String("audit", "", "the directory that TestAuditLogs writes to")
	forgeOne = flag.Bool("forge", false, "one write of each scenario is forged under a controller's identity")
	restarts = flag.Bool("restarts", false, "in each scenario controllers restart once, at some time when things have happened")
	wild     = flag.Bool("wild", false, "scenarios as the models are compared by: the log begins with the controllers, and they meet accidents")
)

// audited is what is true of an audit log, beside it as JSON.
type audited struct {
	Scenario string
	Flags    map[string]string
	// Restarts are the processes that ended and began again after the start.
	Restarts []auditedRestart
	Forged   *Forged
	Started  time.Time
}

type auditedRestart struct {
	Process          Process
	Stopped, Started time.Time
}

// TestAuditLogs writes random scenarios that the real controllers played as audit logs without
// Events, each with what is true of it, for kardia's own tests to judge:
//
//	go test -run TestAuditLogs -audit /tmp/logs -scenarios 200 -seed 3
//	go test ./sources/open -run TestRandomScenarios -random.logs /tmp/logs
func TestAuditLogs(t *testing.T) {
	if *auditTo == "" {
		t.Skip("needs -audit")
	}
	g, written := Scenarios(), 0
	for i := 0; written < *scenarios && i < 100**scenarios; i++ {
		s := g.Example(*seed*1000000 + i)
		if !*wild {
			s = ordinary(t, s)
		}
		if *restarts {
			s = restarted(t, s, i)
		}
		if *forgeOne {
			s = forged(t, s, i)
		}
		trace := playLater(t, s)
		if *forgeOne && trace.Forged == nil {
			continue
		}
		writeAudited(t, filepath.Join(*auditTo, fmt.Sprintf("%03d", i)), s, trace)
		written++
	}
	t.Logf("%d scenarios of seed %d in %s", written, *seed, *auditTo)
}

// warm is how long the controllers had run when the first thing happens.
const warm = 90 * time.Second

// ordinary is a scenario as a cluster may have it: the controllers have been running when it
// begins, all nodes are healthy then, and passes take a while. Accidents of the harness are left out.
func ordinary(t *testing.T, s Scenario) (out Scenario) {
	left := map[string]bool{"lag": true, "refuse": true, "refusepod": true, "conflict": true, "conflictpod": true, "slowpod": true, "drift": true, "length": true}
	out = script(t, fmt.Sprintf("length %s\ndrift 2ms 7ms 4ms 1ms 9ms", s.Length()+warm))
	for _, c := range s {
		switch {
		case left[c.Verb]:
		case c.At != setup:
			c.At += warm
			out = append(out, c)
		default:
			if c.Verb == "node" {
				c.Options = slices.DeleteFunc(slices.Clone(c.Options), func(o Option) bool {
					return o.Key != "zone" && o.Key != "renew" && o.Key != "first" && o.Key != "sync" || o.Key == "renew" && o.Value == "0s"
				})
			}
			out = append(out, c)
		}
	}
	return out
}

// restarted is a scenario with one restart, soon after something that happens in it.
func restarted(t *testing.T, s Scenario, i int) Scenario {
	s = slices.DeleteFunc(slices.Clone(s), func(c Command) bool { return c.Verb == "restart" })
	var hot []time.Duration
	for _, c := range s {
		if c.At > 0 {
			hot = append(hot, c.At)
		}
	}
	if len(hot) == 0 {
		return s
	}
	at := hot[i*7%len(hot)] + time.Duration(i*37%120)*time.Second
	who, long := [...]string{"both", "both", "lifecycle", "eviction"}[i%4], [...]string{"1s", "10ms", "17s"}[i%3]
	return append(s, script(t, fmt.Sprintf("at %.1f restart %s for=%s", at.Seconds(), who, long))...)
}

// forged is a scenario in which one write is forged, at some time after its first third.
func forged(t *testing.T, s Scenario, i int) Scenario {
	at := s.Length() * time.Duration(30+i%60) / 100
	return append(s, script(t, fmt.Sprintf("at %.3f forge %s n%d", at.Seconds(), forgeries[i%len(forgeries)], i%3))...)
}

// playLater is play, in a year in which there are audit logs.
func playLater(t *testing.T, s Scenario) (trace *Trace) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)))
		var err error
		if trace, err = Play(s); err != nil {
			t.Fatal(err)
		}
	})
	return trace
}

func writeAudited(t *testing.T, path string, s Scenario, trace *Trace) {
	t.Helper()
	f, err := os.Create(path + ".log.gz")
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if err := trace.WriteAuditLog(z); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	truth, err := json.MarshalIndent(truthOf(s, trace), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".truth.json", truth, 0o600); err != nil {
		t.Fatal(err)
	}
}

func truthOf(s Scenario, trace *Trace) audited {
	f := s.Flags()
	out := audited{Scenario: s.String(), Forged: trace.Forged, Started: trace.Zero, Restarts: []auditedRestart{}, Flags: map[string]string{
		"node-monitor-period": f.Period.String(), "node-monitor-grace-period": f.Grace.String(), "node-startup-grace-period": f.Startup.String(),
		"node-eviction-rate": fmt.Sprint(f.Rate), "secondary-node-eviction-rate": fmt.Sprint(f.Secondary),
		"large-cluster-size-threshold": fmt.Sprint(f.Large), "unhealthy-zone-threshold": fmt.Sprint(f.Threshold),
	}}
	stopped := map[Process]time.Time{}
	for i := range trace.Steps {
		switch x := &trace.Steps[i]; {
		case x.Stopped != "":
			stopped[x.Stopped] = x.At
		case x.Started != "" && !stopped[x.Started].IsZero():
			out.Restarts = append(out.Restarts, auditedRestart{x.Started, stopped[x.Started], x.At})
		}
	}
	return out
}
