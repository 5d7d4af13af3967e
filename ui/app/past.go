package app

import (
	"fmt"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/past"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"

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
		return a.say(err.Error())
	}
	text := "bookmarked " + a.painter.Clock(a.session.At())
	if kept := a.session.MarksKept(); kept != "" {
		return a.say(text + "   kept in " + kept)
	}
	return a.say(text + "   for this sitting")
}

func (a *App) clearMark() tea.Cmd {
	there, err := a.session.ClearMark()
	switch {
	case err != nil:
		return a.say(err.Error())
	case !there:
		return a.say("no bookmark at this time; ] and [ go to bookmarks")
	}
	return a.say("bookmark removed")
}

func (a *App) exportMarks() tea.Cmd {
	var text []byte
	for _, m := range a.session.Marks() {
		text = past.AppendMark(text, m, false)
	}
	if text == nil {
		return a.say("no bookmarks; m sets one at this time")
	}
	return writeNew("kardia-"+a.session.At().Time().Format("20060102T150405Z"), ".marks.jsonl", "the bookmarks", string(text))
}

func (a *App) nextMark() tea.Cmd     { return a.toMark(a.session.NextMark, "later") }
func (a *App) previousMark() tea.Cmd { return a.toMark(a.session.PreviousMark, "earlier") }

func (a *App) toMark(go_ func() (past.Bookmark, bool), side string) tea.Cmd {
	m, ok := go_()
	if !ok {
		if len(a.session.Marks()) == 0 {
			return a.say("no bookmarks; m sets one at this time")
		}
		return a.say("no " + side + " bookmark")
	}
	return a.say(strings.TrimSpace("bookmark " + m.Name() + "  " + m.Note))
}

func (a *App) loop() tea.Cmd {
	l, ok := a.session.ToggleLoop()
	switch {
	case !ok:
		return a.say("a loop needs two bookmarks; m sets one at this time")
	case !l.Known():
		return a.say("no loop")
	}
	return a.say(fmt.Sprintf("repeating %s to %s; o ends it", a.painter.Clock(l.Earliest), a.painter.Clock(l.Latest)))
}

func (a *App) skipIdle() tea.Cmd {
	if a.session.ToggleSkip() {
		return a.say("play skips quiet times; i ends it")
	}
	return a.say("play passes over nothing")
}

func (a *App) jumpBack() tea.Cmd {
	if !a.session.Back() {
		return a.say("no jump to undo")
	}
	return nil
}

func (a *App) jumpForward() tea.Cmd {
	if !a.session.Forward() {
		return a.say("no undone jump")
	}
	return nil
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
		return a.say("no node or pod is selected")
	}
	return a.toWrite(f)
}

func (a *App) lastRenewal() tea.Cmd { return a.nodeWrite(past.RenewalField) }
func (a *App) lastTaint() tea.Cmd   { return a.nodeWrite(past.TaintField) }

func (a *App) nodeWrite(kind past.FieldKind) tea.Cmd {
	node := a.view().Selected(a.snapshot()).Node
	if node == "" {
		return a.say("no node is selected")
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
func (a *App) written(f past.Field, from model.Instant, w past.Written, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case w.Exhausted:
		return fmt.Sprintf("%s: no write in the last millions of changes; go to an earlier time and try again", f)
	case !w.Found():
		said := fmt.Sprintf("no known write of %s before %s", f, a.painter.Clock(from))
		if c := a.snapshot().Cluster; c != nil && c.Node(f.Node) != nil { // no input shows the write, but its managedFields may show the writer
			w.Manager, w.Wrote = f.Manager(c.Node(f.Node).Node)
		}
		if by := a.managed(w); by != "" {
			said += "; it is " + by
		}
		return said
	case w.Initial:
		return fmt.Sprintf("%s had this value in the first known version: %s", f, strings.TrimSpace(word(w.After)+" "+a.managed(w)))
	}
	by, who := "", topics.Writer(w.Writer, w.Requester)
	if who == "" && f.Kind == past.ConditionField && (strings.Contains(w.After, model.ReasonUnknown) || strings.Contains(w.After, model.ReasonNeverUpdated)) {
		who = "node-controller, by its reason" // all of kube-controller-manager is one field manager
	}
	switch {
	case w.Manager != "" && w.Requester == nil && (who == "" || w.Writer == model.WriterPerson):
		by = " " + a.managed(w)
	case who != "":
		by = " by " + who
	}
	when := ""
	if w.Time.Bounded() && w.Time.Width() > 0 {
		when = "   written " + a.painter.Window(w.Time)
	}
	return fmt.Sprintf("%s: %s → %s%s%s", f, word(w.Before), word(w.After), by, when)
}

// managed is the writer of a field by managedFields, as the end of a sentence; "" if not shown.
func (a *App) managed(w past.Written) string {
	if w.Manager == "" {
		return ""
	}
	by := "by " + a.painter.Text(w.Manager) + " (managedFields)"
	if w.Wrote.Bounded() {
		by += ", last write " + a.painter.DateTime(w.Wrote)
	}
	return by
}

func word(value string) string {
	if value == "" {
		return "none"
	}
	return value
}

func (a *App) nextAnomaly() tea.Cmd     { return a.toAnomaly(a.session.NextAnomaly, "later") }
func (a *App) previousAnomaly() tea.Cmd { return a.toAnomaly(a.session.PreviousAnomaly, "earlier") }

func (a *App) toAnomaly(go_ func() (*review.Anomaly, bool), side string) tea.Cmd {
	found, ok := go_()
	if !ok {
		past := a.snapshot().Timeline
		if n := len(past.Anomalies.List); n > 0 {
			key := map[string]string{"later": "N", "earlier": "n"}[side]
			return a.say(fmt.Sprintf("no %s anomaly; %d in all, %s goes to the others", side, n, key))
		}
		return a.say("no anomaly: no gap, clock step or disagreement; . goes to decisions")
	}
	about := found.Node
	if found.Pod != (model.Key{}) {
		about = found.Pod.String()
	}
	return a.say(strings.Join(strings.Fields(found.Kind.String()+"  "+about+"  "+topics.Anomaly(found).String()+also(found, a.snapshot().Timeline)), " "))
}

// also names the other kinds of anomaly at the same time; n goes past them.
func also(found *review.Anomaly, past *screen.Timeline) string {
	text := ""
	if past == nil {
		return text
	}
	said := map[review.Kind]bool{found.Kind: true}
	for i := range past.Anomalies.List {
		if other := &past.Anomalies.List[i]; other.At == found.At && !said[other.Kind] {
			said[other.Kind] = true
			text += "; also " + other.Kind.String()
		}
	}
	return text
}

// instantFound goes to the next or previous find, or else anomaly.
func (a *App) instantFound(next bool) tea.Cmd {
	past := a.snapshot().Timeline
	if past == nil || past.Query == "" {
		if next {
			return a.nextAnomaly()
		}
		return a.previousAnomaly()
	}
	find, side := a.session.PreviousHit, "earlier"
	if next {
		find, side = a.session.NextHit, "later"
	}
	h, ok := find()
	switch {
	case ok:
		return a.say(h.Subject + "  " + h.Text)
	case past.Searched < 1:
		return a.say(fmt.Sprintf("nothing %s yet; %.0f %% is searched", side, past.Searched*100))
	case len(past.Hits) == 0:
		return a.say(fmt.Sprintf("%q never changes in the data", past.Query))
	}
	return a.say(fmt.Sprintf("no %s hit of %d", side, len(past.Hits)))
}

func (a *App) askSearch() tea.Cmd { return a.ask(askingSearch, a.snapshot().Timeline.Query) }

// search starts a search for words, and goes to the first hit from here on, if found already.
func (a *App) search(text string) tea.Cmd {
	a.session.Search(text)
	for _, to := range a.screens {
		if to.SearchesTime && text != "" {
			return a.switchTo(to.ID)
		}
	}
	return nil
}

func away(d time.Duration) string {
	switch {
	case d < 0:
		return paint.Duration(-d) + " before this time"
	case d > 0:
		return paint.Duration(d) + " after this time"
	}
	return "this time"
}

// argued are the commands with an argument: ":bookmark NOTE", ":diff TIME", ":search WORDS", ":save last 30m FILE".
func (a *App) argued(text string) (e entry, ok bool) {
	name, rest, cut := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	if !cut || rest == "" || loaded(a) != "" {
		return e, false
	}
	switch name {
	case "save":
		e := entry{name: "save", help: rest, reason: saveable(a)}
		last, path, err := savePart(rest)
		e.run = func() tea.Cmd { return a.save(last, path) }
		if err != nil {
			e.reason, e.run = err.Error(), func() tea.Cmd { return a.say(err.Error()) }
		}
		return e, true
	case "export":
		for i := range forms {
			if forms[i].name == rest {
				return a.exportEntry(&forms[i]), true
			}
		}
	case "bookmark":
		return entry{name: "bookmark", help: rest, run: func() tea.Cmd { return a.setMark(rest) }}, true
	case "theme":
		t, known := themes.Named(a.themes, rest)
		if !known {
			return entry{name: "theme", help: rest, reason: "themes are " + strings.Join(themeNames(a.themes), ", "), run: func() tea.Cmd { return a.say("themes are " + strings.Join(themeNames(a.themes), ", ")) }}, true
		}
		return entry{name: "theme", help: rest, reason: colourful(a), run: func() tea.Cmd { return a.setTheme(t) }}, true
	case "search":
		return entry{name: "search", help: rest, run: func() tea.Cmd { return a.search(rest) }}, true
	case "diff":
		t, err := a.nearby(rest)
		if err != nil {
			return entry{name: "diff", help: rest, reason: err.Error(), run: func() tea.Cmd { return a.say(err.Error()) }}, true
		}
		return entry{name: "diff", help: "with " + away(t.Sub(a.session.At())) + ", " + a.painter.DateTime(t), run: func() tea.Cmd { return a.showDiff(t) }}, true
	}
	return e, false
}

// curtain hides events after the time shown, or shows them.
func (a *App) curtain() tea.Cmd {
	if a.session.Curtain() {
		return a.say("everything recorded later is hidden; c shows it")
	}
	return a.say("everything recorded later is shown")
}
