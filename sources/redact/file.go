package redact

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/recording"
)

// ErrUnclean: a redacted recording still had what must not be in it, and was not kept.
type ErrUnclean struct {
	Level    Level
	Findings []Finding
}

func (e *ErrUnclean) Error() string {
	lines := make([]string, len(e.Findings))
	for i, f := range e.Findings {
		lines[i] = f.String()
	}
	return fmt.Sprintf("the copy at level %v still held %s; nothing was written", e.Level, strings.Join(lines, "; "))
}

type Recording struct {
	History history.History
	Meta    recording.Meta
	Marks   []past.Bookmark
}

// Write writes a redacted copy to a new file, once it has been read again and searched. An existing file is an error.
func (r *Redactor) Write(in Recording, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w", path, os.ErrExist)
	}
	dir, err := os.MkdirTemp(filepath.Dir(path), ".kardia-redact-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	draft := filepath.Join(dir, "draft.mcap")
	if err := r.write(in, draft); err != nil {
		return err
	}
	if err := r.check(draft); err != nil {
		return err
	}
	return os.Rename(draft, path)
}

func (r *Redactor) write(in Recording, path string) error {
	m := r.Meta(in.Meta)
	w, err := recording.CreateFile(path, m, recording.Options{Packed: true})
	if err != nil {
		return err
	}
	if err := r.copy(in, w); err != nil {
		return errors.Join(err, w.Abandon())
	}
	m.Removed = r.removed
	if err := w.SetMeta(m); err != nil {
		return errors.Join(err, w.Abandon())
	}
	return w.Close()
}

func (r *Redactor) copy(in Recording, w *recording.Writer) error {
	coverage := r.interval(in.History.Coverage())
	w.Cover(coverage.Earliest)
	w.Cover(coverage.Latest)
	err := each(in.History, func(ch *model.Change) error {
		out := r.Change(ch)
		if err := w.Add(&out); !errors.Is(err, recording.ErrTooLarge) {
			return err
		}
		r.removed["changes too large"]++
		return nil
	})
	if err != nil {
		return err
	}
	for _, g := range in.History.Gaps() {
		err = cmp.Or(err, w.AddGap(r.Gap(g)))
	}
	for _, c := range in.History.Clocks() {
		err = cmp.Or(err, w.AddClock(r.Clock(c)))
	}
	for _, s := range in.History.Statements() {
		err = cmp.Or(err, w.AddStatement(r.Statement(s)))
	}
	for _, mark := range in.Marks {
		err = cmp.Or(err, w.AddMark(r.Mark(mark)))
	}
	return err
}

// check reads the copy again and searches it.
func (r *Redactor) check(path string) error {
	f, err := recording.Open(path)
	if err != nil {
		return fmt.Errorf("the copy cannot be read again: %w", err)
	}
	defer func() { _ = f.Close() }()
	if problems := f.Problems(); len(problems) > 0 {
		return fmt.Errorf("the copy cannot be read again: %s", problems[0].What)
	}
	findings, err := r.scan(f)
	if err == nil && len(findings) > 0 {
		err = &ErrUnclean{r.level, findings}
	}
	return err
}

// each visits every Change; for a lost page, the one with the reason.
func each(h history.History, visit func(*model.Change) error) error {
	page := history.Condensed{Full: true}
	for position, end := h.Span(); position < end; position = page.End {
		if err := h.Read(h.PageAt(position), &page); err != nil {
			return err
		}
		changes := page.Told()
		for i := range changes {
			if err := visit(&changes[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
