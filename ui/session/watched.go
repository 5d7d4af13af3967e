package session

import (
	"kardia/model/history"
)

// watched is a History with a function that is called before each page is read, and may forbid it.
type watched struct {
	history.History
	watch func(history.Page) error // nil for none
	// full is the last page read in full: the next search starts at the end of the last one.
	full history.Condensed
}

// Read implements history.History. What is read in full is good until the next such page.
func (h *watched) Read(p history.Page, into *history.Condensed) error {
	if h.watch != nil {
		if err := h.watch(p); err != nil {
			return err
		}
	}
	if !into.Full {
		return h.History.Read(p, into)
	}
	if h.full.Page != p || p.Start == p.End {
		h.full.Full = true
		if err := h.History.Read(p, &h.full); err != nil {
			h.full.Page = history.Page{}
			return err
		}
	}
	into.ShareCondensed(&h.full)
	return nil
}

// Fork implements history.History. It is not watched yet.
func (h *watched) Fork() history.History { return &watched{History: h.History.Fork()} }
