package topics_test

import (
	"testing"
	"time"

	"kardia/model/explain/margin"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// How a node came and went, what that meant for its pods, and with which others it did.
func TestFlaps(t *testing.T) {
	second := time.Second
	with := []margin.Partner{{Node: "b", Times: 3, Apart: 400 * time.Millisecond}, {Node: "c", Times: 2, Apart: 8 * second}}
	for _, c := range []struct {
		f                     margin.Flaps
		rhythm, pods, company string
	}{
		{margin.Flaps{Times: 2}, "", "never tainted NoExecute: no countdown of its pods started", ""},
		{margin.Flaps{Times: 3, Down: 54 * second, Up: 146 * second, Tainted: 2, Longest: 53 * second, With: with}, "not Ready for 54s, Ready for 2m26s in between, as a rule",
			"tainted NoExecute 2 times, for 53s at most: no pod that tolerates it for longer was deleted for it", "with b (3 of 3, the same second), c (2 of 3, within 8s)"},
		{margin.Flaps{Times: 3, Down: 54 * second, Tainted: 1, Longest: 53 * second, Lasts: true, With: append(with, with...), More: 4}, "not Ready for 54s",
			"tainted NoExecute 1 time, for 53s at most, and at the end", "with b (3 of 3, the same second), c (2 of 3, within 8s) and 6 more"},
	} {
		for want, say := range map[string]words.Say{c.rhythm: topics.FlapRhythm(&c.f), c.pods: topics.FlapPods(&c.f), c.company: topics.FlapCompany(&c.f, 2)} {
			if got := say.String(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	}
}
