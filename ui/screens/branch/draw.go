package branch

import (
	"fmt"
	"strings"

	"kardia/model"
	"kardia/model/simulate/whatif"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// above is the conditions and the result, and the lanes of the recording and of the branch.
func (v *View) above(s *screen.Snapshot, p *paint.Painter, area screen.Area) []paint.Row {
	rows := head(s, p, area)
	if answer(s) != nil && area.Tier > screen.Tiny {
		rows = append(rows, lanesOf(s, p, v.Chosen(), area.W, area.Tier, area.H-len(rows)-leastList)...)
	}
	return rows
}

// leastList is the number of lines of differences before the lanes have any.
const leastList = 6

func head(s *screen.Snapshot, p *paint.Painter, area screen.Area) []paint.Row {
	b := s.Branch
	t := &text{p: p, w: area.W}
	l := p.Line(area.W).Skip(1).Put(themes.Branch, " "+p.Glyphs.Predicted+" SIMULATED ").Skip(1)
	what := words.Of("branch.unchanged")
	if changes := b.Order.Words(); len(changes) > 0 {
		what = words.Of("branch.if", "changes", strings.Join(changes, words.Of("branch.and").In(p)))
	}
	span := ""
	if b.From.Known() {
		span = p.Clock(b.From) + p.Text("–") + p.Clock(b.Until)
	}
	l.Put(themes.Text, p.Truncate(p.Text(what.In(p)), max(l.Rest()-len(span)-3, 8)))
	if l.Rest() > paint.Width(span)+2 {
		l.To(area.W-1-paint.Width(span)).Put(themes.Dim, span)
	}
	t.rows = append(t.rows, l.Row())
	switch {
	case b.Refused != "":
		t.sign(p.Glyphs.No, themes.Warn, words.Of("branch.refused", "why", b.Refused))
		if b.Fit != nil && area.Tier > screen.Tiny {
			t.tell(themes.Dim, words.Of("branch.differs"))
		}
		return t.rows
	case b.Answer == nil:
		t.rows = append(t.rows, progress(p, b.Progress, area.W))
		return t.rows
	}
	if t.sign(p.Glyphs.Yes, themes.Text, topics.BranchFit(b.Fit)); area.Tier == screen.Tiny {
		t.rows = t.rows[:2]
	}
	if late(s) {
		t.tell(themes.Dim, words.Of("branch.hidden", "at", s.At))
		return t.rows
	}
	t.outcome(b.Answer, b.NoPods)
	return t.rows
}

func late(s *screen.Snapshot) bool { return s.Curtain && s.At < s.Branch.Until }

func progress(p *paint.Painter, share float64, width int) paint.Row {
	l := p.Line(width).Skip(1).Put(themes.Predicted, words.Of("branch.progress", "percent", fmt.Sprintf("%3.0f", share*100)).In(p))
	widget.ShareBar(l, p, share, min(30, max(l.Rest()-14, 1)), themes.Predicted)
	return l.Put(themes.Dim, "  "+words.Of("branch.esc").In(p)).Row()
}

func (t *text) outcome(a *whatif.Answer, noPods bool) {
	l := t.p.Line(t.w).Skip(3)
	token := themes.Evict.If(a.Pods.Most > 0, themes.Dim)
	if noPods {
		l.Put(themes.Text, words.Label("pods")+" "+words.Of("branch.no-pods").In(t.p))
	} else {
		l.Put(themes.Text, words.Label("pods deleted")+" ").Put(themes.Text, fmt.Sprintf("%s %d", t.p.Glyphs.Recorded, a.Pods.Recorded)).Skip(2).
			Put(token, fmt.Sprintf("%s %s", t.p.Glyphs.Predicted, t.p.Between(a.Pods.Least, a.Pods.Most)))
	}
	if p := &a.Pods; p.UnchangedLeast != p.Recorded || p.UnchangedMost != p.Recorded { // it continues beyond the recording
		l.Put(themes.Dim, words.Of("branch.outcome-unchanged", "pods", t.p.Between(p.UnchangedLeast, p.UnchangedMost)).In(t.p))
	}
	l.Skip(3).Put(themes.Text, words.Label("nodes tainted")+" ").Put(themes.Text, fmt.Sprintf("%s %d", t.p.Glyphs.Recorded, a.Nodes.Recorded)).Skip(2).
		Put(themes.Predicted, fmt.Sprintf("%s %s", t.p.Glyphs.Predicted, t.p.Between(a.Nodes.Least, a.Nodes.Most)))
	put := func(text string) {
		if l.Rest() < paint.Width(text)+3 {
			t.rows = append(t.rows, l.Row())
			l = t.p.Line(t.w)
		}
		l.Skip(3).Put(themes.Text, text)
	}
	set := func(word string, of *whatif.Set, least, most int) {
		text := words.Of("branch.set.none", "what", word)
		switch certain, possible := len(of.Certain), len(of.Possible); {
		case possible > 0: // only their number is known: a race decides which ones
			text = words.Of("branch.set.possible", "what", word, "count", t.p.Between(least, most), "of", certain+possible)
		case certain > 0:
			text = words.Of("branch.set.certain", "what", word, "count", certain)
		}
		put(text.In(t.p))
	}
	if noPods {
		t.rows = append(t.rows, l.Row())
		return
	}
	set(words.Label("spared"), &a.Pods.Spared, a.Pods.SparedLeast, a.Pods.SparedMost)
	set(words.Label("lost"), &a.Pods.Lost, a.Pods.LostLeast, a.Pods.LostMost)
	if n := len(a.Pods.Open); n > 0 && l.Rest() > 20 {
		l.Skip(3).Put(themes.Text, words.Of("branch.left-open", "n", n).In(t.p))
	}
	switch certain, possible := len(a.Pods.Ended.Certain), len(a.Pods.Ended.Possible); {
	case possible > 0:
		put(words.Of("branch.may-end", "n", certain+possible, "count", t.p.Between(certain, certain+possible)).In(t.p))
	case certain > 0:
		put(words.Of("branch.end", "n", certain).In(t.p))
	}
	t.rows = append(t.rows, l.Row())
}

type text struct {
	p    *paint.Painter
	w    int
	rows []paint.Row
}

func (t *text) tell(token themes.Token, say words.Say) { t.sign("", token, say) }

func (t *text) sign(glyph string, token themes.Token, say words.Say) {
	l := t.p.Line(t.w-1).Skip(1).Left(token, glyph, 1).Skip(1)
	t.rows = append(t.rows, t.p.Folded(l, token, say.In(t.p))...)
}

// kinds are the kinds with a lane; without room, the first is left out first.
var kinds = []struct {
	kind  model.DecisionKind
	token themes.Token
}{{model.MarkUnknown, themes.Unknown}, {model.TaintNoExecute, themes.Warn}, {model.EvictPod, themes.Evict}}
