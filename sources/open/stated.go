package open

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/recording"
)

// RecordingsRead are Kardia's own files of which anything was used.
func (o *Opened) RecordingsRead() []*recording.File { return slices.Concat(o.Recordings, o.joined) }

// Marks are the bookmarks of the recordings, in order of time. Those at one time follow one another.
func (o *Opened) Marks() (list []past.Bookmark) {
	for _, r := range o.RecordingsRead() {
		for _, m := range r.Marks() {
			k := slices.IndexFunc(list, func(x past.Bookmark) bool { return x.At == m.At })
			switch {
			case k < 0:
				list = append(list, m)
			case !slices.Contains(strings.Split(list[k].Note, betweenNotes), m.Note):
				list[k].Note += betweenNotes + m.Note
			}
		}
	}
	slices.SortStableFunc(list, func(a, b past.Bookmark) int { return cmp.Compare(a.At, b.At) })
	return list
}

const betweenNotes = " / "

// Stated is the flags of the control plane, as stated by recordings, else by the controller manager's log, else by its
// Pod; nil without any. Flags that recordings state differently are left out.
func (o *Opened) Stated() (stated *model.Params) {
	recorded, _ := flagsRecorded(o.RecordingsRead())
	for _, p := range []*model.Params{o.controller, flagsLogged(o.History.Statements()), recorded} {
		switch {
		case p == nil:
		case stated == nil:
			stated = p
		default:
			stated.SetOver(p, model.FromFile)
		}
	}
	return stated
}

type difference struct {
	flag *model.Flag
	a, b *recording.File
}

// flagsRecorded are the flags that recordings state; nil without any. A recorded default or guess is not stated.
func flagsRecorded(files []*recording.File) (p *model.Params, differ []difference) {
	for i := range model.Flags {
		f := &model.Flags[i]
		var by *recording.File
		for _, r := range files {
			is := r.Meta().Params
			switch {
			case is == nil:
				continue
			case p == nil:
				p = &model.Params{}
			}
			if f.From(is) < model.FromFile {
				continue
			}
			if by == nil {
				by = r
			} else if f.Value(is) != f.Value(by.Meta().Params) {
				differ = append(differ, difference{f, by, r})
				by = nil
				break
			}
		}
		if by != nil {
			_ = f.Set(p, f.Value(by.Meta().Params), model.FromFile) // an earlier value of a flag is a possible one
		}
	}
	return p, differ
}

func (b *builder) compareFlags(files []*recording.File) {
	_, differ := flagsRecorded(files)
	for _, d := range differ {
		b.note(b.source(d.b.Name(), "recording"), fmt.Sprintf("it states --%s=%s, and %s states %s: which held when is not known, and neither is used", d.flag.Name,
			d.flag.Value(d.b.Meta().Params), d.a.Name(), d.flag.Value(d.a.Meta().Params)))
	}
}

// flagsLogged are the flags that the controller manager logs when it starts; nil without any. They are those of the
// last process that started to work. A flag with two values, without a start in between, is left out.
func flagsLogged(said []history.Statement) *model.Params {
	values := map[string]string{}
	last := slices.IndexFunc(said, func(s history.Statement) bool { return s.What == history.SaidStart })
	for i := range said {
		if said[i].What == history.SaidStart && said[i].At > said[last].At {
			last = i
		}
	}
	for i := range said {
		s := &said[i]
		if s.What != history.SaidFlag || last >= 0 && (s.Origin.Source != said[last].Origin.Source || s.Process != said[last].Process) {
			continue
		}
		name, value := s.Flag()
		if was, ok := values[name]; ok && was != value {
			value = ""
		}
		values[name] = value
	}
	return model.ParamsOf(values)
}
