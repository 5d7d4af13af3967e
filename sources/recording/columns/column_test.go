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
