package history_test

import (
	"testing"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
)

// read folds a frozen History, from its base on.
func read(h history.History) *model.Cluster {
	c := h.(interface{ Base() *model.Cluster }).Base()
	first, end := h.Span()
	for at := first; at < end; {
		page := h.PageAt(at)
		changes, err := h.Read(page)
		if err != nil {
			panic(err)
		}
		for i := range changes {
			c.Fold(&changes[i])
		}
		at = page.End
	}
	return c
}

// TestFrozenStaysAsItWas: what another goroutine reads of a frozen History is what was there
// when it was frozen, while the owner appends, and forgets what the view still holds.
func TestFrozenStaysAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := historytest.Story(t, 3000)
		h := history.NewMemory(nil, model.Interval{}, nil, []history.Source{{Kinds: map[model.Kind]int{}}})
		h.Limit = rapid.SampledFrom([]int{0, 700}).Draw(t, "limit")
		type seen struct {
			frozen history.History
			at     int
		}
		var views []seen
		answers := make(chan string)
		for i, ch := range changes {
			if i%611 == 0 {
				v := seen{h.Freeze(), i}
				views = append(views, v)
				go func() { answers <- portrait(read(v.frozen), historytest.Noon) }()
			}
			h.Append(ch)
			h.Cover(ch.Effective())
			h.Sources()[0].Kinds[ch.Kind]++
		}
		for range views {
			<-answers
		}
		for _, v := range views {
			want := portrait(historytest.Folded(changes[:v.at], model.FarFuture), historytest.Noon)
			if got := portrait(read(v.frozen), historytest.Noon); got != want {
				t.Fatalf("frozen at %d:\n%s\nwant\n%s", v.at, got, want)
			}
			if first, end := v.frozen.Span(); end != v.at || h.Limit > 0 && end-first > h.Limit+1024 {
				t.Fatalf("frozen at %d holds [%d, %d)", v.at, first, end)
			}
		}
	})
}
