package app

import (
	"time"

	"kardia/model"

	tea "charm.land/bubbletea/v2"
)

// maxMessages is how many messages are kept.
const maxMessages = 200

// messages are the texts of the message line. The line shows the newest for a while; the log keeps them.
type messages struct {
	log    []message
	number int
	shown  bool
	line   string // the one that is, or was, on the line
	// problem is the session's error that was reported last.
	problem string
}

// message is one text, and the instant that was shown then.
type message struct {
	at   model.Instant
	text string
}

// note puts a message on the line, until another one comes or a key is pressed.
func (a *App) note(text string) {
	m := &a.messages
	m.number++
	m.shown, m.line = true, text
	at := model.Instant(0)
	if a.session != nil {
		at = a.session.At()
	}
	a.noteAt(at, text)
}

// noteAt keeps a message about an instant, which is not put on the line.
func (a *App) noteAt(at model.Instant, text string) {
	m := &a.messages
	m.log = append(m.log, message{at, text})
	if len(m.log) > maxMessages {
		m.log = append(m.log[:0], m.log[1:]...)
	}
}

// say puts a message on the line for a few seconds.
func (a *App) say(text string) tea.Cmd {
	a.note(text)
	number := a.messages.number
	return a.later(messageTime, func(time.Time) tea.Msg { return statusExpired{number} })
}

// fade takes a message off the line, unless a later one is on it.
func (m *messages) fade(number int) {
	if m.number == number {
		m.shown = false
	}
}

// current is the message on the line; "" if there is none.
func (m *messages) current() string {
	if !m.shown {
		return ""
	}
	return m.line
}
