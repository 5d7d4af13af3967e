// Package historytest checks the contract of a History.
package historytest

import (
	"fmt"
	"reflect"
	"slices"

	"kardia/model"
	"kardia/model/history"
)

// SameCondensed is how a condensed page differs from the Changes of the page; nil if it does not.
func SameCondensed(page *history.Condensed, changes []model.Change) error {
	if n := len(page.Renewals) + len(page.Changes); n != len(changes) || len(page.Slots) != len(page.Changes) || page.End-page.Start != n {
		return fmt.Errorf("%d renewals, %d others, %d slots in %+v, want %d", len(page.Renewals), len(page.Changes), len(page.Slots), page.Page, len(changes))
	}
	renewals, others := page.Renewals, 0
	for k, want := range changes {
		var got model.Change
		switch {
		case len(renewals) > 0 && int(renewals[0].Slot) == k:
			got = renewals[0].Change(&page.Leases[renewals[0].Lease])
			want = unsigned(want)
			if got.Op != model.OpModify || !got.Lease.Renewed.Known() {
				return fmt.Errorf("change %d is no renewal: %+v", k, got)
			}
			if a, b := renewals[0].Effective(), want.Effective(); a != b {
				return fmt.Errorf("renewal %d takes effect at %s, want %s", k, a, b)
			}
			renewals = renewals[1:]
		case others < len(page.Slots) && int(page.Slots[others]) == k:
			got = page.Changes[others]
			others++
		default:
			return fmt.Errorf("change %d is in no slot", k)
		}
		if !reflect.DeepEqual(got, want) {
			return fmt.Errorf("change %d:\n%+v\nwant\n%+v", k, got, want)
		}
	}
	return nil
}

// unsigned is a Change without the data that a Renewal lacks: writer and origin.
func unsigned(ch model.Change) model.Change {
	ch.Quality, ch.Writer, ch.Code, ch.Previous = 0, 0, 0, 0
	ch.Origin, ch.Also = model.Origin{}, model.Origin{}
	return ch
}

// ReadBothWays reads all pages condensed, and without renewals, into the same memory, and compares them with full ones.
func ReadBothWays(h history.History) error {
	page, others := history.Condensed{}, history.Condensed{WithoutRenewals: true}
	for at, end := h.Span(); at < end; at = page.End {
		p := h.PageAt(at)
		if err := h.Read(p, &page); err != nil {
			return err
		}
		full := history.Condensed{Full: true}
		if err := h.Read(p, &full); err != nil {
			return err
		}
		if page.Page != p || full.Page != p || page.Lost != full.Lost {
			return fmt.Errorf("read %+v, and got %+v and %+v", p, page.Page, full.Page)
		}
		if err := SameCondensed(&page, full.Changes); err != nil {
			return fmt.Errorf("%+v: %w", p, err)
		}
		if err := h.Read(p, &others); err != nil {
			return err
		}
		if others.Page != p || others.Lost != page.Lost || !slices.Equal(others.Slots, page.Slots) || !slices.EqualFunc(others.Changes, page.Changes, same) {
			return fmt.Errorf("%+v without renewals: %d changes in %v, want %d in %v", p, len(others.Changes), others.Slots, len(page.Changes), page.Slots)
		}
	}
	return nil
}

func same(a, b model.Change) bool { return reflect.DeepEqual(a, b) }

// Plain is a History that is read as Changes, and folded from its start.
type Plain struct {
	history.History
}

// Read implements history.History: nothing is condensed.
func (p Plain) Read(page history.Page, into *history.Condensed) error {
	full := history.Condensed{Full: true}
	err := p.History.Read(page, &full)
	into.Take(full.Page, full.Changes)
	into.Lost = full.Lost
	return err
}

// StateBefore implements history.History.
func (p Plain) StateBefore(int) (at int) {
	first, _ := p.Span()
	return first
}

// State implements history.History.
func (p Plain) State(int) (*model.Cluster, int, error) { return p.History.State(p.StateBefore(0)) }

// Fork implements history.History.
func (p Plain) Fork() history.History { return Plain{p.History.Fork()} }

// Promises checks every History: all ways of reading give the same pages, States equal folded Changes, Forks are equal.
func Promises(h history.History) error {
	if err := ReadBothWays(h); err != nil {
		return err
	}
	fork := h.Fork()
	first, end := h.Span()
	if a, b := fork.Span(); a != first || b != end || fork.Coverage() != h.Coverage() || !reflect.DeepEqual(fork.Gaps(), h.Gaps()) ||
		len(fork.Sources()) != len(h.Sources()) || !reflect.DeepEqual(fork.Clocks(), h.Clocks()) {
		return fmt.Errorf("a fork covers %v in [%d, %d), and its origin %v in [%d, %d)", fork.Coverage(), a, b, h.Coverage(), first, end)
	}
	state, at, err := h.State(first)
	if err != nil || at != first || h.StateBefore(first) != first {
		return fmt.Errorf("the first state is at %d, not %d: %w", at, first, err)
	}
	torn, page := false, history.Condensed{Full: true} // the state is unknown across a lost page
	for at < end {
		p, q := h.PageAt(at), fork.PageAt(at)
		if p != q || p.Start != at || p.End <= p.Start || p.Last < p.First {
			return fmt.Errorf("at %d there is page %+v, and in a fork %+v", at, p, q)
		}
		if before := h.PageBefore(p.Last); before.Start < p.Start || before.First > p.Last {
			return fmt.Errorf("page %+v is the last by %s", before, p.Last)
		}
		if err := fork.Read(p, &page); err != nil || len(page.Changes) != p.End-p.Start {
			return fmt.Errorf("page %+v has %d changes: %w", p, len(page.Changes), err)
		}
		if p.StartsFresh {
			state = model.NewCluster()
		}
		for i := range page.Changes {
			state.Fold(&page.Changes[i])
		}
		torn = torn || page.Lost
		if at = p.End; fork.StateBefore(at) != at {
			continue
		}
		own, is, err := fork.State(at)
		if err == nil && is == at && torn {
			state, torn = own, false
			continue
		}
		if err == nil && is < at && is == fork.StateBefore(at) {
			continue // it turned out to be damaged
		}
		if err != nil || is != at || own.RowCount() != state.RowCount() || own.PodCount() != state.PodCount() || own.Now != state.Now {
			return fmt.Errorf("at %d the state is that at %d (%v), with %d pods of %d", at, is, err, own.PodCount(), state.PodCount())
		}
	}
	return nil
}
