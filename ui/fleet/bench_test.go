package fleet

import (
	"testing"
	"time"

	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

// A frame of 5,000 nodes after something changed: it must stay under 8 ms.
func BenchmarkChangedFrame(b *testing.B) {
	s := screentest.Large(5000)
	p := screentest.Painters()["dark"]
	for name, all := range map[string]bool{"attention": false, "all": true} {
		b.Run(name, func(b *testing.B) {
			v := New()
			if all {
				v.Do(screen.Attention, s)
			}
			area := screen.Arrange(200, 60).Area()
			b.ReportAllocs()
			for b.Loop() {
				s.Revision++
				s.At = s.At.Add(time.Second)
				v.Render(s, p, area)
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
