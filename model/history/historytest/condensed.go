// Package historytest checks what a History promises.
package historytest

import (
	"fmt"
	"reflect"

	"kardia/model"
	"kardia/model/history"
)

// SameCondensed says where a condensed page tells something else than the Changes of the page do.
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

// unsigned is a Change without what a Renewal does not say: who wrote it, and where it was read.
func unsigned(ch model.Change) model.Change {
	ch.Quality, ch.Writer, ch.Code, ch.Previous = 0, 0, 0, 0
	ch.Origin, ch.Also = model.Origin{}, model.Origin{}
	return ch
}

// ReadCondensed reads all pages of a History condensed, into the same memory, and compares them with
// those of another that are read as Changes.
func ReadCondensed(h history.Condenser, plain history.History) error {
	var page history.Condensed
	for at, end := h.Span(); at < end; at = page.End {
		p := h.PageAt(at)
		if err := h.ReadCondensed(p, &page); err != nil {
			return err
		}
		changes, err := plain.Read(p)
		if err != nil {
			return err
		}
		if page.Page != p {
			return fmt.Errorf("read %+v, and got %+v", p, page.Page)
		}
		if err := SameCondensed(&page, changes); err != nil {
			return fmt.Errorf("%+v: %w", p, err)
		}
	}
	return nil
}

// Plain is a History that is only read as Changes, and only folded.
type Plain struct {
	history.History
}

// Anew implements history.Seamed.
func (p Plain) Anew(position int) bool {
	s, ok := p.History.(history.Seamed)
	return ok && s.Anew(position)
}
