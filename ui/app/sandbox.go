package app

import (
	"math"
	"strings"
	"sync/atomic"
	"time"

	"kardia/internal/crash"
	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/ui/screen"
	"kardia/ui/session"
	"kardia/ui/words"

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
	said    words.Say
	share   atomic.Uint64 // bits of a float64
	stopped atomic.Bool
}

// told notes the share played, and returns whether to continue.
func (n *anew) told(share float64) bool {
	n.share.Store(math.Float64bits(share))
	return !n.stopped.Load()
}

// words name the replayed sandbox, and its progress.
func (n *anew) words() words.Say {
	return words.Of("sandbox.replaying", "what", n.said, "percent", int(math.Round(100*math.Float64frombits(n.share.Load()))))
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
		return a.fail(err)
	}
	return a.playOn(at, words.Of("branch.edit", "what", a.painter.Text(what), "at", at))
}

// playOn replays the sandbox in the background, and continues with it from a time. An unfinished earlier replay is
// dropped: this one has all actions.
func (a *App) playOn(at model.Instant, said words.Say) tea.Cmd {
	next, err := a.options.Sandbox.After(a.session, at)
	if err != nil {
		return a.fail(err)
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
	return a.say(words.Of("sandbox.reverted", "what", said))
}

func (a *App) killOrReturn() tea.Cmd {
	s := a.snapshot()
	about := a.view().Selected(s)
	row := s.Cluster.Node(about.Node)
	if row == nil {
		return a.say(words.Of("cannot.no-node"))
	}
	return a.befall(pick(silent(row, s), "return ", "kill ") + row.Name)
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
		return a.say(words.Of("sandbox.nothing-to-undo"))
	}
	then := a.session.Coverage().Earliest.Add(at)
	return a.playOn(min(then, a.session.At()), words.Of("sandbox.undone", "what", a.painter.Text(what), "at", then))
}

func (a *App) saveScenario() tea.Cmd {
	return writeNew("kardia-sandbox", ".scenario", "scenario", a.options.Sandbox.Text())
}

// nodeFaults are the words of faults that need a node and nothing else.
var nodeFaults = strings.Split("kill,return,partition,heal,notready,ready,cordon,uncordon,drain,shutdown,leave,deny-leases,allow-leases,delete,register,force-delete,out-of-service,in-service", ",")

// askFault opens the palette of faults.
func (a *App) askFault() tea.Cmd {
	s := a.snapshot()
	row := s.Cluster.Node(a.view().Selected(s).Node)
	var list []string
	if row != nil {
		for _, verb := range nodeFaults {
			list = append(list, verb+" "+row.Name)
		}
		list = append(list, "pressure "+row.Name+" memory evicts=2", "relieve "+row.Name+" memory", "skew "+row.Name+" by=+90s")
		if zone := row.Zone(); zone.Known && zone.Value.Zone != "" {
			for _, verb := range nodeFaults[:4] {
				list = append(list, verb+" zone="+zone.Value.Zone)
			}
		}
	}
	list = append(list, "partition all", "heal all", "failover for=20s", "stall for=30s", "controllers-off", "controllers-on")
	return a.offer(askingFault, func(text string) (found []entry) {
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
