package trust

import (
	"time"

	"kardia/model/history"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/widget"
	"kardia/ui/words"
)

func (g *page) load(f *widget.Facts) {
	if g.s.Status == nil {
		f.Say(words.Label("none"), themes.Text, words.Of("trust.load.recording"))
	} else {
		f.Say(words.Label("watches"), themes.Text, words.Of("trust.load.watches", "n", len(g.s.Status)))
		f.Say(words.Label("also"), themes.Text, words.Of("trust.load.also"))
		f.Add(words.Label("never"), words.Label("a write"))
		requests, bytes := g.s.Contact.Requests, g.s.Contact.Bytes
		for i := range g.s.Status {
			requests, bytes = requests+g.s.Status[i].Requests, bytes+g.s.Status[i].Bytes
		}
		if requests > 0 {
			rate := words.Say{}
			if over := g.s.Coverage.Width(); over >= 10*time.Second {
				rate = words.Of("trust.load.rate", "bytes", paint.Bytes(int64(float64(bytes)/over.Seconds())))
			}
			f.Say(words.Label("so far"), themes.Text, words.Of("trust.load.so-far", "n", int(requests), "bytes", paint.Bytes(bytes), "rate", rate))
		}
	}
}

// memory is the data kept to reach other times faster. Its limit is an estimate: the process takes more.
func (g *page) memory(f *widget.Facts) {
	for _, store := range []struct {
		name, of string
		history.Kept
	}{{words.Label("to seek"), "seek", g.s.Memory.Seek}, {words.Label("recording"), "recording", g.s.Memory.Source}, {words.Label("models"), "models", g.s.Memory.Models}} {
		if store.Most > 0 {
			f.Say(store.name, themes.Text, words.Of("trust.memory."+store.of, "bytes", paint.Bytes(int64(store.Bytes)), "most", paint.Bytes(int64(store.Most))))
		}
	}
}
