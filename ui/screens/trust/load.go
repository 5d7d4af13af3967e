package trust

import (
	"fmt"
	"time"

	"kardia/model/history"
	"kardia/ui/decision"
	"kardia/ui/paint"
	"kardia/ui/widget"
)

// load is what Kardia asks of the API server.
func (g *page) load() {
	var f widget.Facts
	if g.s.Status == nil {
		f.Add("none", "a recording is read: no cluster is asked anything")
	} else {
		f.Add("watches", fmt.Sprintf("%d kinds: one list and one watch each, dialled again with back-off when they break", len(g.s.Status)))
		f.Add("besides", "while nothing at all arrives, one small request every other second: whether the API server is there; its version every five minutes")
		f.Add("never", "a write")
		requests, bytes := g.s.Contact.Requests, g.s.Contact.Bytes
		for i := range g.s.Status {
			requests, bytes = requests+g.s.Status[i].Requests, bytes+g.s.Status[i].Bytes
		}
		if requests > 0 {
			text := decision.Counted(int(requests), "request") + ", " + paint.Bytes(bytes) + " of answers once unpacked"
			if over := g.s.Coverage.Width(); over >= 10*time.Second {
				text += ": " + paint.Bytes(int64(float64(bytes)/over.Seconds())) + " a second on average"
			}
			f.Add("so far", text)
		}
	}
	g.part("WHAT KARDIA ASKS FOR", &f)
}

// memory is what Kardia keeps so that other instants are near. What it may keep is a bound by estimate: the
// process takes more.
func (g *page) memory() {
	var f widget.Facts
	for _, store := range []struct {
		name, of string
		history.Kept
	}{
		{"to seek", "states to fold on from", g.s.Memory.Seek},
		{"recording", "states of its own that were read", g.s.Memory.Source},
		{"models", "states of the controllers' models to drive on from", g.s.Memory.Models},
	} {
		if store.Most > 0 {
			f.Add(store.name, fmt.Sprintf("about %s of at most %s: %s", paint.Bytes(int64(store.Bytes)), paint.Bytes(int64(store.Most)), store.of))
		}
	}
	g.part("WHAT KARDIA KEEPS IN MEMORY", &f)
}
