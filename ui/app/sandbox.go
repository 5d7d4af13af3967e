package app

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"kardia/internal/crash"
	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/session"

	tea "charm.land/bubbletea/v2"
)

const groupSandbox = "Sandbox"

// sandboxBindings are the actions on a cluster that is there to be broken.
func sandboxBindings() []binding {
	return []binding{
		{key("K", "kill or return", "kill"), groupSandbox, onScreens, loaded, (*App).killOrReturn},
		{key("F", "faults", "faults"), groupSandbox, onScreens, loaded, (*App).askFault},
		{key("X", "undo", "undo"), groupSandbox, onScreens, loaded, (*App).undoFault},
		{key("", "save scenario", ""), groupSandbox, onScreens, loaded, (*App).saveScenario},
	}
}

// anew is a sandbox being replayed in the background after an action.
type anew struct {
	said    string
	share   atomic.Uint64 // bits of a float64
	stopped atomic.Bool
}

// told notes the share played, and returns whether to continue.
func (n *anew) told(share float64) bool {
	n.share.Store(math.Float64bits(share))
	return !n.stopped.Load()
}

// words name the replayed sandbox, and its progress.
func (n *anew) words(p *paint.Painter) string {
	return fmt.Sprintf("%s: replaying, %.0f%% %s esc takes it back", p.Text(n.said), 100*math.Float64frombits(n.share.Load()), p.Glyphs.Dot)
}

// swapped: another session of the sandbox is ready; nil if it was stopped. anewDue: its progress is shown again.
type (
	swapped struct {
		of      *anew
		session *session.Session
	}
	anewDue struct{ of *anew }
)

const anewEvery = 300 * time.Millisecond

// befall applies a fault to the cluster at the time shown.
func (a *App) befall(what string) tea.Cmd {
	at := a.session.At()
	if err := a.options.Sandbox.Do(a.session.Since(at), what); err != nil {
		return a.say(err.Error())
	}
	return a.playOn(at, what+" at "+a.painter.Clock(at))
}

// playOn replays the sandbox in the background, and continues with it from a time. An unfinished earlier replay is
// dropped: this one has all actions.
func (a *App) playOn(at model.Instant, said string) tea.Cmd {
	next, err := a.options.Sandbox.After(a.session, at)
	if err != nil {
		return a.say(err.Error())
	}
	if a.anew != nil {
		a.anew.stopped.Store(true)
	}
	n := &anew{said: said}
	a.anew = n
	return tea.Batch(func() tea.Msg { return swapped{n, next.Play(n.told)} }, a.showAnew(n))
}

func (a *App) showAnew(n *anew) tea.Cmd {
	if a.anew != n {
		return nil
	}
	return a.later(anewEvery, func(time.Time) tea.Msg { return anewDue{n} })
}

// swap continues with another session: every screen stays the same.
func (a *App) swap(msg swapped) tea.Cmd {
	if msg.of != a.anew || msg.session == nil {
		if msg.session != nil {
			go crash.Guarded(msg.session.Close)()
		}
		return nil // taken back, or something else was done meanwhile
	}
	a.anew = nil
	a.options.Sandbox.Keep()
	go crash.Guarded(a.session.Close)() // the app does not wait for it
	a.generation++
	a.session, a.ticking = msg.session, false
	a.note(msg.of.said)
	return a.begin()
}

// takeBack stops the replay: the shown state stays.
func (a *App) takeBack() tea.Cmd {
	said := a.anew.said
	a.anew.stopped.Store(true)
	a.anew = nil
	a.options.Sandbox.Revert()
	return a.say("not done: " + said)
}

func (a *App) killOrReturn() tea.Cmd {
	s := a.snapshot()
	about := a.view().Selected(s)
	row := s.Cluster.Node(about.Node)
	if row == nil {
		return a.say("no node is selected")
	}
	if silent(row, s) {
		return a.befall("return " + row.Name)
	}
	return a.befall("kill " + row.Name)
}

// silent reports whether a node is late, or not Ready.
func silent(row *model.NodeRow, s *screen.Snapshot) bool {
	if row.Node != nil && row.Node.Ready() != nil && row.Node.Ready().Status != model.StatusTrue {
		return true
	}
	age := row.Ages(s.At).Age
	return age.Known && age.Value >= forecast.SilentAfter
}

func (a *App) undoFault() tea.Cmd {
	what, at, ok := a.options.Sandbox.Undo()
	if !ok {
		return a.say("nothing to undo")
	}
	then := a.session.Coverage().Earliest.Add(at)
	return a.playOn(min(then, a.session.At()), "undone: "+what+" at "+a.painter.Clock(then))
}

func (a *App) saveScenario() tea.Cmd {
	return writeNew("kardia-sandbox", ".scenario", "the scenario", a.options.Sandbox.Text())
}

// askFault opens the palette of faults.
func (a *App) askFault() tea.Cmd {
	s := a.snapshot()
	row := s.Cluster.Node(a.view().Selected(s).Node)
	var list []string
	if row != nil {
		for _, verb := range strings.Fields("kill return partition heal notready ready cordon uncordon deny-leases allow-leases delete register out-of-service in-service") {
			list = append(list, verb+" "+row.Name)
		}
		list = append(list, "pressure "+row.Name+" memory", "relieve "+row.Name+" memory", "skew "+row.Name+" by=+90s")
		if zone := row.Zone(); zone.Known && zone.Value.Zone != "" {
			for _, verb := range strings.Fields("kill return partition heal") {
				list = append(list, verb+" zone="+zone.Value.Zone)
			}
		}
	}
	list = append(list, "partition all", "heal all", "failover for=20s", "stall for=30s", "controllers-off", "controllers-on")
	return a.offer(askingChoice, "let happen now: ", func(text string) (found []entry) {
		do := func(what string) entry { return entry{name: what, run: func() tea.Cmd { return a.befall(what) }} }
		for _, what := range list {
			if _, ok := fuzzy(text, what); ok {
				found = append(found, do(what))
			}
		}
		if text != "" && strings.Contains(text, " ") {
			found = append([]entry{do(text)}, found...)
		}
		return found
	})
}
