package packed

// Table numbers values of which there are few. The zero value is empty.
type Table[T comparable] struct {
	// List are the values, each at its number.
	List    []T
	numbers map[T]uint64
}

// Number is that of a value, which is new if it was not asked for before.
func (t *Table[T]) Number(v T) uint64 {
	n, ok := t.numbers[v]
	if !ok {
		if t.numbers == nil {
			t.numbers = map[T]uint64{}
		}
		n = uint64(len(t.List))
		t.numbers[v], t.List = n, append(t.List, v)
	}
	return n
}

// Close lets go what only Number needs: no more values come.
func (t *Table[T]) Close() { t.numbers = nil }
