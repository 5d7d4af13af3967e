package app

import (
	"time"

	"kardia/model"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

const maxMessages = 200

// messages are the texts of the message line, which shows the newest for a while. The log keeps them.
type messages struct {
	log    []message
	number int
	shown  bool
	line   string // the one that is, or was, on the line
	// problem is the last reported session error.
	problem string
}

type message struct {
	at   model.Instant
	text string
}

// note shows a message until another one comes or a key is pressed; say for a few seconds.
func (a *App) note(says words.Say) {
	m, text := &a.messages, says.In(a.painter)
	m.number++
	m.shown, m.line = true, text
	at := model.Instant(0)
	if a.session != nil {
		at = a.session.At()
	}
	a.noteAt(at, text)
}

// noteAt keeps a message about a time, without showing it.
func (a *App) noteAt(at model.Instant, text string) {
	m := &a.messages
	m.log = append(m.log, message{at, text})
	if len(m.log) > maxMessages {
		m.log = append(m.log[:0], m.log[1:]...)
	}
}

func (a *App) say(says words.Say) tea.Cmd {
	a.note(says)
	number := a.messages.number
	return a.later(messageTime, func(time.Time) tea.Msg { return statusExpired{number} })
}

// fail puts an error on the line.
func (a *App) fail(err error) tea.Cmd { return a.say(words.Text(err.Error())) }

// fade hides a message, unless a later one is shown.
func (m *messages) fade(number int) {
	if m.number == number {
		m.shown = false
	}
}

// current is the shown message; "" if there is none.
func (m *messages) current() string {
	if !m.shown {
		return ""
	}
	return m.line
}
