package open

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/verdict"
	"kardia/model/history"
)

// TestAStallAccusesNobody: as long as the API server answers nobody, and some seconds after that, no node and no zone is
// to blame for a silence that began with the stall, whether the record ends in it or goes on. The nodes of az-2 died
// before the second one.
func TestAStallAccusesNobody(t *testing.T) {
	clock := func(text string) model.Instant {
		at, err := time.Parse(time.RFC3339, "2026-11-28T"+text+"Z")
		if err != nil {
			t.Fatal(err)
		}
		return model.At(at)
	}
	died := clock("11:05:06")
	for name, want := range map[string]func(string) bool{
		"audit":   func(path string) bool { return strings.HasSuffix(path, "audit.log") },
		"watches": watchFiles,
		"leases, nodes": func(path string) bool {
			return strings.HasSuffix(path, "leases.watch.jsonl") || strings.HasSuffix(path, "nodes.watch.jsonl")
		},
		"leases": func(path string) bool { return strings.HasSuffix(path, "leases.watch.jsonl") },
		"live":   func(path string) bool { return strings.HasSuffix(path, ".mcap") },
		"all":    func(string) bool { return true },
	} {
		t.Run(name, func(t *testing.T) {
			o := incident(t, "frozen", want)
			changes := changesOf(t, o.History)
			for at := clock("11:03:40"); at <= clock("11:07:00"); at = at.Add(5 * time.Second) {
				for cut, h := range map[string]history.History{"to the end": o.History, "ending there": endingAt(o.History, changes, at)} {
					evidence, err := verdict.Look(history.NewCursor(h), at, verdict.View{})
					if err != nil {
						t.Fatal(err)
					}
					for _, v := range verdict.Of(evidence) {
						dead := at >= died && !slices.ContainsFunc(v.Nodes, func(n string) bool { return !strings.HasPrefix(n, "b") })
						if v.Rule != verdict.OwnView && v.Rule != verdict.ControlPlane && !dead {
							t.Errorf("at %s, %s: %s: %+v of %v", at.Clock(), cut, v.Rule.Number(), v.Says, v.Nodes)
						}
					}
				}
			}
		})
	}
}

// endingAt is what had been recorded by an instant.
func endingAt(h history.History, changes []model.Change, at model.Instant) history.History {
	n := slices.IndexFunc(changes, func(ch model.Change) bool { return max(ch.Effective(), ch.Arrival) > at })
	if n < 0 {
		n = len(changes)
	}
	var gaps []history.Gap
	for _, g := range h.Gaps() {
		if g.Earliest < at {
			g.Latest = min(g.Latest, at)
			gaps = append(gaps, g)
		}
	}
	covered := h.Coverage()
	covered.Latest = at
	return history.NewMemory(slices.Clone(changes[:n]), covered, gaps, h.Sources())
}
