package app

import (
	"cmp"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/past"
	"kardia/themes"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// askMark asks for a note; an existing bookmark's can be changed.
func (a *App) askMark() tea.Cmd {
	mode := a.snapshot().Mode
	a.session.Pause()
	note := ""
	for _, m := range a.session.Marks() {
		if m.At == a.session.At() {
			note = m.Note
		}
	}
	cmd := a.ask(askingMark, note)
	a.prompt.resume = mode == screen.Live || mode == screen.Playing
	return cmd
}

// resume moves a session again that was held for a prompt.
func (a *App) resume(p *prompt) {
	if p.resume && a.session.Snapshot().Mode != screen.Ended {
		a.session.Toggle()
	}
}

func (a *App) setMark(note string) tea.Cmd {
	if err := a.session.SetMark(note); err != nil {
		return a.fail(err)
	}
	kept, at := a.session.MarksKept(), a.session.At()
	return a.say(words.Of("past.bookmarked", "at", at, "file", kept).If(kept != "").Or(words.Of("past.bookmarked-here", "at", at)))
}

func (a *App) clearMark() tea.Cmd {
	there, err := a.session.ClearMark()
	if err != nil {
		return a.fail(err)
	}
	return a.say(words.Of("past.bookmark-removed").If(there).Or(words.Of("past.no-bookmark-here")))
}

func (a *App) exportMarks() tea.Cmd {
	var text []byte
	for _, m := range a.session.Marks() {
		text = past.AppendMark(text, m, false)
	}
	if text == nil {
		return a.say(words.Of("past.no-bookmarks"))
	}
	return writeNew("kardia-"+a.session.At().Time().Format("20060102T150405Z"), ".marks.jsonl", "bookmarks", string(text))
}

func (a *App) toMark(forwards bool) tea.Cmd {
	m, ok := a.session.StepMark(forwards)
	if !ok {
		return a.say(words.Of("past.no-bookmarks").If(len(a.session.Marks()) == 0).Or(none(forwards, "bookmark", words.Say{})))
	}
	return a.say(words.Of("past.bookmark", "name", m.Name(), "note", m.Note))
}

func (a *App) loop() tea.Cmd {
	l, ok := a.session.ToggleLoop()
	switch {
	case !ok:
		return a.say(words.Of("past.loop-bookmarks"))
	case !l.Known():
		return a.say(words.Of("past.no-loop"))
	}
	return a.say(words.Of("past.loop", "from", l.Earliest, "to", l.Latest))
}

func (a *App) skipIdle() tea.Cmd {
	return a.say(words.Of("past.skips-" + pick(a.session.ToggleSkip(), "quiet", "nothing")))
}

// jump undoes the last jump, or the last undoing of one.
func (a *App) jump(forwards bool) tea.Cmd {
	if pick(forwards, a.session.Forward, a.session.Back)() {
		return nil
	}
	return a.say(words.Of("past.no-jump-" + pick(forwards, "forward", "back")))
}

// field is the field under the cursor: that of the view's pane, or the subject's most important one.
func (a *App) field() (f past.Field, ok bool) {
	s := a.snapshot()
	if v, is := a.view().(screen.Fielder); is {
		if f, ok := v.Field(s); ok {
			return f, true
		}
	}
	switch subject := a.view().Selected(s); {
	case subject.Kind == screen.PodSubject:
		return past.Field{Kind: past.PodDeletionField, Pod: subject.Pod}, true
	case subject.Node != "":
		return past.Field{Kind: past.ConditionField, Node: subject.Node, Name: "Ready"}, true
	}
	return f, false
}

func (a *App) lastWrite() tea.Cmd {
	f, ok := a.field()
	if !ok {
		return a.say(words.Of("cannot.no-item"))
	}
	return a.toWrite(f)
}

func (a *App) lastRenewal() tea.Cmd { return a.nodeWrite(past.RenewalField) }
func (a *App) lastTaint() tea.Cmd   { return a.nodeWrite(past.TaintField) }

func (a *App) nodeWrite(kind past.FieldKind) tea.Cmd {
	node := a.view().Selected(a.snapshot()).Node
	if node == "" {
		return a.say(words.Of("cannot.no-node"))
	}
	return a.toWrite(past.Field{Kind: kind, Node: node})
}

// toWrite goes to the last write of a field, and shows the written value.
func (a *App) toWrite(f past.Field) tea.Cmd {
	from := a.session.At()
	a.session.LastWrite(f, func(w past.Written, err error) { a.note(a.written(f, from, w, err)) })
	return nil
}

// written is the message about the last write of a field.
func (a *App) written(f past.Field, from model.Instant, w past.Written, err error) words.Say {
	switch {
	case err != nil:
		return words.Text(err.Error())
	case w.Exhausted:
		return words.Of("past.write.exhausted", "field", topics.Field(f))
	case !w.Found():
		if c := a.snapshot().Cluster; c != nil && c.Node(f.Node) != nil { // no input shows the write, but its managedFields may show the writer
			w.Manager, w.Wrote = f.Manager(c.Node(f.Node).Node)
		}
		says, by := words.Of("past.write.unknown", "field", topics.Field(f), "at", from), managed(w)
		return words.Of("past.write.unknown-by", "unknown", says, "by", by).If(!by.Missing()).Or(says)
	case w.Initial:
		return words.Join(" ", words.Of("past.write.first", "field", topics.Field(f), "value", value(w.After)), managed(w))
	}
	by, who := words.Say{}, topics.Writer(w.Writer, w.Requester)
	if who == "" && f.Kind == past.ConditionField && (strings.Contains(w.After, model.ReasonUnknown) || strings.Contains(w.After, model.ReasonNeverUpdated)) {
		who = words.Of("past.write.reason").String() // all of kube-controller-manager is one field manager
	}
	switch {
	case w.Manager != "" && w.Requester == nil && (who == "" || w.Writer == model.WriterPerson):
		by = managed(w)
	case who != "":
		by = words.Of("past.write.by", "who", who)
	}
	when := words.Of("past.write.when", "window", w.Time).If(w.Time.Bounded() && w.Time.Width() > 0)
	return words.Join("   ", words.Join(" ", words.Of("past.write.says", "field", topics.Field(f), "before", value(w.Before), "after", value(w.After)), by), when)
}

// managed is the writer of a field by managedFields; missing if not shown.
func managed(w past.Written) words.Say {
	by := words.Of("past.write.managed-at", "by", w.Manager, "at", words.Date(w.Wrote)).If(w.Wrote.Bounded())
	return by.Or(words.Of("past.write.managed", "by", w.Manager)).If(w.Manager != "")
}

// value is a written value, or a word for none.
func value(text string) words.Say {
	return words.Of("difference.none").If(text == "").Or(words.Text(text))
}

func (a *App) toAnomaly(forwards bool) tea.Cmd {
	found, ok := a.session.StepAnomaly(forwards)
	past := a.snapshot().Timeline
	switch {
	case !ok && len(past.Anomalies.List) == 0:
		return a.say(words.Of("past.no-anomaly"))
	case !ok:
		return a.say(words.Of("past.no-more-anomalies", "none", none(forwards, "anomaly", words.Say{}), "n", len(past.Anomalies.List), "key", pick(forwards, "N", "n")))
	}
	about := found.Node
	if found.Pod != (model.Key{}) {
		about = found.Pod.String()
	}
	kinds := otherKinds(found, past)
	also := words.Of("past.also", "kinds", kinds).If(len(kinds) > 0)
	says := words.Text(strings.TrimSpace(found.Kind.String() + " " + about))
	return a.say(words.Join("; ", words.Join(" ", says, topics.Anomaly(found)), also))
}

// otherKinds names the other kinds of anomaly at the same time; n goes past them.
func otherKinds(found *review.Anomaly, past *screen.Timeline) (kinds []string) {
	if past == nil {
		return nil
	}
	for i := range past.Anomalies.List {
		other := &past.Anomalies.List[i]
		if name := other.Kind.String(); other.At == found.At && other.Kind != found.Kind && !slices.Contains(kinds, name) {
			kinds = append(kinds, name)
		}
	}
	return kinds
}

// instantFound goes to the next or previous find, or else anomaly.
func (a *App) instantFound(next bool) tea.Cmd {
	past := a.snapshot().Timeline
	if past == nil || past.Query == "" {
		return a.toAnomaly(next)
	}
	h, ok := a.session.StepHit(next)
	switch {
	case ok:
		return a.say(words.Text(h.Subject + "  " + h.Text))
	case past.Searched < 1:
		return a.say(words.Of("past.searching", "none", none(next, "hit", words.Say{}), "percent", int(past.Searched*100)))
	case len(past.Hits) == 0:
		return a.say(words.Of("past.no-hit", "query", past.Query))
	}
	return a.say(words.Of("past.no-more-hits", "none", none(next, "hit", words.Say{}), "of", len(past.Hits)))
}

func (a *App) askSearch() tea.Cmd { return a.ask(askingSearch, a.snapshot().Timeline.Query) }

// search starts a search for words, and goes to the first hit from here on, if found already.
func (a *App) search(text string) tea.Cmd {
	a.session.Search(text)
	if text == "" {
		return nil
	}
	return a.switchTo(a.first(func(to *openScreen) bool { return to.SearchesTime }).ID)
}

// argued are the commands with an argument: ":bookmark NOTE", ":diff TIME", ":search WORDS", ":save last 30m FILE".
func (a *App) argued(text string) (e entry, ok bool) {
	name, rest, cut := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	if !cut || rest == "" || loaded(a) != "" {
		return e, false
	}
	e = entry{name: name, help: rest}
	wrong := func(why string) (entry, bool) {
		e.reason, e.run = why, func() tea.Cmd { return a.say(words.Text(why)) }
		return e, true
	}
	switch name {
	case "save":
		last, path, err := savePart(rest)
		if err != nil {
			return wrong(err.Error())
		}
		e.reason, e.run = saveable(a), func() tea.Cmd { return a.save(last, path) }
	case "export":
		for i := range forms {
			if forms[i].name == rest {
				return a.exportEntry(&forms[i]), true
			}
		}
		return e, false
	case "bookmark":
		e.run = func() tea.Cmd { return a.setMark(rest) }
	case "theme":
		t, known := themes.Named(a.Themes, rest)
		if !known {
			return wrong(words.Of("theme.unknown", "names", strings.Join(themeNames(a.Themes), ", ")).String())
		}
		e.reason, e.run = colourful(a), func() tea.Cmd { return a.setTheme(t) }
	case "search":
		e.run = func() tea.Cmd { return a.search(rest) }
	case "diff":
		t, err := a.nearby(rest)
		if err != nil {
			return wrong(err.Error())
		}
		away := t.Sub(a.session.At())
		code := [...]string{"before", "same", "after"}[1+cmp.Compare(away, 0)]
		e.help = words.Of("diff.with."+code, "for", away.Abs(), "at", words.Date(t)).In(a.painter)
		e.run = func() tea.Cmd { return a.showDiff(t) }
	default:
		return e, false
	}
	return e, true
}

// curtain hides events after the time shown, or shows them.
func (a *App) curtain() tea.Cmd {
	return a.say(words.Of("past.later-" + pick(a.session.Curtain(), "hidden", "shown")))
}
