package branch

import (
	"kardia/model"
	"kardia/model/simulate/alternative"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

const (
	nameWidth, countWidth, nextWidth = 32, 20, 12
	oneLine                          = nameWidth + countWidth + nextWidth + 30 // width from which the rest is beside them
)

// instead is possible events on the selected node, and remedies: the screen without a branch.
func (v *View) instead(s *screen.Snapshot, p *paint.Painter, area screen.Area, w int) (widget.Pane, []paint.Row) {
	pane := widget.Pane{Title: "What-if", Note: words.Of("branch.instead").In(p)}
	t := &text{p: p, w: w}
	if v.options.Node == "" {
		t.tell(themes.Text, words.Of("option.none-chosen"))
	} else {
		pane.Title = words.Of("pane.options", "node", p.Middle(p.Text(v.options.Node), max(area.W/3, 8))).In(p)
		t.alternatives(s, v.options.Node)
	}
	return pane, t.rows
}

// alternatives are the simulated results of possible events on a node.
func (t *text) alternatives(s *screen.Snapshot, node string) {
	var tried *alternative.Tried
	if s.Alternatives != nil {
		tried = s.Alternatives(node)
	}
	switch {
	case tried == nil && s.Outlook().Missing.Reason != "":
		t.tell(themes.Dim, words.Of("option.no-result", "why", topics.Unjudged(s.Outlook().Missing)))
		return
	case tried == nil:
		t.tell(themes.Dim, words.Of("option.simulating"))
		return
	case s.Unread(model.KindPod) != "":
		t.tell(themes.Warn, words.Of("option.pods-unread", "why", s.Unread(model.KindPod)))
		return
	case len(tried.List) == 0:
		t.tell(themes.Dim, words.Of("option.impossible"))
		return
	}
	l := t.p.Line(t.w).Skip(2).Left(themes.Faint, "IF", nameWidth).Left(themes.Faint, "PODS DELETED", countWidth).Left(themes.Faint, "FIRST IN", nextWidth)
	if t.w >= oneLine {
		l.Put(themes.Faint, "OTHERWISE")
	}
	t.rows = append(t.rows, l.Row())
	t.alternative(s, words.Of("option.unchanged"), &tried.Stands, words.Say{}, themes.Text)
	for i := range tried.List {
		a := &tried.List[i]
		name := topics.OptionName(a, t.p.Middle(t.p.Text(a.Node), 20))
		if a.Missing != "" {
			t.alternative(s, name, nil, topics.OptionMissing(a), themes.Dim)
			continue
		}
		t.alternative(s, name, &a.Losses, topics.OptionEffect(a, &tried.Stands), themes.Predicted)
	}
	t.tell(themes.Dim, words.Join(" ", words.Of("option.method", "at", tried.At, "posts", topics.KubeletPosts(true)), words.Of("option.commands")))
}

// alternative is a row of the table, or two without room for one.
func (t *text) alternative(s *screen.Snapshot, name words.Say, o *alternative.Losses, otherwise words.Say, token themes.Token) {
	count, next, rest := "", "", otherwise.In(t.p)
	if o != nil {
		count = topics.Losses(o).String()
		if o.Next.Known() {
			next = t.p.Ahead(s.From(), o.Next)
		}
	}
	l := t.p.Line(t.w).Skip(2).Left(token, name.In(t.p), nameWidth).Left(themes.Text, count, countWidth).Left(themes.Text, next, nextWidth)
	if t.w < oneLine {
		if t.rows = append(t.rows, l.Row()); rest != "" {
			t.rows = append(t.rows, t.p.Folded(t.p.Line(t.w-2).Skip(4), themes.Dim, rest)...)
		}
		return
	}
	t.rows = append(t.rows, t.p.Folded(l, themes.Dim, rest)...)
}
