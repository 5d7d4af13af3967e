package open

import (
	"slices"
	"strings"
	"testing"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
)

// What lies about of an incident begins and ends at different times.

// partOfLog is the lines of an audit log from one hundredth to another.
func partOfLog(t *testing.T, incident string, from, to int) input.File {
	lines := linesOf(textOf(t, incident, "audit.log"))
	return inputtest.File("audit.log", []byte(strings.Join(lines[len(lines)*from/100:len(lines)*to/100], "\n")))
}

// watchesOf are the watches of an incident of some kinds: nodes, leases, pods, events.
func watchesOf(t *testing.T, incident string, kinds ...string) (files []input.File) {
	for _, kind := range kinds {
		files = append(files, inputtest.File(kind+".watch.jsonl", []byte(textOf(t, incident, kind+".watch.jsonl"))))
	}
	return files
}

func openedOf(t *testing.T, files ...input.File) *Opened {
	t.Helper()
	o, err := openFiles(t.Context(), files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	return o
}

// TestPodsOfALogThatEnds: pods that only an audit log shows are not seen any more once it has ended, even if nodes are
// still watched. The models' expectations of them after that are not missed.
func TestPodsOfALogThatEnds(t *testing.T) {
	o := openedOf(t, append(watchesOf(t, "all-dark", "nodes", "leases", "events"), partOfLog(t, "all-dark", 0, 52))...)
	res, _ := shadowed(t, o.History, flags)
	if len(res.Unobserved) > 0 || res.Findings() > 0 || len(res.Writes) < 50 {
		t.Errorf("%d effects are not seen, %d of %d left open", len(res.Unobserved), res.Findings(), len(res.Writes))
	}
}

// TestDeletionsWithoutPods: if no pod is known, a log with their deletions contradicts nothing.
func TestDeletionsWithoutPods(t *testing.T) {
	o := openedOf(t, append(watchesOf(t, "node-loss", "nodes", "leases", "events"), inputtest.File("kcm.log", controllerLog(t, "node-loss")))...)
	if _, r := heard(t, o); len(r.Contradicted) > 0 || r.NotCompared < 6 {
		t.Errorf("%d not compared, %+v", r.NotCompared, r.Contradicted)
	}
}

// TestACaptureIsTakenAfterWhatItShows: a dump without managedFields, whose newest stamps are old, was taken after the
// requests that wrote what it shows.
func TestACaptureIsTakenAfterWhatItShows(t *testing.T) {
	nodes := objects(t, "node-loss", "nodes")
	for _, n := range nodes {
		delete(n["metadata"].(map[string]any), "managedFields")
	}
	o := openedOf(t, partOfLog(t, "node-loss", 20, 100), inputtest.File("nodes.json", asJSON(listOf("List", nodes))))
	sources := o.History.Sources()
	dump := slices.IndexFunc(sources, func(s history.Source) bool { return s.Captured != nil })
	shown := 0
	for _, ch := range changesOf(t, o.History) {
		if ch.Kind != model.KindNode || ch.Quality != model.ByServer || int(ch.Origin.Source) != dump && int(ch.Also.Source) != dump {
			continue
		}
		if shown++; ch.Time.Earliest > sources[dump].Captured.At {
			t.Errorf("%s of %d was written at %s, and the dump is of %s", ch.Key.Name, ch.Version, ch.Time.Earliest, sources[dump].Captured.At)
		}
	}
	if shown == 0 {
		t.Error("the log wrote nothing that the dump shows")
	}
}
