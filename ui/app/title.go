package app

import (
	"fmt"
	"strings"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/words"
)

// identity is the first line: the cluster or file, the source of the time shown, and the time.
func (a *App) identity(s *screen.Snapshot) string {
	p := a.painter
	l := p.Line(a.width)
	if s == nil {
		return l.Put(themes.Accent, " KARDIA").Put(themes.Dim, "  "+words.Of("start.about").In(p)).String()
	}
	right := a.clock(s)
	wide := a.layout.Tier >= screen.Standard
	if wide {
		l.Put(themes.Accent, " KARDIA ")
	}
	token, badge := badge(s, p)
	simulated := ""
	switch {
	case s.Branch != nil && a.at != nil && a.at.Branches:
		simulated = " " + p.Glyphs.Predicted + " BRANCH SIMULATED "
	case a.options.Sandbox != nil:
		simulated = " " + p.Glyphs.Predicted + " SANDBOX "
	}
	if simulated != "" && !wide {
		badge = strings.Fields(badge)[0] // the time is of the recording; the state below is not
	}
	room := a.width - right.Width - paint.Width(simulated) - 1 - paint.Width(badge) - l.Width() - 5
	if room > 4 {
		l.Put(a.options.Named, " "+p.Truncate(p.Text(s.Name), room)+"  ")
	} else {
		l.Skip(1)
	}
	l.Put(token, " "+badge+" ")
	if simulated != "" {
		l.Skip(1).Put(themes.Branch, simulated)
	}
	if l.Rest() > right.Width {
		l.To(a.width - right.Width).Append(right)
	}
	return l.String()
}

// badge is the source of the time shown, in different words for each.
func badge(s *screen.Snapshot, p *paint.Painter) (themes.Token, string) {
	glyph := pick(s.Mode.Moves(), p.Glyphs.Play, p.Glyphs.Pause)
	if s.Mode == screen.Live {
		switch glyph = p.Glyphs.Recorded; {
		case screen.Refused(s):
			return themes.Stale, p.Glyphs.Predicted + " LIVE FORBIDDEN"
		case s.Blind:
			return themes.Stale, p.Glyphs.Predicted + " LIVE STALE"
		}
	}
	return pick(s.Mode.Watches(), themes.Live, themes.Replay), glyph + " " + s.Mode.String()
}

func (a *App) clock(s *screen.Snapshot) paint.Row {
	p := a.painter
	l := p.Line(a.width)
	gap := pick(a.layout.Tier >= screen.Standard, 3, 1)
	if s.Underway != (screen.Underway{}) {
		l.Put(themes.Accent, p.Glyphs.About+" ")
	}
	l.Put(themes.Text, p.Clock(s.At))
	if u := s.Underway; u.What == "" && u.At.Known() && a.layout.Tier >= screen.Standard {
		l.Put(themes.Accent, " "+p.Glyphs.Right+" "+p.Clock(u.At))
	}
	if s.Mode != screen.Live && s.Coverage.Bounded() && s.At.Bounded() && a.layout.Tier > screen.Tiny {
		behind := s.At.Sub(s.Coverage.Earliest)
		l.Skip(gap).Put(themes.Dim, offset(behind))
		if a.layout.Tier >= screen.Standard {
			l.Put(themes.Faint, " / "+offset(s.Coverage.Width())[1:])
		}
	}
	if s.Mode != screen.Live && s.Mode != screen.LivePaused {
		l.Skip(gap).Put(themes.Dim, speed(s.Speed, p))
		if s.Timeline != nil && s.Timeline.Loop.Known() {
			l.Put(themes.Accent, " "+words.Of("title.loop").In(p))
		}
		if s.Timeline != nil && s.Timeline.SkipIdle {
			l.Put(themes.Accent, " "+words.Of("title.skip").In(p))
		}
		if s.Curtain {
			l.Put(themes.Accent, " "+words.Of("title.later-hidden").In(p))
		}
	}
	if n := s.Outages(); n > 0 && a.layout.Tier >= screen.Standard {
		l.Skip(gap).Put(themes.Gap, words.Of("count.gaps", "n", n).In(p))
	}
	return l.Skip(1).Row()
}

// offset prints the time since the start of coverage, +22:10 or +1:02:10.
func offset(d time.Duration) string {
	sign := "+"
	if d < 0 {
		sign, d = "-", -d
	}
	return sign + model.Clock(d.Truncate(time.Second))
}

// speed prints ×4, ×¼, and the direction if it is backwards.
func speed(x float64, p *paint.Painter) string {
	times, backwards := pick(p.Glyphs.ASCII, "x", "×"), ""
	if x < 0 {
		backwards, x = p.Glyphs.Left, -x
	}
	text := fmt.Sprint(x)
	if !p.Glyphs.ASCII {
		text = strings.NewReplacer("0.25", "¼", "0.5", "½").Replace(text)
	}
	return backwards + times + text
}
