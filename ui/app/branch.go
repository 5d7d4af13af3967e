package app

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/simulate/whatif"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// askBranch opens the palette of what-if changes, from the time shown on.
func (a *App) askBranch() tea.Cmd {
	mode, about := a.snapshot().Mode, a.view().Selected(a.snapshot()).Node
	a.session.Pause() // the branch starts at this time
	cmd := a.askEdit("", about)
	a.prompt.resume = mode == screen.Live || mode == screen.Playing
	return cmd
}

// askEdit offers the changes that a text may mean, beginning with a typed one.
func (a *App) askEdit(typed, about string) tea.Cmd {
	cmd := a.ask(askingEdit, typed)
	a.prompt.offers = func(text string) []entry { return a.branchEntries(text, about) }
	return cmd
}

func (a *App) branchScreen() *openScreen {
	return a.first(func(to *openScreen) bool { return to.Branches })
}

// branchOrder is the shown branch, to be changed, or a new one from the time shown.
func (a *App) branchOrder() screen.BranchOrder {
	if b := a.snapshot().Branch; b != nil {
		return b.Order.Clone()
	}
	return screen.BranchOrder{From: a.session.At()}
}

// branch runs an order, and shows the result.
func (a *App) branch(o screen.BranchOrder) tea.Cmd {
	a.session.Pause()
	a.session.Branch(o)
	if to := a.branchScreen(); a.at != to {
		a.bring(to)
		a.enterScreen(to)
	}
	return nil
}

// edit is an entry that adds a change to the branch.
func (a *App) edit(name string, help words.Say, change func(*screen.BranchOrder)) entry {
	return entry{name: name, help: help.In(a.painter), run: func() tea.Cmd {
		o := a.branchOrder()
		change(&o)
		return a.branch(o)
	}}
}

// unfinished is an entry that needs a value: choosing it types the text before it.
func (a *App) unfinished(name, typed string, help words.Say, about string) entry {
	return entry{name: name, help: help.In(a.painter), run: func() tea.Cmd { return a.askEdit(typed, about) }}
}

// Changes that are no flags.
const (
	tolerateSeconds = "toleration-seconds"
	goOnFor         = "for"
)

// branchEntries are the possible changes for a text; for an empty one all, those of the node under the cursor first.
func (a *App) branchEntries(text, about string) (list []entry) {
	if e, ok := a.typedEdit(text); ok {
		list = append(list, e)
	}
	for _, e := range append(a.nodeEdits(about), a.branchSuggestions(about)...) {
		if _, ok := fuzzy(text, e.name); ok && (len(list) == 0 || list[0].name != e.name) {
			list = append(list, e)
		}
	}
	return list
}

// typedEdit is a change typed in full.
func (a *App) typedEdit(text string) (e entry, ok bool) {
	name, value, _ := strings.Cut(strings.Replace(strings.TrimLeft(text, "-"), "=", " ", 1), " ")
	value = strings.TrimSpace(value)
	wrong := func(err error) (entry, bool) {
		return entry{name: text, reason: err.Error()}, true
	}
	if f := model.FlagNamed(name); f != nil && value != "" {
		var given model.Params
		if err := f.Set(&given, value, model.FromUser); err != nil {
			return wrong(err)
		}
		params := a.snapshot().Params
		params.SetOver(&given, model.FromUser)
		if err := params.Sound(); err != nil {
			return wrong(err)
		}
		return a.edit(name+" "+f.Value(&given), words.Text(topics.Flag(f)), func(o *screen.BranchOrder) { o.Flags.SetOver(&given, model.FromUser) }), true
	}
	switch {
	case name == tolerateSeconds && value != "":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 0 {
			return wrong(errors.New("must be a number of seconds, 0 or more"))
		}
		return a.edit(name+" "+value, words.Of("branch.entry.tolerates"), func(o *screen.BranchOrder) { o.Seconds = model.Some(n) }), true
	case name == goOnFor && value != "":
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 || d > 24*time.Hour {
			return wrong(errors.New("must be a duration up to 24h, as in 15m"))
		}
		return a.edit("for "+value, words.Of("branch.entry.for"), func(o *screen.BranchOrder) { o.For = d }), true
	case name == whatif.Kill.String(), name == whatif.Return.String(), name == whatif.ReturnUnready.String(), name == whatif.Rezone.String():
		return a.typedNodeEdit(text)
	}
	return e, false
}

// typedNodeEdit is an edit of a node, at the time at the end of the text, or the time shown.
func (a *App) typedNodeEdit(text string) (entry, bool) {
	edit, err := whatif.ParseEdit(text)
	edit.At = a.session.At()
	if i := strings.LastIndexByte(text, ' '); err != nil && i > 0 {
		if t, e := a.instant(text[i+1:]); e == nil {
			edit, err = whatif.ParseEdit(text[:i])
			edit.At = t
		}
	}
	if err != nil {
		return entry{}, false
	}
	if s := a.snapshot(); s.Cluster.Node(edit.Node) == nil {
		return entry{name: text, reason: s.Absent(a.painter, edit.Node)}, true
	}
	return a.nodeEdit(edit), true
}

func (a *App) nodeEdit(e whatif.Edit) entry {
	code := e.Kind.String()
	if e.Kind == whatif.Rezone && e.Zone == (model.ZoneKey{}) {
		code = "no-zone"
	}
	help := words.Of("branch.entry.node."+code, "at", e.At, "posts", topics.KubeletPosts(e.Kind == whatif.Return))
	return a.edit(e.String(), help, func(o *screen.BranchOrder) { o.Edits = append(o.Edits, e) })
}

func (a *App) nodeEdits(node string) (list []entry) {
	s := a.snapshot()
	row := s.Cluster.Node(node)
	if row == nil {
		return nil
	}
	at := a.session.At()
	for _, kind := range []whatif.EditKind{whatif.Return, whatif.ReturnUnready, whatif.Kill} {
		list = append(list, a.nodeEdit(whatif.Edit{Kind: kind, Node: node, At: at}))
	}
	if zone := row.Zone(); zone.Known && zone.Value != (model.ZoneKey{}) {
		list = append(list, a.nodeEdit(whatif.Edit{Kind: whatif.Rezone, Node: node, At: at}))
	}
	zones := map[model.ZoneKey]bool{row.Zone().Value: true, {}: true}
	s.Cluster.Nodes(func(r *model.NodeRow) bool {
		if zone := r.Zone(); zone.Known && !zones[zone.Value] && len(zones) < 8 {
			zones[zone.Value] = true
			list = append(list, a.nodeEdit(whatif.Edit{Kind: whatif.Rezone, Node: node, At: at, Zone: zone.Value}))
		}
		return true
	})
	return list
}

// branchSuggestions are the changes that are not of a node.
func (a *App) branchSuggestions(about string) (list []entry) {
	s := a.snapshot()
	if b := s.Branch; b != nil {
		if to := a.branchScreen(); a.at != to {
			list = append(list, entry{name: words.Of("branch.entry.show").String(), help: words.Listed(b.Order.Words()), run: func() tea.Cmd { a.enterScreen(to); return nil }})
		}
		if edits := b.Order.Words(); len(edits) > 0 {
			undo := words.Of("branch.entry.undo", "edit", edits[len(edits)-1]).String()
			list = append(list, a.edit(undo, words.Of("branch.entry.without"), undoLast))
		}
	}
	if about != "" {
		list = append(list, entry{name: words.Of("branch.entry.options", "node", about).String(), help: screen.Action("options").Help(), run: func() tea.Cmd { return a.compareOf(about) }})
	}
	for i := range model.Flags {
		f := &model.Flags[i]
		help := words.Of("branch.entry.flag", "is", f.Value(&s.Params), "flag", topics.Flag(f))
		list = append(list, a.unfinished(f.Name, f.Name+" ", help, about))
	}
	begins := a.session.Reach().Earliest
	return append(list,
		a.edit(words.Of("branch.entry.from-start").String(), words.Of("branch.entry.start"), func(o *screen.BranchOrder) { o.From = begins }),
		a.unfinished(tolerateSeconds, tolerateSeconds+" ", words.Of("branch.entry.tolerates"), about),
		a.unfinished(goOnFor+" 15m", goOnFor+" 15m", words.Of("branch.entry.for"), about),
		a.edit(words.Of("branch.entry.unchanged").String(), words.Of("branch.entry.nothing"), func(*screen.BranchOrder) {}))
}

// compare shows the options for the node under the cursor, compareOf for any.
func (a *App) compare() tea.Cmd {
	about := a.view().Selected(a.snapshot()).Node
	if about == "" {
		return a.say(words.Of("cannot.no-node"))
	}
	return a.compareOf(about)
}

func (a *App) compareOf(about string) tea.Cmd {
	a.session.LeaveBranch()
	to := a.branchScreen()
	to.visit(screen.SubjectNode(about), a.at.Scope, a.snapshot())
	a.enterScreen(to)
	return nil
}

func undoLast(o *screen.BranchOrder) {
	switch {
	case len(o.Edits) > 0:
		o.Edits = o.Edits[:len(o.Edits)-1]
	case o.Seconds.Known:
		o.Seconds = model.Maybe[int64]{}
	default:
		for i := len(model.Flags) - 1; i >= 0; i-- {
			if model.Flags[i].From(&o.Flags) == model.FromUser {
				model.Flags[i].Copy(&o.Flags, &model.Params{})
				return
			}
		}
	}
}
