package historytest

import (
	"kardia/model"
	"kardia/model/history"
)

// Window is the positions [First, End) of a History. Earlier Changes are forgotten, except for the state they left.
type Window struct {
	history.History
	First, End int
}

// Span implements history.History.
func (w *Window) Span() (first, end int) { return w.First, w.End }

// PageAt implements history.History.
func (w *Window) PageAt(position int) history.Page { return w.clip(w.History.PageAt(position)) }

// PageBefore implements history.History.
func (w *Window) PageBefore(t model.Instant) history.Page {
	p := w.History.PageBefore(t)
	return w.PageAt(min(max(p.Start, w.First), w.End-1))
}

func (w *Window) clip(p history.Page) history.Page {
	changes, _ := ReadChanges(w.History, p)
	from, to := max(p.Start, w.First), min(p.End, w.End)
	changes = changes[from-p.Start : to-p.Start]
	return history.Page{Start: from, End: to, First: changes[0].Effective(), Last: changes[len(changes)-1].Effective()}
}

// Read implements history.History.
func (w *Window) Read(p history.Page, into *history.Condensed) error {
	whole := w.History.PageAt(p.Start)
	changes, err := ReadChanges(w.History, whole)
	if err != nil {
		return err
	}
	into.Take(p, changes[p.Start-whole.Start:p.End-whole.Start])
	return nil
}

// StateBefore implements history.History.
func (w *Window) StateBefore(int) (at int) { return w.First }

// State implements history.History.
func (w *Window) State(int) (*model.Cluster, int, error) {
	c := model.NewCluster()
	for at := 0; at < w.First; {
		p := w.History.PageAt(at)
		changes, err := ReadChanges(w.History, p)
		if err != nil {
			return nil, 0, err
		}
		for i := range changes[:min(p.End, w.First)-p.Start] {
			c.Fold(&changes[i])
		}
		at = p.End
	}
	return c, w.First, nil
}

// Coverage starts with the first Change.
func (w *Window) Coverage() model.Interval {
	v := w.History.Coverage()
	if w.End > w.First {
		v = model.Interval{Earliest: max(v.Earliest, w.PageAt(w.First).First), Latest: min(v.Latest, w.PageAt(w.End-1).Last)}
	}
	return v
}

// Fork implements history.History.
func (w *Window) Fork() history.History { return &Window{w.History.Fork(), w.First, w.End} }
