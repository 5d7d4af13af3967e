package prometheus

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/entries"
	"kardia/sources/read/input"
)

// read is what an answer says.
func read(t testing.TB, document string) *Log {
	t.Helper()
	return readBack(t, document, 0)
}

// readBack is read of a Prometheus that looks back so far.
func readBack(t testing.TB, document string, lookBack time.Duration) *Log {
	t.Helper()
	r, err := input.SeeThrough("answer.json", io.NopCloser(strings.NewReader(document)), -1)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = r.Close() }()
	reader := NewReader(0, lookBack)
	all := entries.New(r, IsSeries)
	for {
		entry, err := all.Next()
		if err != nil {
			return reader.End()
		}
		reader.Series(entry)
	}
}

// answer is one of Prometheus, of series as they are given: labels, then seconds and values in turn.
func answer(series ...string) string {
	return `{"status":"success","data":{"resultType":"matrix","result":[` + strings.Join(series, ",") + `]}}`
}

func of(labels string, samples ...float64) string {
	var values []string
	for i := 0; i < len(samples); i += 2 {
		values = append(values, fmt.Sprintf(`[%v,"%v"]`, 1_795_000_000+samples[i], samples[i+1]))
	}
	return `{"metric":{` + labels + `},"values":[` + strings.Join(values, ",") + `]}`
}

func ready(status string, samples ...float64) string {
	return of(`"__name__":"kube_node_status_condition","instance":"ksm","node":"a","condition":"Ready","status":"`+status+`"`, samples...)
}

func at(second float64) model.Instant { return model.Instant((1_795_000_000 + second) * 1e9) }

// told is one Statement in a line: within which seconds it came about, until when it was seen, and its content.
func told(s *history.Statement) string {
	when := s.When()
	from := "?"
	if s.Since.Known() {
		from = fmt.Sprintf("%g", when.Earliest.Sub(at(0)).Seconds())
	}
	return fmt.Sprintf("%s–%g until %g ×%d %s %s %s", from, s.At.Sub(at(0)).Seconds(), s.Until.Sub(at(0)).Seconds(), s.Times, s.What, s.Subject(), s.Status)
}

func expect(t *testing.T, document string, wants ...string) {
	t.Helper()
	var got []string
	log := read(t, document)
	for i := range log.Statements {
		got = append(got, strings.TrimSpace(told(&log.Statements[i])))
	}
	if strings.Join(got, "\n") != strings.Join(wants, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(wants, "\n"))
	}
}

// What a range query shows at an instant may have been read five minutes before; the samples as they were scraped
// are of their instant, and kube-state-metrics may be a second behind.
func TestBetweenSamplesIsAWindow(t *testing.T) {
	expect(t, answer(ready("true", 0, 1, 30, 1, 60, 0, 90, 0), ready("unknown", 0, 0, 30, 0, 60, 1, 90, 1)), "-271–60 until 90 ×2 Ready a Unknown")
	expect(t, answer(ready("true", 0, 1, 30.007, 1, 60.002, 0, 90, 0), ready("unknown", 0, 0, 30.007, 0, 60.002, 1, 90, 1)), "29.007–60.002 until 90 ×2 Ready a Unknown")
	// It may be set to look back further.
	if s := readBack(t, answer(ready("true", 0, 1, 30, 1), ready("unknown", 60, 1)), 15*time.Minute).Statements[0]; s.Since != at(30-901) {
		t.Errorf("since %v, want %v", s.Since, at(30-901))
	}
	// Only what is 1 may have been exported.
	expect(t, answer(ready("unknown", 60, 1, 90, 1), ready("true", 0, 1, 30, 1, 120, 1)), "-271–60 until 90 ×2 Ready a Unknown", "-211–120 until 120 ×1 Ready a True")
	// The start of the first state is not known; a Ready state all the time gives no Statement.
	expect(t, answer(ready("unknown", 0, 1, 30, 1)), "?–0 until 30 ×2 Ready a Unknown")
	expect(t, answer(ready("true", 0, 1, 30, 1)))
	if s := read(t, answer(ready("unknown", 0, 1))).Statements[0]; s.Decision() != model.DecisionNone {
		t.Errorf("how it stood at first is a decision: %v", s.Decision())
	}
}

// What was read shows renewals up to then: the newest but one bounds how old it is, of the same instance alone.
func TestRenewalsTellHowOldASampleIs(t *testing.T) {
	lease := func(instance, node string, samples ...float64) string {
		for i := 1; i < len(samples); i += 2 {
			samples[i] += 1_795_000_000
		}
		return of(`"__name__":"kube_lease_renew_time","namespace":"kube-node-lease","instance":"`+instance+`","lease":"`+node+`"`, samples...)
	}
	nodes := []string{ready("true", 0, 1, 30, 1, 60, 0), ready("unknown", 0, 0, 30, 0, 60, 1)}
	expect(t, answer(append(nodes, lease("ksm", "b", 0, -4, 30, 24, 60, 54), lease("ksm", "c", 0, -9, 30, 21, 60, 51))...), "20–60 until 60 ×1 Ready a Unknown")
	expect(t, answer(append(nodes, lease("other", "b", 0, -4, 30, 24, 60, 54), lease("other", "c", 0, -9, 30, 21, 60, 51))...), "-271–60 until 60 ×1 Ready a Unknown")
	// One clock that is ahead is not believed.
	expect(t, answer(append(nodes, lease("ksm", "b", 0, 900, 30, 1000, 60, 1100), lease("ksm", "c", 0, -9, 30, 21, 60, 51))...), "20–60 until 60 ×1 Ready a Unknown")
	// A lease that is not renewed: since its renewal, at least until the last sample with that time was read.
	expect(t, answer(lease("ksm", "a", 0, -2, 30.004, -2, 60, -2, 90, 88)), "?–-2 until 58 ×3 NotRenewed a")
	expect(t, answer(lease("ksm", "a", 0, -2, 30, -2, 60, -2, 90, 88))) // it may have been read long before
}

// A taint that was not there is there; its end is reported if taints were sampled then.
func TestTaints(t *testing.T) {
	taint := func(node, key string, samples ...float64) string {
		return of(`"__name__":"kube_node_spec_taint","instance":"ksm","effect":"NoExecute","node":"`+node+`","key":"`+key+`"`, samples...)
	}
	all := []string{ready("true", 0, 1, 30.001, 1, 60, 1, 90, 1, 120, 1)}
	came := taint("a", model.TaintUnreachable, 30.001, 1, 60, 1)
	expect(t, answer(append(all, came)...), "?–30.001 until 60 ×2 Tainted a")
	expect(t, answer(append(all, taint("a", model.TaintUnreachable, 30.001, 1, 60, 1, 60.003, 1), taint("b", "x", 0, 1, 30.001, 1, 60, 1, 120, 1))...),
		"-1–30.001 until 60.003 ×3 Tainted a", "59.003–90 until 90 ×1 Untainted a")
}

// The controller's own count of nodes that are not Ready, and what Prometheus could not read.
func TestCountsAndTargets(t *testing.T) {
	expect(t, answer(of(`"__name__":"node_collector_unhealthy_nodes_in_zone","zone":"eu:\u0000:eu-1a"`, 0, 0, 30, 0, 60.001, 7, 90, 0),
		of(`"__name__":"up","job":"kubelet","node":"a"`, 0, 1, 30, 0, 60.001, 0)),
		"-1–30 until 60.001 ×2 NotScraped a", "29–60.001 until 60.001 ×1 Unhealthy eu/eu-1a", "59.001–90 until 90 ×1 Unhealthy eu/eu-1a")
	if log := read(t, answer(of(`"__name__":"kube_pod_info"`, 0, 1))); log.Used != 0 || log.Other != 1 {
		t.Errorf("%+v", log)
	}
}

// An instant query, a list of answers, and answers one after the other are read as well.
func TestShapes(t *testing.T) {
	vector := `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"kube_node_status_condition","node":"a","condition":"Ready","status":"unknown"},"value":[1795000000,"1"]}]}}`
	one := "?–0 until 0 ×1 Ready a Unknown"
	for _, document := range []string{vector, "[" + vector + "]", strings.ReplaceAll(vector, ",", ",\n")} {
		if !Sniff([]byte(document)) {
			t.Errorf("not told: %s", document)
		}
		expect(t, document, one)
	}
	expect(t, answer(ready("true", 0, 1))+"\n"+vector, "-301–0 until 0 ×1 Ready a Unknown")
	if Sniff([]byte(`{"kind":"List","items":[]}`)) {
		t.Error("a list of objects is taken for an answer")
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add(answer(ready("true", 0, 1, 30, 0), ready("unknown", 0, 0, 30, 1)))
	f.Add(`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up"},"values":[[1e99,"NaN"],[-1,"+Inf"],["x",1],[]]}]}}`)
	f.Fuzz(func(t *testing.T, document string) {
		log := read(t, document)
		last := model.FarPast
		for i := range log.Statements {
			s := &log.Statements[i]
			if s.At < last || s.Until < s.At || s.Times < 1 || !s.At.Bounded() || s.Since > s.At || s.Silence < 0 {
				t.Fatalf("%+v", s)
			}
			last = s.At
		}
	})
}
