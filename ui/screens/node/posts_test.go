package node

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/ui/screen/screentest"
)

// A status that is posted every ten seconds though nothing changes in it is shown beside the intended rhythm, with the
// reason. For kwok's nodes it is kwok's. For one that posts as intended, nothing is shown.
func TestAStatusThatIsPostedOften(t *testing.T) {
	s := screentest.Incident()
	row := s.Cluster.Node(screentest.Victim)
	shown := func(every time.Duration, kubelet string) string {
		n := *row.Node
		n.KubeletVersion = kubelet
		n.Conditions = []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue}}
		var changes []model.Change
		from := s.At.Add(-8 * time.Minute)
		for i, at := uint64(1), from; at <= s.At; i, at = i+1, at.Add(every) {
			v := n
			v.Conditions = []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue, Heartbeat: at.Truncate(time.Second)}}
			changes = append(changes, model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: row.Name}, UID: n.UID, Version: i, Time: model.Exactly(at), Arrival: at, Node: &v})
		}
		h := history.NewMemory(changes, model.Interval{Earliest: from, Latest: s.At}, nil, []history.Source{{}})
		cursor := history.NewCursor(h)
		if err := cursor.Seek(s.At); err != nil {
			t.Fatal(err)
		}
		like := *s
		like.Cluster, like.Track = cursor.State(), func(node string, w model.Interval) *past.Track {
			track, err := past.BuildTrack(h, node, w)
			if err != nil {
				t.Fatal(err)
			}
			return track
		}
		return strings.Join(strings.Fields(draw(show(screentest.Victim), &like, 200, 100)), " ")
	}
	for _, tt := range []struct {
		every         time.Duration
		kubelet       string
		says, without string
	}{
		{10200 * time.Millisecond, "v1.36.3", "posted every 10s though nothing changes in it,", "has a rhythm of its own"},
		{10200 * time.Millisecond, "kwok-0.9.0", "it, which has a rhythm of its own; posted", "inherits"},
		{4 * time.Minute, "kwok-0.9.0", "its status kwok posts it, which has a rhythm of its own; posted", "next status"},
		{4 * time.Minute, "v1.36.3", "its status meant every 5m0s if nothing changes, else within 10s", "though nothing changes"},
	} {
		text := shown(tt.every, tt.kubelet)
		if !strings.Contains(text, tt.says) || strings.Contains(text, tt.without) {
			t.Errorf("every %v by %s: want %q, and nothing of %q, in\n%s", tt.every, tt.kubelet, tt.says, tt.without, text)
		}
	}
}
