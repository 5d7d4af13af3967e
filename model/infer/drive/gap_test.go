package drive_test

import (
	"testing"

	"kardia/internal/played"
	"kardia/model/infer"
)

// While a watch was broken, the controllers went on: what was declared, tainted and deleted meanwhile, and what follows
// from it later, is explained; and nothing is held against the models that they decided while nobody watched.
func TestAWatchThatBreaks(t *testing.T) {
	for what, c := range map[string]struct{ statements, from, to string }{
		"over a declaration":              {"length 4m\nat 30s kill a-2 b-1", "1m10s", "1m40s"},
		"over the taints of a dark zone":  {"length 5m\nat 30s kill zone=b", "1m25s", "2m20s"},
		"over the return of a dark zone":  {"length 6m\nat 30s kill zone=b\nat 3m return zone=b", "2m50s", "3m20s"},
		"over master disruption":          {"length 5m\nat 30s partition all\nat 3m heal all", "1m10s", "2m"},
		"over the end of it":              {"length 5m\nat 30s partition all\nat 3m heal all", "2m50s", "3m30s"},
		"over countdowns":                 {"length 5m\nat 30s kill a-2 b-1\nat 3m return a-2", "1m30s", "2m30s"},
		"over a restart":                  {"length 5m\nat 30s kill a-2\nat 1m35s failover for=10s", "1m30s", "1m55s"},
		"twice as long as a grace period": {"length 6m\nat 30s kill zone=b\nat 1m40s kill a-2", "40s", "2m30s"},
	} {
		s := played.Play(t, cluster+c.statements)
		res, err := infer.Run(s.Gap(t, c.from, c.to), infer.Options{Params: s.Params})
		if err != nil {
			t.Fatal(err)
		}
		for i := range res.Writes {
			w := &res.Writes[i]
			if w.Decision == 0 && !w.Across {
				t.Errorf("%s: %s of %s, %v after the start, is unexplained: %v", what, w.Kind, w.Subject(), w.Time.Earliest.Sub(s.Start), w.Unexplained)
			}
		}
		if len(res.Writes) == 0 {
			t.Errorf("%s: nothing was written", what)
		}
		for d := range res.Lacking() {
			t.Errorf("%s: %s of %s, %v after the start, is said to be missing", what, d.Kind, d.Subject(), d.Time.Sub(s.Start))
		}
	}
}
