package packed

// Table numbers a few distinct values. The zero value is empty.
type Table[T comparable] struct {
	List    []T
	numbers map[T]uint64
}

// Number is that of a value, made if it is new.
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

// Close drops the memory that only Number needs.
func (t *Table[T]) Close() { t.numbers = nil }
