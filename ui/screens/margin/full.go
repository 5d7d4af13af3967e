package margin

import (
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/explain/margin"
	"kardia/model/explain/verdict"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// told counts by Events how often a node stopped being Ready, if they show more than was seen.
func told(s *screen.Snapshot, r *row) (t margin.Told, ok bool) {
	row := s.Node(r.Node)
	if row == nil {
		return t, false
	}
	t, ok = margin.ToldOf(row, s.At)
	return t, ok && (r.flaps == nil || t.Times > r.flaps.Times)
}

func (v *View) inFull(s *screen.Snapshot, p *paint.Painter, r *row, w int) (string, []paint.Row) {
	var f widget.Facts
	grace := s.Params.NodeMonitorGracePeriod.Value
	f.Add(words.Label("zone"), zoneOf(r))
	if x := r.flaps; x != nil {
		before := later(s, p, x.Last)
		say := words.Of("margin.flapped-from", "flapped", words.Of("margin.flapped", "n", x.Times, "declared", x.Declared), "from", x.First, "to", x.Last)
		f.Put(words.Label("flaps"), themes.Warn, before+every(say, x.First, x.Last, x.Times).In(p))
		put := func(what string, say words.Say) {
			if !say.Missing() {
				f.Add(what, before+say.In(p))
			}
		}
		put(words.Label("fell"), topics.FlapCompany(x, 12))
		put(words.Label("rhythm"), topics.FlapRhythm(x))
		put(words.Label("its pods"), topics.FlapPods(x))
		f.Add(words.Label("in common"), v.inCommon(s, x))
	}
	if t, ok := told(s, r); ok {
		say := words.Of("margin.by-events", "sign", p.Glyphs.Reconstructed, "n", t.Times, "from", t.First, "to", t.Last, "every", t.Last.Sub(t.First)/time.Duration(t.Times-1))
		if with := t.With(s.Cluster, s.At); len(with) > 0 {
			say = words.Of("margin.as-often", "what", say, "nodes", widget.Listed(with))
		}
		f.Say(words.Label("by Events"), themes.Warn, say)
	}
	f.Add(words.Label("heartbeats"), strconv.FormatInt(r.Beats, 10))
	if r.Longest > 0 {
		longest := words.Label("not declared")
		if v.is.Found.Untold {
			longest = words.Label("longest")
		}
		text := later(s, p, r.At) + words.Of("margin.most", "for", pause(r.Longest), "at", r.At).In(p)
		if !v.is.Found.Untold || r.Longest <= grace {
			text += ": " + words.Of("margin.leaves", "grace", grace, "left", signed(grace-r.Longest)).In(p)
		}
		f.Put(longest, level(r.Longest, grace), text)
	}
	if r.Misses > 0 {
		say := words.Of("margin.near", "n", r.Misses, "from", nearest)
		if v.is.Found.Untold {
			say = words.Of("margin.near-undeclared", "n", r.Misses, "from", nearest)
		}
		f.Say(words.Label("near misses"), themes.Warn, say)
	}
	if text := silent(s, p, r.Node); text != "" {
		f.Put(words.Label("now"), themes.Unknown, text)
	}
	if r.Open > 0 && v.is.Found.Over.Latest > s.At {
		f.Put(words.Label("at the end"), themes.Unknown, later(s, p, v.is.Found.Over.Latest)+words.Of("margin.at-end", "for", r.Open).In(p))
	}
	if c := r.cordon; c != nil {
		f.Add(words.Label("cordoned"), later(s, p, c.Since)+cordoned(p, s.At, c).In(p))
	}
	n := 0
	for i := range v.is.Found.Silences {
		if x := &v.is.Found.Silences[i]; x.Node == r.Node && n < 8 {
			f.Put(words.Label("silence"), level(x.Length(), grace), later(s, p, x.To)+silence(p, x))
			n++
		}
	}
	return p.Text(r.Node), f.Rows(p, w)
}

// every adds the average distance of times events.
func every(say words.Say, first, last model.Instant, times int) words.Say {
	if times < 2 {
		return say
	}
	return words.Of("margin.every", "what", say, "every", last.Sub(first)/time.Duration(times-1))
}

func silence(p *paint.Painter, x *margin.Silence) string {
	say := words.Of("margin.silence-to", "for", pause(x.Length()), "from", x.From, "to", x.To)
	if x.Open {
		say = words.Of("margin.silence", "for", pause(x.Length()), "from", x.From)
	}
	return say.In(p) + topics.SilenceEnds(x.Open, x.Declared).In(p)
}

// cordoned is since when a node takes no pods, and by whose act.
func cordoned(p *paint.Painter, at model.Instant, c *margin.Cordon) words.Say {
	since := words.Of("margin.cordon.unknown")
	switch ago := at.Sub(c.Since); {
	case c.Since.Known() && ago > 0:
		since = words.Of("margin.cordon.for", "since", p.DateTime(c.Since), "for", ago)
	case c.Since.Known():
		since = words.Of("margin.cordon.since", "since", p.DateTime(c.Since))
	}
	if who := topics.Writer(c.By, c.Requester); who != "" {
		return words.Of("margin.cordon.by", "since", since, "by", who)
	}
	return words.Of("margin.cordon.by-unknown", "since", since)
}

// inCommon is what a node shares with all that flap with it, and hardly any other node has.
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
