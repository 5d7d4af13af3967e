package fleet

import (
	"testing"
	"time"

	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

// A frame of 5,000 nodes after something changed: it must stay under 8 ms. Judged frames
// have a new judgement each time.
func BenchmarkChangedFrame(b *testing.B) {
	p := screentest.Painters()["dark"]
	for _, c := range []struct {
		name        string
		all, judged bool
	}{{"attention", false, false}, {"all", true, false}, {"judged", false, true}} {
		b.Run(c.name, func(b *testing.B) {
			s := screentest.Large(5000)
			if c.judged {
				screentest.WithModels(s)
			}
			v := New()
			if c.all {
				v.Do(screen.Attention, s)
			}
			area := screen.Arrange(200, 60).Area()
			b.ReportAllocs()
			for b.Loop() {
				s.Revision++
				s.At = s.At.Add(time.Second / 100)
				if c.judged {
					state, next := *s.Judged.State, *s.Judged.Forecast
					s.Judged.State, s.Judged.Forecast = &state, &next
				}
				v.Render(s, p, area)
				v.Summary(s, p, 200)
			}
		})
	}
}

// The same frame drawn again because only the size, the cursor or the theme changed.
func BenchmarkUnchangedFrame(b *testing.B) {
	s := screentest.Large(5000)
	p := screentest.Painters()["dark"]
	v := New()
	area := screen.Arrange(200, 60).Area()
	b.ReportAllocs()
	for b.Loop() {
		v.Render(s, p, area)
	}
}

// A step of the cursor.
func BenchmarkMove(b *testing.B) {
	s := screentest.Large(5000)
	p := screentest.Painters()["dark"]
	v := New()
	area := screen.Arrange(200, 60).Area()
	b.ReportAllocs()
	for b.Loop() {
		v.Do(screen.Down, s)
		v.Render(s, p, area)
	}
}
