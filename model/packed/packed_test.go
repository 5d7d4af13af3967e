package packed

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
)

// TestWhatIsWrittenIsRead: any numbers, in any order of forms.
func TestWhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-5, 5), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 1e9, -1e9, 1e9 + 1, -1e9 - 1, -1}))
		numbers := rapid.SliceOf(number).Draw(t, "numbers")
		forms := rapid.SliceOfN(rapid.IntRange(0, 3), len(numbers), len(numbers)).Draw(t, "forms")
		var w Writer
		for k, v := range numbers {
			switch forms[k] {
			case 0:
				w.Uint(uint64(v))
			case 1:
				w.Int(v)
			case 2:
				w.Time(v)
			case 3:
				w.Interned(Triple{v, 1, v / 2})
			}
		}
		r := Read(w.Bytes())
		for k, v := range numbers {
			var got int64
			switch forms[k] {
			case 0:
				got = int64(r.Uint())
			case 1:
				got = r.Int()
			case 2:
				got = r.Time()
			case 3:
				got = r.Interned()[0]
			}
			if got != v {
				t.Fatalf("%d: %d as form %d, want %d", k, got, forms[k], v)
			}
		}
		if len(r.B) > 0 {
			t.Fatalf("%d bytes are left", len(r.B))
		}
	})
}
