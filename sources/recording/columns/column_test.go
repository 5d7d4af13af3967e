package columns

import (
	"math"
	"slices"
	"testing"

	_ "kardia/internal/rapidseed"
	"kardia/sources/recording/wire"

	"pgregory.net/rapid"
)

func TestAColumnComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.Int64().Draw(t, "base")
		spread := rapid.Uint64Range(0, 1<<rapid.IntRange(0, 63).Draw(t, "bits")).Draw(t, "spread")
		values := make([]int64, rapid.IntRange(0, 3000).Draw(t, "n"))
		state := uint64(base)
		for i := range values {
			state = state*6364136223846793005 + 1442695040888963407
			values[i] = base + int64(state>>1%(spread+1))
			if state>>58 == 0 {
				values[i] = int64(state)
			}
		}
		if len(values) > 2 {
			values[0], values[1] = math.MinInt64, math.MaxInt64
		}
		var o wire.Writer
		WriteColumn(&o, values)
		o.Byte(7)
		i := *wire.Read(o.B)
		got := ReadColumn(&i, len(values), nil)
		if i.Byte() != 7 || i.Err != nil || len(i.B) != 0 {
			t.Fatalf("left %d bytes, %v", len(i.B), i.Err)
		}
		if !slices.Equal(got, values) {
			t.Fatal("differs")
		}
	})
}

// TestAColumnIsReadIntoTheMemoryOfTheLast: a day has hundreds of thousands of them.
func TestAColumnIsReadIntoTheMemoryOfTheLast(t *testing.T) {
	few := make([]int64, 3000) // as bytes
	for i := range few {
		few[i] = int64(i*i%7 + i%97/96*1e9)
	}
	many := make([]int64, 3000) // as bits
	for i := range many {
		many[i] = int64(i*7919%5000 + i%97/96*1e9)
	}
	for form, values := range map[byte][]int64{columnFlat: make([]int64, 3000), columnBytes: few, columnBits: many} {
		var o wire.Writer
		WriteColumn(&o, values)
		if o.B[0] != form {
			t.Fatalf("form %d, want %d", o.B[0], form)
		}
		room := ReadColumn(wire.Read(o.B), len(values), nil)
		if !slices.Equal(room, values) {
			t.Fatalf("form %d differs", form)
		}
		if n := testing.AllocsPerRun(20, func() { room = ReadColumn(wire.Read(o.B), len(values), room) }); n > 1 { // the Reader
			t.Errorf("%v allocations for a column of form %d", n, form)
		}
	}
}
