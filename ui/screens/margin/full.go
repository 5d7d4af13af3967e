package margin

import (
	"fmt"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/explain/margin"
	"kardia/model/explain/verdict"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
)

// told is how often Events show that a node stopped being Ready, if that is more than was seen.
func told(s *screen.Snapshot, r *row) (t margin.Told, ok bool) {
	row := nodeNow(s, r.Node)
	if row == nil {
		return t, false
	}
	t, ok = margin.ToldOf(row, s.At)
	return t, ok && (r.flaps == nil || t.Times > r.flaps.Times)
}

// nodeNow is a node as it is at the instant shown; nil if it is not there.
func nodeNow(s *screen.Snapshot, name string) *model.NodeRow {
	if s.Cluster == nil {
		return nil
	}
	return s.Cluster.Node(name)
}

// inFull is a node with nothing cut.
func (v *View) inFull(s *screen.Snapshot, p *paint.Painter, r *row, w int) (string, []paint.Row) {
	var f widget.Facts
	grace := s.Params.NodeMonitorGracePeriod.Value
	f.Add("zone", zoneOf(r))
	if x := r.flaps; x != nil {
		text := fmt.Sprintf("stopped being Ready %d times, %d of them for silence, from %s to %s", x.Times, x.Declared, p.Clock(x.First), p.Clock(x.Last))
		if x.Times > 1 {
			text += ", every " + paint.Duration(x.Last.Sub(x.First)/time.Duration(x.Times-1)) + " on average"
		}
		f.Put("flaps", themes.Warn, later(s, p, x.Last)+text)
		for _, told := range [...]struct{ what, text string }{{"fell", x.Company(12)}, {"rhythm", x.Rhythm()}, {"its pods", x.Pods()}} {
			if told.text != "" {
				f.Add(told.what, later(s, p, x.Last)+told.text)
			}
		}
		f.Add("in common", v.inCommon(s, x))
	}
	if t, ok := told(s, r); ok {
		text := fmt.Sprintf("%s stopped being Ready %d times from %s to %s, every %s on average; the times between are not recorded", p.Glyphs.Reconstructed, t.Times, p.Clock(t.First), p.Clock(t.Last), paint.Duration(t.Last.Sub(t.First)/time.Duration(t.Times-1)))
		if with := t.With(s.Cluster, s.At); len(with) > 0 {
			text += "; as often, and at the same time: " + widget.Listed(with)
		}
		f.Put("by Events", themes.Warn, text)
	}
	f.Add("heartbeats", strconv.FormatInt(r.Beats, 10))
	if r.Longest > 0 {
		longest := "not declared"
		if v.is.Found.Untold {
			longest = "longest"
		}
		text := later(s, p, r.At) + fmt.Sprintf("%s at most between two heartbeats, ended %s", pause(r.Longest), p.Clock(r.At))
		if !v.is.Found.Untold || r.Longest <= grace {
			text += fmt.Sprintf(": the grace of %s leaves %s", paint.Duration(grace), signed(grace-r.Longest))
		}
		f.Put(longest, level(r.Longest, grace), text)
	}
	if r.Misses > 0 {
		until := "before it was declared Unknown"
		if v.is.Found.Untold {
			until = "; whether it was declared Unknown in them is not known"
		}
		f.Put("near misses", themes.Warn, fmt.Sprintf("%d silences of %s and more that ended %s", r.Misses, paint.Duration(nearest), until))
	}
	if text := silent(s, p, r.Node); text != "" {
		f.Put("now", themes.Unknown, text)
	}
	if r.Open > 0 && v.is.Found.Over.Latest > s.At {
		f.Put("at the end", themes.Unknown, later(s, p, v.is.Found.Over.Latest)+"silent for "+paint.Duration(r.Open)+" at the end of the input")
	}
	if c := r.cordon; c != nil {
		f.Add("cordoned", later(s, p, c.Since)+cordoned(p, s.At, c))
	}
	n := 0
	for i := range v.is.Found.Silences {
		if x := &v.is.Found.Silences[i]; x.Node == r.Node && n < 8 {
			f.Put("silence", level(x.Length(), grace), later(s, p, x.To)+silence(p, x))
			n++
		}
	}
	return p.Text(r.Node), f.Rows(p, w)
}

// silence is one pause and how it ended.
func silence(p *paint.Painter, x *margin.Silence) string {
	text := pause(x.Length()) + " from " + p.Clock(x.From)
	switch {
	case x.Open && x.Declared:
		return text + ", declared Unknown, and silent still"
	case x.Open:
		return text + ", and silent still"
	case x.Declared:
		return text + " to " + p.Clock(x.To) + ", declared Unknown"
	}
	return text + " to " + p.Clock(x.To)
}

// cordoned is since when a node takes no pods, and by whom.
func cordoned(p *paint.Painter, at model.Instant, c *margin.Cordon) string {
	text := "since before anything was seen"
	if c.Since.Known() {
		text = "since " + p.DateTime(c.Since)
		if ago := at.Sub(c.Since); ago > 0 {
			text += ", for " + paint.Duration(ago)
		}
	}
	if who := decision.Who(c.By, c.Requester); who != "" {
		return text + ", by " + who
	}
	return text + "; by whom was not seen"
}

// inCommon is what a node shares with those that flap with it each time, and hardly any other node has.
func (v *View) inCommon(s *screen.Snapshot, x *margin.Flaps) string {
	names := x.Always()
	if len(names) == 0 || s.Cluster == nil {
		return ""
	}
	if of := (sharing{v.is.Found, x.Node}); v.sharing != of { // all nodes are compared: once for each that is looked at
		v.sharing, v.shared = of, ""
		if list := verdict.SharedBy(s.Cluster, append(names, x.Node)); len(list) > 0 {
			v.shared = topics.Shared(&list[0]).String()
		}
	}
	return v.shared
}
