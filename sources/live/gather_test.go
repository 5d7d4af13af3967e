package live

import (
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// brought is a connection that brings so many bytes each time it is read, and notes when.
type brought struct {
	net.Conn
	bytes []int
	read  []time.Duration
	began time.Time
}

func (c *brought) Read(b []byte) (n int, err error) {
	c.read = append(c.read, time.Since(c.began))
	n, c.bytes = min(len(b), c.bytes[0]), c.bytes[1:]
	return n, nil
}

// TestWhatLittleComesIsGathered: after a connection was read empty it is left alone for a while, so that what comes
// meanwhile is read at once; a burst that fills the room is read through; and who records, or lists, waits for nothing.
func TestWhatLittleComesIsGathered(t *testing.T) {
	const w = gatherFor
	at := []time.Duration{0, w, w, w, 2 * w}
	for does, want := range map[string][]time.Duration{"gathers": at, "lists": make([]time.Duration, 5), "records": make([]time.Duration, 5)} {
		synctest.Test(t, func(t *testing.T) {
			s := &Source{}
			if does != "records" {
				s.Gather()
			}
			list := &watcher{source: s}
			list.lists(true)
			list.lists(does == "lists")
			from := &brought{bytes: []int{5, 64, 64, 7, 9}, began: time.Now()}
			g := &gathered{Conn: from, source: s}
			for range want {
				if _, err := g.Read(make([]byte, 64)); err != nil {
					t.Fatal(err)
				}
			}
			for i := range want {
				if from.read[i] != want[i] {
					t.Errorf("who %s: read at %v, want %v", does, from.read, want)
					break
				}
			}
		})
	}
}
