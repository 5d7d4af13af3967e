package screen

import (
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// JudgedLine adds the time of the judgement to a line if it is not the time shown, or why there is none.
func (s *Snapshot) JudgedLine(l *paint.Line, p *paint.Painter) *paint.Line {
	o := s.Outlook()
	if why := topics.UnjudgedShort(o.Missing); why != "" && o.Judged {
		l.Skip(3).Put(themes.Faint, words.Label("decisions")+": ").Put(themes.Dim, p.Text(why))
	}
	if o.State != nil && o.State.At.Sub(s.At).Abs() >= time.Second {
		l.Skip(3).Put(themes.Faint, words.Label("judged at")+" ").Put(themes.Dim, p.Clock(o.State.At))
	}
	return l
}

// lateEffect is the longest delay to an effect. A later one was held up: then the decision's own time counts.
const lateEffect = 30 * time.Second

// Stands is the time at which objects show a decision's effect, so that text and objects agree. Without an observed
// effect it is the decision's time.
func Stands(d *model.Decision) model.Instant {
	if o := d.Observed; o != nil && o.Time.Latest.Bounded() && o.Time.Latest > d.Time && o.Time.Latest.Sub(d.Time) <= lateEffect {
		return o.Time.Latest
	}
	return d.Time
}
