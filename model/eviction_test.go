package model

import (
	"strconv"
	"testing"
	"time"
)

// TestEviction: requests for one pod are one eviction until it is let go, is gone or is another, or nobody asks for long.
func TestEviction(t *testing.T) {
	const refused = "TooManyRequests: Cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 2 healthy pods and has 2 currently"
	key := Key{"shop", "web-0"}
	at := func(s int) Interval { return Exactly(Instant(1767607200e9).Add(time.Duration(s) * time.Second)) }
	by := &Requester{User: "ops\n=", Agent: "kubectl/v1.36.3 (linux/amd64)"}
	asks := func(s int, code int16, note string) Change {
		op := OpAttempt
		if code < 300 {
			op = OpModify
		}
		return Change{Kind: KindPod, Op: op, Key: key, Time: at(s), Code: code, Note: note, Requester: by}
	}
	pod := func(s int, uid byte) Change {
		p := &Pod{Key: key, Node: "a", UID: UID{uuid: [16]byte{uid}}}
		return Change{Kind: KindPod, Op: OpModify, Key: key, UID: p.UID, Time: at(s), Pod: p}
	}
	gone := Change{Kind: KindPod, Op: OpDelete, Key: key, Time: at(50)}
	for name, c := range map[string]struct {
		changes     []Change
		ok          bool
		first, last int
		refusals    int
		budget      string
	}{
		"retries":              {[]Change{pod(0, 1), asks(1, 429, EvictNote(refused)), asks(6, 429, EvictNote(refused)), pod(7, 1)}, true, 1, 6, 2, "web"},
		"let go":               {[]Change{pod(0, 1), asks(1, 429, EvictNote(refused)), asks(6, 201, EvictNote("the line does not show the pod"))}, true, 1, 6, 0, ""},
		"not a word":           {[]Change{pod(0, 1), asks(1, 429, EvictNote(""))}, true, 1, 1, 1, ""},
		"gone":                 {[]Change{pod(0, 1), asks(1, 429, EvictNote(refused)), gone}, false, 0, 0, 0, ""},
		"gone, of no pod":      {[]Change{asks(1, 429, EvictNote(refused)), gone}, false, 0, 0, 0, ""},
		"of no pod":            {[]Change{asks(1, 429, EvictNote(refused))}, true, 1, 1, 1, "web"},
		"another pod":          {[]Change{pod(0, 1), asks(1, 429, EvictNote(refused)), pod(7, 2)}, false, 0, 0, 0, ""},
		"no such pod":          {[]Change{pod(0, 1), asks(1, 404, EvictNote("NotFound"))}, false, 0, 0, 0, ""},
		"another request":      {[]Change{pod(0, 1), asks(1, 429, refused)}, false, 0, 0, 0, ""},
		"again after an hour":  {[]Change{pod(0, 1), asks(1, 429, EvictNote(refused)), asks(3601, 429, EvictNote(refused))}, true, 3601, 3601, 1, "web"},
		"at a time that is no": {[]Change{pod(0, 1), {Kind: KindPod, Op: OpAttempt, Key: key, Code: 429, Note: EvictNote("")}}, false, 0, 0, 0, ""},
	} {
		cluster := NewCluster()
		for i := range c.changes {
			cluster.Fold(&c.changes[i])
		}
		copied := NewCluster() // as a recording begins that goes on from here
		for ch := range cluster.Baseline(at(4000).Latest, nil) {
			copied.Fold(ch)
		}
		for _, cluster := range []*Cluster{cluster, cluster.Clone(), copied} {
			e, ok := cluster.Eviction(key)
			if ok != c.ok || ok && (e.First != at(c.first).Latest || e.Last != at(c.last).Latest || e.Refusals != c.refusals || e.Answer.Name != c.budget || e.By.Program() != "kubectl") {
				t.Errorf("%s: %v %+v", name, ok, e)
			}
		}
	}
}

// TestManyEvictions: requests for pods that are never seen do not grow without end; a keyframe holds them.
func TestManyEvictions(t *testing.T) {
	c := NewCluster()
	for i := range maxEvictions + 10 {
		c.Fold(&Change{Kind: KindPod, Op: OpAttempt, Key: Key{"shop", strconv.Itoa(i)}, Time: Exactly(1767607200e9), Code: 429, Note: EvictNote("")})
	}
	if _, ok := c.Eviction(Key{"shop", "0"}); len(c.related.rows) != maxEvictions || !ok {
		t.Errorf("%d evictions", len(c.related.rows))
	}
}
