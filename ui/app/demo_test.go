package app

import (
	"context"
	"testing"

	"kardia/sources/open"
	"kardia/ui/screen"
	"kardia/ui/session"
)

// The real thing: an embedded incident, the real views, a real program in a terminal.
func TestARealIncidentInATerminal(t *testing.T) {
	open := func(name string) (*session.Session, error) {
		return session.Opening(func(ctx context.Context, progress func(screen.Opening)) (session.Recording, error) {
			opened, err := open.Open(ctx, []string{"demo:" + name}, open.Options{})
			if err != nil {
				return session.Recording{}, err
			}
			return session.Recording{History: opened.History, Name: opened.Name, Start: opened.Start}, nil
		}, session.Options{Name: name}), nil
	}
	e := runIn(t, Options{Demos: []Demo{{Name: "zone-outage", Summary: "a zone falls silent"}}, Open: open, Environ: []string{"LANG=C.UTF-8"}}, 80, 24)
	e.shows("zone-outage", "a zone falls silent")
	e.keys("enter")
	e.shows("zone-outage", "REPLAY PAUSED", "10 of 10 nodes are late")
	e.keys(":")
	for _, r := range "+200s" {
		e.program.Send(press(string(r)))
	}
	e.keys("enter")
	e.shows("us-east-1b: all 10 nodes silent", "+3:20", "Unknown", "2 pods of b-009 deleted in 0:07")
	e.keys("enter") // lists the nodes of the row one by one
	e.shows("▾10 nodes")
	e.keys("j", "enter")
	e.shows("us-east-1b/b-009", "Unknown")
	e.keys("n")
	e.shows("us-east-1b/b-006")
	e.keys("q", "/")
	for _, r := range "zone:1a" {
		e.program.Send(press(string(r)))
	}
	e.keys("enter", "a")
	e.shows("a-007", "18 of 28 nodes hidden by the filter")
	e.keys("ctrl+c")
	if err := <-e.ended; err != nil {
		t.Errorf("the program ended with %v", err)
	}
}
