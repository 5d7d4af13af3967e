package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/topics"
)

// holding is a Snapshot of a demo in which so many of the pods of silent nodes that are foreseen to be deleted hold a volume
// each.
func holding(t *testing.T, demo string, most int) (s screen.Snapshot, held int) {
	t.Helper()
	s = *screentest.Recorded(t, "demo:"+demo, 100*time.Second)
	s.Cluster, s.Mode = s.Cluster.Clone(), screen.Live
	s.Kinds = map[model.Kind]bool{model.KindNode: true, model.KindPod: true, model.KindVolumeAttachment: true}
	fold := func(kind model.Kind, name string, list ...model.Detail) {
		s.Cluster.Fold(&model.Change{Kind: kind, Op: model.OpBaseline, Key: model.Key{Name: name}, Time: model.Exactly(s.At),
			Related: &model.Related{Details: model.Details(model.PackDetails(list, nil))}})
	}
	for _, e := range s.Judged.Forecast.Evictions {
		if !e.State.Ahead() || held == most {
			continue
		}
		claim := fmt.Sprint("data-", held)
		held++
		fold(model.KindPersistentVolume, "pv-"+claim, model.Detail{Name: model.DetailClaimOf, Value: e.Pod.Namespace + "/" + claim})
		fold(model.KindVolumeAttachment, "csi-"+claim, model.Detail{Name: model.DetailNode, Value: e.Node},
			model.Detail{Name: model.DetailVolume, Value: "pv-" + claim}, model.Detail{Name: model.DetailAttached, Value: "true"})
		p := *s.Cluster.Pod(e.Pod)
		p.Details = model.Details(model.PackDetails([]model.Detail{{Name: model.DetailClaim + claim, Value: "data"}, {Name: model.DetailRunning, Value: "true"}}, nil))
		s.Cluster.Fold(&model.Change{Kind: model.KindPod, Op: model.OpModify, Key: p.Key, UID: p.UID, Time: model.Exactly(s.At), Pod: &p})
	}
	return s, held
}

// What comes has the volumes of pods that are foreseen to be deleted from a silent node: from six minutes after that on,
// perhaps, with what it rests on.
func TestWhatComesHasVolumesOfPodsToBeDeleted(t *testing.T) {
	s, held := holding(t, "node-loss", 1)
	if held != 1 {
		t.Fatal("no pod is due: nothing was tested")
	}
	w := &whyPage{p: screentest.Painters()["dark"], s: &s, width: 78}
	assumed := w.others(s.From().Add(forecast.Horizon))
	var lines []string
	for _, r := range w.rows {
		lines = append(lines, r.Text)
	}
	text := screentest.Plain(lines)
	for _, want := range []string{"◌ ≥6:1", "default/data-0", "may be detached from ip-10-0-2-003"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if !slices.ContainsFunc(assumed, func(a string) bool { return a == topics.VolumesAssumePredicted().In(w.p) }) {
		t.Errorf("it assumes %q", assumed)
	}
	j := *s.Judged
	j.State, s.Judged, s.Revision = nil, &j, s.Revision+1
	if list, _ := w.foreseenVolumes(s.From().Add(forecast.Horizon)); len(list) > 0 {
		t.Error("something is said of volumes where the models say nothing")
	}
}

// Of many volumes the first times have a row each, and the last line counts the volumes of the others, and their nodes.
func TestVolumesThatHaveNoRowAreCounted(t *testing.T) {
	s, held := holding(t, "zone-outage", 15)
	j, f := *s.Judged, *s.Judged.Forecast
	f.Evictions = slices.Clone(f.Evictions)
	n := 0
	for i := range f.Evictions { // each at a time of its own, or they would share rows
		if e := &f.Evictions[i]; e.State.Ahead() {
			n++
			e.Window = model.Exactly(s.At.Add(time.Duration(n) * time.Second))
		}
	}
	j.Forecast, s.Judged, s.Revision = &f, &j, s.Revision+1
	w := &whyPage{p: screentest.Painters()["dark"], s: &s, width: 78}
	list, rest := w.foreseenVolumes(s.From().Add(forecast.Horizon))
	if held != 15 || len(list) != mostForeseen || rest != "… and 3 volumes of 2 nodes later: only the first 12 times have a row each" {
		t.Errorf("of %d volumes %d have a row, and it says %q", held, len(list), rest)
	}
	w.others(s.From().Add(forecast.Horizon))
	shown := 0
	for _, r := range w.rows {
		if strings.Contains(screentest.Plain([]string{r.Text}), "only the first 12 times") {
			shown++
		}
	}
	if shown != 1 {
		t.Errorf("the line stands there %d times", shown)
	}
}
