package app

import (
	"context"

	"kardia/internal/crash"

	tea "charm.land/bubbletea/v2"
)

// guarded is a model whose panics, and those of its commands, end the program in order, with a restored terminal.
type guarded struct {
	tea.Model
	end context.CancelCauseFunc
}

// catch, deferred, ends the program on a panic.
func (g guarded) catch() {
	if e := crash.Of(recover()); e != nil {
		g.end(e)
	}
}

// Init implements tea.Model.
func (g guarded) Init() (cmd tea.Cmd) {
	defer g.catch()
	return g.guard(g.Model.Init())
}

// Update implements tea.Model.
func (g guarded) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer g.catch()
	_, cmd = g.Model.Update(msg) // the models are pointers: they change themselves
	return g, g.guard(cmd)
}

// View implements tea.Model.
func (g guarded) View() (v tea.View) {
	defer g.catch()
	return g.Model.View()
}

// guard guards a command, and those that it returns.
func (g guarded) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.catch()
		msg = cmd()
		batch, ok := msg.(tea.BatchMsg)
		if !ok {
			return msg
		}
		all := make(tea.BatchMsg, len(batch))
		for i, one := range batch {
			all[i] = g.guard(one)
		}
		return all
	}
}
