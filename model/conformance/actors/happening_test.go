package actors

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// happening is what happens to an object ("" is the node) at a time.
type happening struct {
	at         time.Duration
	name, what string
}

func (h happening) text() string { return strings.TrimSpace(h.name + " " + h.what) }

func (h happening) String() string { return fmt.Sprintf("%6s %s", h.at.Round(time.Second), h.text()) }

func (h happening) compare(other happening) int {
	return cmp.Or(cmp.Compare(h.at.Round(time.Second), other.at.Round(time.Second)), strings.Compare(h.text(), other.text()))
}
