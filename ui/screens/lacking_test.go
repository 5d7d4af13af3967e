package screens_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"kardia/model/explain/outlook"
	"kardia/ui/headline"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/screens/evictions"
	"kardia/ui/screens/fleet"
	"kardia/ui/screens/node"
	"kardia/ui/screens/pods"
	"kardia/ui/screens/zones"
)

// If no leases are to be had, the fleet draws no pulse, and no age that rests on a status is taken for a silence: it
// may be less.
func TestWithoutLeases(t *testing.T) {
	path := screentest.IncidentPath("../../../demo/zone-outage") + "/nodes.watch.jsonl.zst"
	s := screentest.Recorded(t, path, 2*time.Minute)
	s.Judged = &outlook.Judgement{Missing: screentest.NoLeases}
	p := screentest.Painters()["dark"]
	frame := func(v screen.View, w, h int) string {
		return screentest.Plain(v.Render(s, p, screen.Area{W: w, H: h, Tier: screen.TierOf(w, h)}))
	}
	for _, size := range [][2]int{{80, 18}, {120, 30}, {200, 54}} {
		shown := frame(fleet.New(), size[0], size[1])
		for _, no := range []string{"renewals none", "none"} {
			if strings.Contains(shown, no) {
				t.Errorf("fleet says %q in\n%s", no, shown)
			}
		}
		if !strings.Contains(shown, "≤2m01s") {
			t.Errorf("fleet does not say ≤2m01s:\n%s", shown)
		}
	}
	if shown := frame(zones.New(), 200, 54); !strings.Contains(shown, "≤2m01s") {
		t.Errorf("zones does not say ≤2m01s:\n%s", shown)
	}
	calm := screentest.Recorded(t, path, time.Minute)
	if got := headline.Rows(calm, p, 120, 2)[0].Text; !strings.Contains(screentest.Plain([]string{got}), "all 28 nodes read Ready; no heartbeat is known to the second") {
		t.Errorf("headline: %q", got)
	}
}

// Why nothing is judged is shown once, in the headline: the screens below it name the place of the full text.
func TestWithoutLeasesIsToldOnce(t *testing.T) {
	path := screentest.IncidentPath("../../../demo/zone-outage") + "/nodes.watch.jsonl.zst"
	s := screentest.Recorded(t, path, 2*time.Minute)
	s.Judged = &outlook.Judgement{Missing: screentest.NoLeases}
	p := screentest.Painters()["dark"]
	for name, v := range map[string]screen.View{"fleet": fleet.New(), "zones": zones.New(), "node": node.New(), "evictions": evictions.New()} {
		for _, size := range [][2]int{{80, 18}, {200, 54}} {
			shown := screentest.Plain(v.Render(s, p, screen.Area{W: size[0], H: size[1], Tier: screen.TierOf(size[0], size[1])}))
			if strings.Contains(shown, "silence cannot be judged") {
				t.Errorf("%s at %v tells it again:\n%s", name, size, shown)
			}
		}
	}
}

// While the first lists of a live session are read, there is no forecast, and the reason follows.
func TestBeforeTheFirstLists(t *testing.T) {
	s := screentest.Recorded(t, screentest.IncidentPath("../../../demo/zone-outage"), time.Minute)
	s.Judged = &outlook.Judgement{Missing: outlook.Missing{Reason: outlook.ReadingLists}}
	p := screentest.Painters()["dark"]
	shown := screentest.Plain(evictions.New().Render(s, p, screen.Area{W: 80, H: 18, Tier: screen.TierOf(80, 18)}))
	if want := "the forecast is not known: the models have yet to read the first lists"; !strings.Contains(shown, want) {
		t.Errorf("does not say %q:\n%s", want, shown)
	}
}

// heartbeatsAlone is a recorded audit log as a policy of level Metadata would have it: without the objects.
func heartbeatsAlone(t *testing.T) string {
	packed, err := os.Open(screentest.IncidentPath("partial") + "/audit.log.zst")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	in, err := zstd.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var lines strings.Builder
	for d := json.NewDecoder(in); d.More(); {
		var event map[string]any
		if err := d.Decode(&event); err != nil {
			t.Fatal(err)
		}
		delete(event, "requestObject")
		delete(event, "responseObject")
		event["level"] = "Metadata"
		line, _ := json.Marshal(event)
		lines.Write(append(line, '\n'))
	}
	path := filepath.Join(t.TempDir(), "audit.log")
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Of heartbeats alone no screen says more than is known: neither that no node is silent or tainted, nor that there is no
// Node object, no pod, or no master disruption.
func TestHeartbeatsAlone(t *testing.T) {
	s, p := screentest.Recorded(t, heartbeatsAlone(t), 100*time.Second), screentest.Painters()["dark"]
	lost := node.New()
	lost.Show(s.Nodes().Entries[12].Row.Name)
	for name, c := range map[string]struct {
		screen.View
		says, not string
	}{
		"evictions": {evictions.New(), "no pod is known to be deleted, but 24 nodes known only by a lease", "no node is silent"},
		"node":      {lost, "its Node object was not seen", "there is no Node object"},
		"pods":      {pods.New(), "no pod was seen here", "there are no pods"},
		"zones":     {zones.New(), "master disruption: not known", "master disruption: no "},
	} {
		for _, size := range [][2]int{{80, 18}, {200, 54}} {
			shown := screentest.Plain(c.Render(s, p, screen.Area{W: size[0], H: size[1], Tier: screen.TierOf(size[0], size[1])}))
			if text := strings.Join(strings.Fields(shown), " "); !strings.Contains(text, c.says) || strings.Contains(shown, c.not) {
				t.Errorf("%s at %v does not say %q, or says %q:\n%s", name, size, c.says, c.not, shown)
			}
		}
	}
}

// Where nodes or pods were not listed, no screen says that all is well, or that nothing is due: it says what is not known.
func TestNotListedIsNotAbsent(t *testing.T) {
	demo, p := screentest.IncidentPath("../../../demo/zone-outage"), screentest.Painters()["dark"]
	leases := screentest.Recorded(t, demo+"/leases.watch.jsonl.zst", 30*time.Second)
	audit := screentest.Recorded(t, demo+"/audit.log.zst", 30*time.Second)
	for name, c := range map[string]struct {
		s         *screen.Snapshot
		view      screen.View
		says, not string
	}{
		"leases, headline": {leases, nil, "28 known nodes renew", "all 28 nodes renew"},
		"leases, fleet":    {leases, fleet.New(), "no node is seen to need attention, but nodes were not listed", "no node needs attention"},
		"audit, headline":  {audit, nil, "known nodes renew", "all 28 nodes renew"},
		"audit, evictions": {audit, evictions.New(), "no pod is known to be deleted, but", "no node is silent or tainted"},
		"audit, pods":      {audit, pods.New(), "that were seen are healthy, but", "all "},
	} {
		for _, size := range [][2]int{{80, 18}, {200, 54}} {
			shown := screentest.Plain([]string{headline.Rows(c.s, p, size[0], 2)[0].Text})
			if c.view != nil {
				shown = screentest.Plain(c.view.Render(c.s, p, screen.Area{W: size[0], H: size[1], Tier: screen.TierOf(size[0], size[1])}))
			}
			if text := strings.Join(strings.Fields(shown), " "); !strings.Contains(text, c.says) || strings.Contains(text, c.not) {
				t.Errorf("%s at %v does not say %q, or says %q:\n%s", name, size, c.says, c.not, shown)
			}
		}
	}
}
