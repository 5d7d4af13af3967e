package app

import (
	"bytes"
	"flag"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/recording"
	"kardia/sources/scenario/day"
	"kardia/ui/session"

	tea "charm.land/bubbletea/v2"
)

var (
	benchNodes = flag.Int("bench-nodes", 500, "nodes of the recording that keys are pressed on")
	benchFor   = flag.Duration("bench-for", 20*time.Minute, "its length")
)

// BenchmarkKey is the time from a key to the frame that answers it, the models and the picture of
// the whole time aside: what a key makes a person wait for. The made-up cluster is that of the
// figures in the README, of -bench-nodes over -bench-for.
func BenchmarkKey(b *testing.B) {
	var file bytes.Buffer
	day := day.FullDay().Scaled(*benchNodes, *benchFor)
	w, err := recording.Create(&file, recording.Meta{}, recording.Options{Packed: true})
	if err != nil {
		b.Fatal(err)
	}
	for ch := range day.Changes() {
		if err := w.Add(ch); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	for _, k := range []struct{ name, keys string }{{"change", "right left"}, {"10s", "shift+right shift+left"}, {"ends", "ctrl+end ctrl+home"},
		{"row", "down up"}, {"screen", "1 4"}} {
		b.Run(k.name, func(b *testing.B) {
			h, err := recording.OpenAt(bytes.NewReader(file.Bytes()), int64(file.Len()), "day")
			if err != nil {
				b.Fatal(err)
			}
			c := h.Coverage()
			s := newClock().open(b, Options{View: "timeline",
				Session: session.Replay(h, session.Options{Start: c.Earliest.Add(c.Width() / 2), Judging: session.Never, Params: model.Defaults(model.Version{})})}, 200, 60)
			keys := bytes.Fields([]byte(k.keys))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.send(tea.Msg(press(string(keys[i%len(keys)]))))
			}
		})
	}
}
