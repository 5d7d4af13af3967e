package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/sources/scenario"
)

// drawn is a random scenario with all that happened in it: the truth.
type drawn struct {
	text    string
	changes []model.Change
	start   model.Instant
	length  time.Duration
}

func drawScenario(t *rapid.T) *drawn {
	d := &drawn{length: time.Duration(rapid.IntRange(8, 28).Draw(t, "length")) * 15 * time.Second}
	text := fmt.Sprintf("scenario 1\nversion 1.36\nlength %s\nseed %d\n", d.length, rapid.IntRange(1, 50).Draw(t, "seed"))
	nodes := []string{}
	for _, zone := range []string{"a", "b", "c"}[:rapid.IntRange(1, 3).Draw(t, "zones")] {
		n := rapid.IntRange(2, 4).Draw(t, "nodes")
		text += fmt.Sprintf("nodes %s-1..%s-%d zone=%s\n", zone, zone, n, zone)
		for i := range n {
			nodes = append(nodes, fmt.Sprintf("%s-%d", zone, i+1))
		}
	}
	text += "deployment shop/web replicas=6 tolerate=30s\n"
	for at := 0; len(nodes) > 0; {
		at += rapid.IntRange(10, 120).Draw(t, "pause")
		if time.Duration(at)*time.Second >= d.length {
			break
		}
		what := rapid.SampledFrom([]string{"kill %s", "partition %s", "deny-leases %s", "notready %s", "delete %s", "cordon %s", "kill zone=a", "controllers-off", "failover", "return all"}).Draw(t, "fault")
		if strings.Contains(what, "%s") {
			what = fmt.Sprintf(what, rapid.SampledFrom(nodes).Draw(t, "node"))
		}
		text += fmt.Sprintf("at %ds %s\n", at, what)
	}
	s, err := scenario.Parse("drawn", text)
	if err != nil {
		t.Skip(err)
	}
	d.text, d.start = text, s.Start
	posted := map[string]model.Instant{}
	for ch := range s.Changes() {
		d.changes = append(d.changes, *ch)
		nameWriter(&d.changes[len(d.changes)-1], posted)
	}
	return d
}

// nameWriter adds the writer of a node or a lease, which a scenario does not name. A kubelet posts a newer heartbeat.
func nameWriter(ch *model.Change, posted map[string]model.Instant) {
	switch {
	case ch.Kind == model.KindNodeLease:
		ch.Writer = model.WriterKubelet
	case ch.Node != nil:
		newest := model.Instant(0)
		for _, c := range ch.Node.Conditions {
			newest = max(newest, c.Heartbeat)
		}
		if newest > posted[ch.Key.Name] {
			posted[ch.Key.Name], ch.Writer = newest, model.WriterKubelet
		} else if ch.Writer == model.WriterUnknown {
			ch.Writer = model.WriterNodeLifecycle
		}
	}
}

// at is the state that was true at a time. The nodes of the start were there before it: a list has older heartbeats only.
func (d *drawn) at(at model.Instant) *model.Cluster {
	c := model.NewCluster()
	for i := range d.changes {
		if d.changes[i].Arrival <= max(at, d.start) {
			c.Fold(&d.changes[i])
		}
	}
	return c
}

// seen is what a part of the scenario shows, by how it was taken.
type seen struct {
	paths []string
	what  string
	// listed are the kinds that were listed, upTo is until when all of a kind is known.
	upTo map[model.Kind]model.Instant
	// hole is a time of which nothing is known.
	hole model.Interval
}

// lately says that all of some kinds was seen at a time, or shortly before it. A watch that ended shows it only by what
// should have come: statuses, which are posted after seven and a half minutes at the latest.
func (s *seen) lately(at model.Instant, kinds ...model.Kind) bool {
	return !slices.ContainsFunc(kinds, func(k model.Kind) bool {
		upTo, ok := s.upTo[k]
		tolerated := 45 * time.Second
		if s.what == "watch files that end" && k != model.KindNodeLease {
			tolerated = 8 * time.Minute
		}
		return !ok || at.Sub(upTo) > tolerated || s.hole.Known() && s.hole.Contains(at)
	})
}

// watchedTo says that a kind was seen up to a time. That a watch ended lately is not to be seen in its file.
func (s *seen) watchedTo(at model.Instant, kind model.Kind) bool {
	upTo, ok := s.upTo[kind]
	return ok && at.Sub(upTo) < 10*time.Millisecond
}

var fileNames = map[model.Kind]string{model.KindNode: "nodes", model.KindNodeLease: "leases", model.KindPod: "pods", model.KindLeaderLease: "leaders"}

// drawPart leaves a part of a scenario in files.
func drawPart(t *rapid.T, d *drawn, dir string) *seen {
	s := &seen{upTo: map[model.Kind]model.Instant{}}
	end := d.start.Add(d.length)
	moment := func(label string) model.Instant {
		return d.start.Add(time.Duration(rapid.IntRange(45, int(d.length/time.Second)).Draw(t, label)) * time.Second)
	}
	kinds := []model.Kind{}
	for _, k := range []model.Kind{model.KindNode, model.KindNodeLease, model.KindPod, model.KindLeaderLease} {
		if rapid.IntRange(0, 2).Draw(t, fileNames[k]) > 0 {
			kinds = append(kinds, k)
		}
	}
	s.what = rapid.SampledFrom([]string{"watch files", "watch files that end", "one capture", "two captures", "late capture", "audit log", "audit log at Metadata", "audit log and lists", "hole"}).Draw(t, "taken as")
	if s.what != "hole" && !strings.HasPrefix(s.what, "audit") && len(kinds) == 0 {
		kinds = append(kinds, model.KindNode)
	}
	watch := func(k model.Kind, until model.Instant) {
		s.paths, s.upTo[k] = append(s.paths, write(t, dir, fileNames[k]+".watch.jsonl", d.watched(k, until))), until
	}
	list := func(k model.Kind, at model.Instant) {
		s.paths, s.upTo[k] = append(s.paths, write(t, dir, fileNames[k]+".json", d.listed(k, at))+"@"+at.String()), at
	}
	switch s.what {
	case "watch files":
		for _, k := range kinds {
			watch(k, end)
		}
	case "watch files that end":
		for _, k := range kinds {
			watch(k, moment("end of "+fileNames[k]))
		}
	case "one capture":
		at := moment("captured at")
		for _, k := range kinds {
			list(k, at)
		}
	case "two captures":
		for _, k := range kinds {
			list(k, moment("captured at"))
		}
	case "late capture":
		at := moment("captured at")
		for _, k := range kinds[:(len(kinds)+1)/2] {
			watch(k, at)
		}
		for _, k := range kinds[(len(kinds)+1)/2:] {
			list(k, end)
		}
	case "audit log", "audit log at Metadata":
		s.paths = append(s.paths, write(t, dir, "audit.log", d.audited(end, s.what == "audit log at Metadata")))
	case "audit log and lists":
		s.paths = append(s.paths, write(t, dir, "audit.log", d.audited(end, rapid.Bool().Draw(t, "Metadata"))))
		for _, k := range kinds {
			list(k, d.start.Add(time.Second))
			s.upTo[k] = end
		}
		s.upTo[model.KindNodeLease] = end // each renewal is in the log
		delete(s.upTo, model.KindLeaderLease)
	case "hole":
		from, to := moment("hole from"), moment("hole to")
		s.hole = model.Interval{Earliest: min(from, to), Latest: max(from, to)}
		s.paths = holed(t, d, dir, s.hole)
		for k := range fileNames {
			s.upTo[k] = end
		}
	}
	return s
}

func write(t *rapid.T, dir, name string, data []byte) string {
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// holed are two recordings with a time between them of which nothing is known.
func holed(t *rapid.T, d *drawn, dir string, hole model.Interval) []string {
	text := write(t, dir, "drawn.scenario", []byte(d.text))
	full, one, two := filepath.Join(dir, "full.mcap"), filepath.Join(dir, "one.mcap"), filepath.Join(dir, "two.mcap")
	for _, args := range [][]string{{"scenario", "run", text, "-o", full}, {"cut", full, "--to", hole.Earliest.String(), "-o", one}, {"cut", full, "--from", hole.Latest.String(), "-o", two}} {
		if got := kardiaIn(context.Background(), nil, "kardia", args...); got.code != OK {
			t.Fatal(args, got.err)
		}
	}
	return []string{one, two}
}

// watched is what 'kubectl get --watch --output-watch-events' printed until a time.
func (d *drawn) watched(kind model.Kind, until model.Instant) (out []byte) {
	types := map[model.Op]string{model.OpBaseline: "ADDED", model.OpAdd: "ADDED", model.OpModify: "MODIFIED", model.OpDelete: "DELETED"}
	for i := range d.changes {
		if ch := &d.changes[i]; ch.Kind == kind && types[ch.Op] != "" && ch.Arrival <= until && !(ch.Op == model.OpDelete && ch.Node == nil && ch.Pod == nil && kind != model.KindNodeLease) {
			out = append(out, jsonLine(map[string]any{"type": types[ch.Op], "object": object(ch)})...)
		}
	}
	return out
}

// listed is what 'kubectl get -o json' printed at a time.
func (d *drawn) listed(kind model.Kind, at model.Instant) []byte {
	last := map[model.Key]*model.Change{}
	for i := range d.changes {
		if ch := &d.changes[i]; ch.Kind == kind && ch.Arrival <= at {
			switch ch.Op {
			case model.OpBaseline, model.OpAdd, model.OpModify:
				last[ch.Key] = ch
			case model.OpDelete:
				delete(last, ch.Key)
			}
		}
	}
	items := []any{}
	for i := range d.changes {
		if ch := &d.changes[i]; last[ch.Key] == ch {
			items = append(items, object(ch))
		}
	}
	return jsonLine(map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{"resourceVersion": ""}, "items": items})
}

func jsonLine(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return append(data, '\n')
}
