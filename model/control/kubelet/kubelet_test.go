package kubelet

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kardia/model"
)

var noon = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

// With no jitter a kubelet renews every 10 s and posts every five minutes, or at the next
// status sync after something changed.
func TestRhythm(t *testing.T) {
	k := New(Defaults(model.Version{Major: 1, Minor: 33}), noon, nil)
	var posts []string
	renewals := 0
	for k.Next() <= noon.Add(11*time.Minute) {
		at := k.Next()
		if at == noon.Add(200*time.Second) {
			k.Changed()
		}
		switch k.Act(at) {
		case Renew:
			if at.Sub(noon)%(10*time.Second) != 0 {
				t.Errorf("renewal at %v", at)
			}
			renewals++
		case Post:
			posts = append(posts, at.Sub(noon).String())
		}
	}
	if got, want := strings.Join(posts, " "), "0s 3m20s 8m20s"; got != want {
		t.Errorf("posts at %s, want %s", got, want)
	}
	if renewals != 67 {
		t.Errorf("%d renewals in eleven minutes, want 67", renewals)
	}
}

// Whatever the jitter, beats come when they are said to be due.
func TestDueHolds(t *testing.T) {
	for _, part := range []float64{0, 0.25, 0.999} {
		for _, minor := range []int{33, 36} {
			config := Defaults(model.Version{Major: 1, Minor: minor})
			k := New(config, noon, func() float64 { return part })
			var renewed, posted model.Instant
			for k.Next() < noon.Add(time.Hour) {
				at := k.Next()
				switch k.Act(at) {
				case Renew:
					if due := config.NextRenewal(renewed); renewed.Known() && !due.Contains(at) {
						t.Fatalf("renewed at %v, due %v", at, due)
					}
					renewed = at
				case Post:
					if due := config.NextPost(posted); posted.Known() && !due.Contains(at) {
						t.Fatalf("1.%d, spread %v: posted at %v, due %v", minor, part, at.Sub(noon), due)
					}
					posted = at
				}
			}
		}
	}
}

// Refused renewals are tried again after 200 ms, doubling, at most every 7 s.
func TestRetries(t *testing.T) {
	k := New(Defaults(model.Version{}), noon, nil)
	var waits []string
	at := k.Next()
	for range 8 {
		k.Act(at)
		k.sync = model.FarFuture // the status loop is not what is looked at
		k.Refused(at)
		waits = append(waits, k.Next().Sub(at).String())
		at = k.Next()
	}
	if got, want := fmt.Sprint(waits), "[200ms 400ms 800ms 1.6s 3.2s 6.4s 7s 7s]"; got != want {
		t.Errorf("waits %s, want %s", got, want)
	}
	k.Act(at)
	k.Accepted()
	if got := k.Next().Sub(at); got != 10*time.Second {
		t.Errorf("after success the next renewal is in %v", got)
	}
}
