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
// meanwhile is read at once; a list that fills the room is read through; and who records waits for nothing.
func TestWhatLittleComesIsGathered(t *testing.T) {
	const w = gatherFor
	for gathers, want := range map[bool][]time.Duration{true: {0, w, w, w, 2 * w}, false: {0, 0, 0, 0, 0}} {
		synctest.Test(t, func(t *testing.T) {
			s := &Source{}
			if gathers {
				s.Gather()
			}
			from := &brought{bytes: []int{5, 64, 64, 7, 9}, began: time.Now()}
			g := &gathered{Conn: from, source: s}
			for range want {
				if _, err := g.Read(make([]byte, 64)); err != nil {
					t.Fatal(err)
				}
			}
			for i := range want {
				if from.read[i] != want[i] {
					t.Errorf("gathers %v: read at %v, want %v", gathers, from.read, want)
					break
				}
			}
		})
	}
}
