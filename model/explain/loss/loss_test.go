package loss

import (
	"testing"
	"time"

	"kardia/model"
)

var noon = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

// A clock that is off by more than the way and the server is not believed; one that is off by less is.
func TestAtByTheClockThatHeard(t *testing.T) {
	for off, want := range map[time.Duration]model.Instant{90 * time.Second: noon.Add(-90 * time.Second), -90 * time.Second: noon.Add(90 * time.Second), time.Second: noon, -time.Second: noon} {
		if b := (Beat{Says: noon, Off: model.Some(off)}); b.At() != want || b.IsOff() != (want != noon) {
			t.Errorf("%v off: %s", off, b.At())
		}
	}
	if (Beat{Says: noon}).At() != noon || (Beat{}).At().Known() {
		t.Error("of a clock of which nothing is known")
	}
}

// An incident begins with the node that was heard last the longest ago; what is not known does not count.
func TestBegin(t *testing.T) {
	ahead := Loss{Last: Beat{Says: noon.Add(80 * time.Second), Off: model.Some(90 * time.Second)}}
	list := []Loss{{}, {Last: Beat{Says: noon}}, ahead}
	if first, ok := Begin(list); !ok || first != &list[2] {
		t.Errorf("%+v", first)
	}
	if _, ok := Begin(list[:1]); ok {
		t.Error("it begins with what is not known")
	}
}
