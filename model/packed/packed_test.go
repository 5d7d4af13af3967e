package packed

import (
	"errors"
	"io"
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

// TestTextsAreRead: any strings and bytes, one after another.
func TestTextsAreRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOf(rapid.String()).Draw(t, "texts")
		var w Writer
		for k, s := range texts {
			w.Text(s)
			w.Byte(byte(k))
			w.Blob([]byte(s))
		}
		r := Read(w.Bytes())
		for k, s := range texts {
			if text, number, blob := r.Text(), r.Byte(), r.Blob(); text != s || number != byte(k) || string(blob) != s {
				t.Fatalf("%d: %q, %d, %q, want %q", k, text, number, blob, s)
			}
		}
		if r.Err != nil || len(r.B) > 0 {
			t.Fatalf("%v, %d bytes are left", r.Err, len(r.B))
		}
	})
}

// TestACutMessageIsShort: wherever a message is cut, its reader notes so, and gives nothing more.
func TestACutMessageIsShort(t *testing.T) {
	var w Writer
	w.Text("node-a1")
	w.Uint(1 << 40)
	w.Int(-1 << 40)
	w.Time(1e9 + 1)
	w.Byte(7)
	read := func(r *Reader) { r.Text(); r.Uint(); r.Int(); r.Time(); r.Byte() }
	whole := Read(w.Bytes())
	if read(whole); whole.Err != nil || len(whole.B) > 0 {
		t.Fatalf("the whole message: %v, %d bytes are left", whole.Err, len(whole.B))
	}
	for n := range len(w.B) {
		r := Read(w.B[:n])
		if read(r); !errors.Is(r.Err, ErrShort) || len(r.B) > 0 {
			t.Errorf("after %d of %d bytes: %v, %d bytes are left", n, len(w.B), r.Err, len(r.B))
		}
		if r.Fail(io.EOF); !errors.Is(r.Err, ErrShort) || r.Text() != "" || r.Int() != 0 {
			t.Errorf("after %d bytes the first mistake is lost: %v", n, r.Err)
		}
	}
}

// TestALengthMayLie: a text of more bytes than there are takes no memory for them.
func TestALengthMayLie(t *testing.T) {
	for _, length := range []uint64{4, 1 << 40, math.MaxInt64, math.MaxUint64} {
		var w Writer
		w.Uint(length)
		w.B = append(w.B, "abc"...)
		r := Read(w.Bytes())
		if s := r.Text(); s != "" || !errors.Is(r.Err, ErrShort) {
			t.Errorf("a length of %d gives %q and %v", length, s, r.Err)
		}
	}
	if c := ColumnsOf([]byte("no columns")); c.from.Err == nil {
		t.Error("what was not deflated is read")
	}
}

// TestTable: each value has one number, in the order in which they came.
func TestTable(t *testing.T) {
	var zones Table[string]
	var got []uint64
	for _, zone := range []string{"a", "b", "a", "", "b"} {
		got = append(got, zones.Number(zone))
	}
	zones.Close()
	if !slices.Equal(got, []uint64{0, 1, 0, 2, 1}) || !slices.Equal(zones.List, []string{"a", "b", ""}) {
		t.Errorf("%v of %q", got, zones.List)
	}
}
