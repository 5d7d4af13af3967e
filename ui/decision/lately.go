package decision

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/controllers"
	"kardia/ui/paint"
)

// Minor says that a decision only goes along with another one.
func Minor(d *model.Decision) bool {
	switch d.Kind {
	case model.MarkPodsNotReady, model.QueueForTaint, model.DequeueFromTaint, model.AddNoSchedule, model.RemoveNoSchedule, model.ScheduleEviction:
		return true
	}
	return false
}

// looked is how many decisions back those that concern something are looked for.
const looked = 50_000

// Lately are the newest decisions by an instant that concern something, without those that only go along
// with others, the newest first, in at most h rows: those that say the same at the same time are one.
// concerns may be nil, for all.
func Lately(j *controllers.Judgement, now model.Instant, concerns func(*model.Decision) bool, p *paint.Painter, width, h int) []paint.Row {
	if j == nil || h < 1 {
		return nil
	}
	type told struct {
		*model.Decision
		more int
	}
	var list []told
	decisions := j.Decisions()
	for i := search(decisions, now+1) - 1; i >= 0 && i > len(decisions)-looked; i-- {
		d := &decisions[i]
		if Minor(d) || concerns != nil && !concerns(d) {
			continue
		}
		if n := len(list); n > 0 && What(list[n-1].Decision) == What(d) && list[n-1].Time.Sub(d.Time) < time.Second {
			list[n-1].more++
			continue
		}
		if len(list) == h {
			break
		}
		list = append(list, told{Decision: d})
	}
	const suffix = len("  and 99999 more")
	rows := make([]paint.Row, len(list))
	for i, d := range list {
		l := p.Line(width).Append(Line(d.Decision, now, p, width-suffix))
		if d.more > 0 {
			l.Put(themes.Faint, fmt.Sprintf("  and %d more", d.more))
		}
		rows[i] = l.Row()
	}
	return rows
}
