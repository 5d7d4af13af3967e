package packed

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
)

// TestWhatIsWrittenIsRead: any numbers, in any order of forms.
func TestWhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-5, 5), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 1e9, -1e9, 1e9 + 1, -1e9 - 1, -1}))
		numbers := rapid.SliceOf(number).Draw(t, "numbers")
		forms := rapid.SliceOfN(rapid.IntRange(0, 2), len(numbers), len(numbers)).Draw(t, "forms")
		var w Writer
		for k, v := range numbers {
			switch forms[k] {
			case 0:
				w.Uint(uint64(v))
			case 1:
				w.Int(v)
			case 2:
				w.Time(v)
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

// TestColumns: the walk that wrote them reads the same, whatever was expected of it.
func TestColumns(t *testing.T) {
	type row struct {
		a    int64
		b    uint64
		c    int32
		d    uint8
		e, f bool
	}
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.Custom(func(t *rapid.T) row {
			return row{rapid.Int64().Draw(t, "a"), rapid.Uint64().Draw(t, "b"), rapid.Int32().Draw(t, "c"), rapid.Uint8().Draw(t, "d"), rapid.Bool().Draw(t, "e"), rapid.Bool().Draw(t, "f")}
		})
		rows := rapid.SliceOf(draw).Draw(t, "rows")
		walk := func(c *Columns, rows []row) {
			var before row
			for i := range rows {
				r := &rows[i]
				Flags(c, &r.e, &r.f)
				Number(c, &r.a, before.a)
				Number(c, &r.b, before.b)
				Number(c, &r.c, before.c)
				Number(c, &r.d, before.d)
				before = *r
			}
		}
		var c Columns
		walk(&c, rows)
		again := make([]row, len(rows))
		walk(ColumnsOf(c.Bytes()), again)
		if !slices.Equal(again, rows) {
			t.Fatalf("%v, want %v", again, rows)
		}
	})
}
