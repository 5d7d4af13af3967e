package screen_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/history"
	"kardia/sources/capture/stream"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

// said are the notices, a line each.
func said(s *screen.Snapshot) string {
	var lines []string
	for _, n := range screen.Notices(s, screentest.Painters()["dark"]) {
		lines = append(lines, n.Text)
	}
	return strings.Join(lines, "\n")
}

func before(d time.Duration) model.Instant { return screentest.Now.Add(-d) }

func TestNotices(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*screen.Snapshot)
		want string
	}{
		{"all is well", func(*screen.Snapshot) {}, ""},
		{"opening", func(s *screen.Snapshot) { s.Loading = 0.614 }, "◌ opening 61%"},
		{"the end", func(s *screen.Snapshot) { s.Mode = screen.Ended }, "end of recording 14:21:17Z    ctrl+home goes to the start"},
		{"a gap", func(s *screen.Snapshot) {
			s.Blind = true
			s.Gaps = []history.Gap{{Interval: model.Interval{Earliest: before(9 * time.Second), Latest: before(-10 * time.Second)}, Why: "watch restarted"}}
		}, "gap 14:03:18Z to 14:03:37Z: watch restarted; events in it are not known, drawn as ┄"},
		{"no leases recorded", func(s *screen.Snapshot) { s.Kinds = map[model.Kind]bool{model.KindNode: true, model.KindPod: true} },
			"no leases recorded: heartbeats by node status only, up to 5 min coarse"},
		{"nothing judged yet", func(s *screen.Snapshot) {
			s.Judged = &outlook.Judgement{Missing: screentest.Reading}
		}, "the models are still reading the recording: 43 %"},
		{"nothing judged at all", func(s *screen.Snapshot) {
			s.Judged = &outlook.Judgement{Missing: screentest.NoLeases}
		}, "nothing is judged: the input holds no node leases: silence cannot be judged"},
		{"an empty cluster", func(s *screen.Snapshot) { s.Cluster, s.Mode = model.NewCluster(), screen.Live }, "this cluster has no nodes at 14:03:27Z"},
		{"before the start", func(s *screen.Snapshot) {
			s.Cluster, s.At = model.NewCluster(), s.Coverage.Earliest.Add(-time.Second)
		}, "nothing is known yet: the data starts at 13:41:17Z"},
		{"before anybody watched a cluster", func(s *screen.Snapshot) {
			s.Cluster, s.At, s.Mode = model.NewCluster(), s.Coverage.Earliest.Add(-time.Minute), screen.LivePaused
			s.Remembered = s.Coverage.Earliest.Add(-time.Hour)
		}, "not watched at 13:40:17Z: , and . step through timestamps and Events of that time, 4 lists them, ctrl+end goes to 13:41:17Z, when watching started"},
		{"loading", func(s *screen.Snapshot) {
			s.Mode = screen.Live
			s.Status = []stream.Status{{Kind: model.KindNode, State: stream.Loading, Loaded: 8000}, {Kind: model.KindPod}}
		}, "… loading   nodes 8000   pods waiting"},
		{"disconnected", func(s *screen.Snapshot) {
			s.Mode = screen.Live
			s.Status = []stream.Status{{Kind: model.KindNode, State: stream.Disconnected, Since: before(47 * time.Second), Last: before(47 * time.Second), Retry: before(-8 * time.Second), Why: "connection refused\x1b[2J"}}
		}, "┄ disconnected 47s   retry in 8s   connection refused␛[2J\nages count from the last update; nothing confirmed since 14:02:40Z"},
		{"no rights to pods", func(s *screen.Snapshot) {
			s.Mode = screen.Live
			s.Status = []stream.Status{{Kind: model.KindNode, State: stream.Live, Last: before(0)}, {Kind: model.KindPod, State: stream.Forbidden}}
		}, "pods: forbidden, so pods are unknown; zones and taints are exact   ! shows more"},
		{"no rights to nodes", func(s *screen.Snapshot) {
			s.Mode = screen.Live
			s.Status = []stream.Status{{Kind: model.KindNode, State: stream.Forbidden}, {Kind: model.KindNodeLease, State: stream.Live, Last: before(0)}}
		}, "nodes: forbidden, so no states and no zones; heartbeats count   ! shows more"},
		{"few rights", func(s *screen.Snapshot) {
			s.Mode = screen.Live
			s.Status = []stream.Status{{Kind: model.KindNode, State: stream.Live, Last: before(0)}, {Kind: model.KindPod, State: stream.Forbidden},
				{Kind: model.KindEvent, State: stream.Forbidden}, {Kind: model.KindVolumeAttachment, State: stream.Forbidden}}
		}, "forbidden: pods, events   ! shows the cost"},
		{"nodes alone, which are posted every five minutes", func(s *screen.Snapshot) {
			s.Mode, s.Kinds = screen.Live, map[model.Kind]bool{model.KindNode: true}
			s.Status = []stream.Status{{Kind: model.KindNode, State: stream.Live, Last: before(63 * time.Second)}, {Kind: model.KindNodeLease, State: stream.Forbidden}}
		}, "leases: forbidden, so no decisions, ages by status (up to 5 min)   ! shows more"},
		{"a capture", func(s *screen.Snapshot) {
			s.Mode, s.Coverage.Earliest, s.Remembered = screen.Ended, s.Coverage.Latest, s.Coverage.Earliest
		}, "captured at 14:21:17Z: one time    , steps back through its timestamps"},
		{"our own silence", func(s *screen.Snapshot) {
			s.Mode = screen.Live
			s.Status = []stream.Status{{Kind: model.KindNode, State: stream.Live, Last: before(63 * time.Second)}}
		}, "nothing arrived for 1m03s, longer than the grace period: state of 14:02:24Z"},
	} {
		s := screentest.Incident()
		c.set(s)
		if got := said(s); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		for line := range strings.Lines(c.want) {
			if w := paint.Width(strings.TrimSuffix(line, "\n")); w > 79 && c.name != "before anybody watched a cluster" && c.name != "a gap" {
				t.Errorf("%s: %d cells do not fit 80 columns: %s", c.name, w, line)
			}
		}
	}
}

func TestAnyNoticeIsClean(t *testing.T) {
	p := screentest.Painters()["ascii"]
	rapid.Check(t, func(t *rapid.T) {
		s := screentest.Random(t)
		for _, n := range screen.Notices(s, p) {
			line := p.Line(80).Put(n.Token, n.Text).String()
			screentest.CheckFrame(t, []string{line}, p, 80, 1)
		}
	})
}

// Nodes are read once for a Snapshot, and again for one of another instant that follows it.
func TestNodesAreReadOnce(t *testing.T) {
	s := screentest.Incident()
	first := s.Nodes()
	if s.Nodes() != first {
		t.Error("read twice")
	}
	later := *s
	later.At = s.At.Add(time.Minute)
	later.Follow(s)
	if later.Nodes().Zones[1].Oldest == first.Zones[1].Oldest || s.Nodes() != first {
		t.Error("not read again after time went on, or what was read before has gone")
	}
}

func TestSubjectNames(t *testing.T) {
	for _, c := range []struct {
		s    screen.Subject
		want string
	}{
		{screen.Subject{}, ""},
		{screen.Subject{Kind: screen.NodeSubject, Node: "n"}, "n"},
		{screen.Subject{Kind: screen.ZoneSubject, Zone: model.Some(model.ZoneKey{Region: "r", Zone: "z"})}, "r/z"},
		{screen.Subject{Kind: screen.ZoneSubject}, ""},
		{screen.Subject{Kind: screen.PodSubject, Pod: model.Key{Namespace: "a", Name: "b"}}, "a/b"},
	} {
		if got := c.s.Name(); got != c.want {
			t.Errorf("%+v is called %q, want %q", c.s, got, c.want)
		}
	}
}

// One outage breaks every watch: it is one gap.
func TestOneOutageIsOneGap(t *testing.T) {
	gap := func(from, to model.Instant) history.Gap {
		return history.Gap{Interval: model.Interval{Earliest: from, Latest: to}}
	}
	s := screen.Snapshot{Gaps: []history.Gap{gap(10, 20), gap(40, 50), gap(11, 19), gap(12, 22), gap(21, 23)}}
	if n := s.Outages(); n != 2 {
		t.Errorf("%d gaps", n)
	}
}
