package remedy

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

// volumed is a Snapshot of the node loss in which volumes hang on the lost node, as told by a live cluster.
func volumed(t *testing.T, claims ...string) *screen.Snapshot {
	s := *screentest.Recorded(t, "demo:node-loss", 350*time.Second)
	s.Cluster, s.Mode = s.Cluster.Clone(), screen.Live
	s.Kinds = map[model.Kind]bool{model.KindNode: true, model.KindPod: true, model.KindVolumeAttachment: true}
	fold := func(kind model.Kind, name string, list ...model.Detail) {
		s.Cluster.Fold(&model.Change{Kind: kind, Op: model.OpBaseline, Key: model.Key{Name: name}, Time: model.Exactly(s.At),
			Related: &model.Related{Details: model.Details(model.PackDetails(list, nil))}})
	}
	for _, claim := range claims {
		fold(model.KindPersistentVolume, "pv-"+claim, model.Detail{Name: model.DetailClaimOf, Value: "default/" + claim})
		fold(model.KindVolumeAttachment, "csi-"+claim, model.Detail{Name: model.DetailNode, Value: "ip-10-0-2-003"},
			model.Detail{Name: model.DetailVolume, Value: "pv-" + claim}, model.Detail{Name: model.DetailAttached, Value: "true"})
	}
	return &s
}

// uses lets a pod use a claim.
func uses(s *screen.Snapshot, pod, claim string) {
	p := *s.Cluster.Pod(model.Key{Namespace: "default", Name: pod})
	p.Details = model.Details(model.PackDetails([]model.Detail{{Name: model.DetailClaim + claim, Value: "data"}, {Name: model.DetailRunning, Value: "true"}}, nil))
	s.Cluster.Fold(&model.Change{Kind: model.KindPod, Op: model.OpModify, Key: p.Key, UID: p.UID, Time: model.Exactly(s.At), Pod: &p})
}

// The volumes of a node stand in its recovery, each with what keeps it there or its clock.
func TestVolumesOfTheNode(t *testing.T) {
	s := volumed(t, "free", "held")
	uses(s, "mixed-ip-10-0-2-003-0", "held")
	area := screen.Arrange(120, 90).Area()
	text := screentest.Plain(about(Screens()[0], "ip-10-0-2-003").Render(s, screentest.Painters()["dark"], area))
	flat := strings.Join(strings.Fields(strings.NewReplacer("│", " ").Replace(text)), " ")
	for _, want := range []string{"default/held: stays as long as the object of default/mixed-ip-10-0-2-003-0 is there: only then its six minutes start",
		"default/free: no pod wants it: detached by force six minutes after that", "in 0:00–6:02", "keeps default/held (for six minutes after they are gone)", "2 volumes are attached, and the taint detaches them at once"} {
		if !strings.Contains(flat, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// What is not known of volumes is said, with the reason: none, no right to read them, not recorded, not seen yet.
func TestVolumesThatAreNotKnown(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(s *screen.Snapshot)
	}{
		{"none", "no volume is attached", func(*screen.Snapshot) {}},
		{"forbidden", "VolumeAttachments are forbidden: no right", func(s *screen.Snapshot) {
			s.Kinds[model.KindVolumeAttachment] = false
			s.Status = []stream.Status{{Kind: model.KindVolumeAttachment, State: stream.Forbidden, Why: "no right"}}
		}},
		{"not yet", "VolumeAttachments are asked for, not answered yet", func(s *screen.Snapshot) { s.Kinds[model.KindVolumeAttachment] = false }},
		{"not recorded", "VolumeAttachments are not recorded", func(s *screen.Snapshot) { s.Mode, s.Kinds = screen.Paused, nil }},
		{"before", "VolumeAttachments are not seen up to this time", func(s *screen.Snapshot) { s.Mode = screen.Paused }},
	} {
		s := volumed(t)
		c.change(s)
		text := screentest.Plain(about(Screens()[0], "ip-10-0-2-003").Render(s, screentest.Painters()["dark"], screen.Arrange(200, 90).Area()))
		flat := strings.Join(strings.Fields(strings.NewReplacer("│", " ").Replace(text)), " ")
		if !strings.Contains(flat, c.want) {
			t.Errorf("%s: no %q in\n%s", c.name, c.want, text)
		}
	}
}
