package session

import (
	"kardia/model/history"
)

// watched is a History of which somebody is asked before each page is read, and may forbid it.
type watched struct {
	history.History
	watch func(history.Page) error // nil for nobody
}

// Read implements history.History.
func (h *watched) Read(p history.Page, into *history.Condensed) error {
	if h.watch != nil {
		if err := h.watch(p); err != nil {
			return err
		}
	}
	return h.History.Read(p, into)
}

// Fork implements history.History. Nobody watches it yet.
func (h *watched) Fork() history.History { return &watched{History: h.History.Fork()} }
