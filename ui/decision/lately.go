package decision

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
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

// longAgo is from when on nothing is lately any more.
const longAgo = 24 * time.Hour

// Lately are the newest decisions by an instant that concern something, without those that only go along
// with others, the newest first, in at most h rows: those that say the same at the same time are one.
// concerns may be nil, for all.
func Lately(j *outlook.Judgement, now model.Instant, concerns func(*model.Decision) bool, p *paint.Painter, width, h int) []paint.Row {
	if j == nil || h < 1 {
		return nil
	}
	var list []*model.Decision
	var more []int // decisions that say the same as the one listed
	decisions := j.Decisions()
	for i := search(decisions, now+1) - 1; i >= 0 && i > len(decisions)-looked; i-- {
		d := &decisions[i]
		if now.Sub(d.Time) > longAgo {
			break // what stamps still tell of days ago is not lately, and has no date here
		}
		if Minor(d) || concerns != nil && !concerns(d) {
			continue
		}
		if n := len(list); n > 0 && topics.What(list[n-1]) == topics.What(d) && list[n-1].Time.Sub(d.Time) < time.Second {
			more[n-1]++
			continue
		}
		if len(list) == h {
			break
		}
		list, more = append(list, d), append(more, 0)
	}
	const suffix = len("  and 99999 more")
	told := RowsOf(list, now, p, width-suffix)
	rows := make([]paint.Row, len(list))
	for i, d := range list {
		l := p.Line(width).Append(told.Row(d))
		if more[i] > 0 {
			l.Put(themes.Faint, fmt.Sprintf("  and %d more", more[i]))
		}
		rows[i] = l.Row()
	}
	return rows
}
