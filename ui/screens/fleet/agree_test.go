package fleet_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "kardia/internal/roomy"
	"kardia/model"
	"kardia/ui/cli/clitest"
	"kardia/ui/headline"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/screens/fleet"
	"kardia/ui/words"
)

// eviction is a row of `get evictions -o json`.
type eviction struct {
	Node, State      string
	Earliest, Latest *time.Time
}

// evictions are what `get evictions` says, by node.
func evictions(t *testing.T, k screentest.Telling) (at time.Time, byNode map[string][]eviction) {
	t.Helper()
	var said struct {
		At        time.Time
		Evictions []eviction
	}
	clitest.JSON(t, &said, "get", "evictions", k.Path, "--at", "+"+k.After.String())
	byNode = map[string][]eviction{}
	for _, e := range said.Evictions {
		byNode[e.Node] = append(byNode[e.Node], e)
	}
	return said.At, byNode
}

// first is the eviction of a node that comes first, how many lie ahead, and the word for
// the rest.
func first(list []eviction) (next eviction, ahead int, word string) {
	for _, state := range []string{"forever", "terminating", "stuck", "blocked"} {
		for _, e := range list {
			if e.State == state {
				word = state
			}
		}
	}
	for _, e := range list {
		if e.State != "pending" && e.State != "queued" {
			continue
		}
		if ahead++; ahead == 1 || e.Earliest.Before(*next.Earliest) {
			next = e
		}
	}
	return next, ahead, word
}

// countdown reads what the screen printed.
func countdown(t *testing.T, text string) time.Duration {
	t.Helper()
	minutes, seconds, _ := strings.Cut(text, ":")
	m, err := strconv.Atoi(minutes)
	if err != nil {
		t.Fatalf("countdown %q", text)
	}
	s, err := strconv.Atoi(seconds)
	if err != nil {
		t.Fatalf("countdown %q", text)
	}
	return time.Duration(m)*time.Minute + time.Duration(s)*time.Second
}

// EVICT IN, read back from the frame, is what `get evictions` says of the same instant: the
// window holds the model's and is at most a second wider at each end.
func TestEvictInIsWhatGetEvictionsSays(t *testing.T) {
	row := regexp.MustCompile(`(?m)^│ . (\S+) +\S+ +(?:Unknown|NotReady|Ready|Never)(?: ⊘)? +[█▒░]+►? +\S+ .*?  (?:(\d+:\d\d)(?:–(\d+:\d\d))? (\d+) pods?|(blocked|stuck|ending|stays)(?: (\d+) pods?)?) `)
	for _, k := range screentest.Tellings {
		at, byNode := evictions(t, k)
		s := screentest.Recorded(t, k.Path, k.After)
		v := fleet.New()
		v.Do(screen.Attention, s) // one by one
		frame := screentest.Plain(v.Render(s, screentest.Painters()["dark"], screen.Area{W: 144, H: 300, Tier: screen.Standard}))
		found := row.FindAllStringSubmatch(frame, -1)
		if len(found) != len(byNode) {
			t.Errorf("%s: %d nodes with evictions on the screen, want %d:\n%s", k.Name, len(found), len(byNode), frame)
		}
		for _, f := range found {
			next, ahead, word := first(byNode[f[1]])
			if ahead == 0 {
				n := 0
				for _, e := range byNode[f[1]] {
					if e.State == word {
						n++
					}
				}
				if f[5] != words.Of("forecast.state."+word).String() || f[6] != strconv.Itoa(n) {
					t.Errorf("%s %s: %q, %s pods, want %q, %d", k.Name, f[1], f[5], f[6], word, n)
				}
				continue
			}
			if f[4] != strconv.Itoa(ahead) {
				t.Errorf("%s %s: %s pods, want %d", k.Name, f[1], f[4], ahead)
			}
			from, to := next.Earliest.Sub(at), next.Latest.Sub(at)
			if f[3] == "" {
				if d := (from + to) / 2; (countdown(t, f[2]) - d).Abs() > time.Second/2 {
					t.Errorf("%s %s: in %s, want %s", k.Name, f[1], f[2], d)
				}
				continue
			}
			if a, b := countdown(t, f[2]), countdown(t, f[3]); a > from || from-a >= time.Second || b < to || b-to >= time.Second {
				t.Errorf("%s %s: in %s–%s, want %s to %s", k.Name, f[1], f[2], f[3], from, to)
			}
		}
	}
}

// Sorted by EVICT IN, the node whose pods go first comes first.
func TestSortByEvictIn(t *testing.T) {
	k := screentest.Tellings[0]
	_, byNode := evictions(t, k)
	s := screentest.Recorded(t, k.Path, k.After)
	v := fleet.New()
	for !strings.Contains(screentest.Plain([]string{v.Context(s, screentest.Painters()["dark"], 80)}), "sort evict in") {
		v.Do(screen.Sort, s)
	}
	var last time.Time
	for _, name := range v.Order(s) {
		next, ahead, _ := first(byNode[name])
		if ahead == 0 {
			t.Errorf("%s has no eviction ahead", name)
		} else if next.Earliest.Before(last) {
			t.Errorf("%s comes too late", name)
		} else {
			last = *next.Earliest
		}
	}
}

// The headline counts the pods whose countdown runs and the nodes that wait, as the commands do.
func TestHeadlineSaysWhatTheCommandsSay(t *testing.T) {
	for _, k := range screentest.Tellings {
		at, byNode := evictions(t, k)
		var due []eviction
		all := 0 // those too whose nodes are still to be tainted
		for _, list := range byNode {
			for _, e := range list {
				if e.State == "pending" {
					due = append(due, e)
				}
				all += map[string]int{"pending": 1, "queued": 1}[e.State]
			}
		}
		var counted struct{ Zones []struct{ Queue int } }
		clitest.JSON(t, &counted, "get", "zones", k.Path, "--at", "+"+k.After.String())
		queued := 0
		for _, z := range counted.Zones {
			queued += z.Queue
		}
		p := screentest.Painters()["dark"]
		said := screentest.Plain([]string{headline.Rows(screentest.Recorded(t, k.Path, k.After), p, 300, 2)[1].Text})
		want := []string{fmt.Sprintf("%d nodes queued for a NoExecute taint", queued)}
		said = strings.Replace(said, " more nodes queued", " nodes queued", 1)
		if queued == 0 {
			want = nil
		}
		if next, n, _ := first(due); n > 0 {
			in := (next.Earliest.Sub(at) + next.Latest.Sub(at)) / 2
			want = append(want, "deleted in "+paint.Countdown(in))
			if !strings.Contains(said, "next: "+model.Counted(all, "pod", "pods")+" of") {
				want = append(want, model.Counted(all, "pod", "pods")+" in all")
			}
		}
		for _, part := range want {
			if !strings.Contains(strings.Replace(said, "1 node queued", "1 nodes queued", 1), part) {
				t.Errorf("%s: %q does not say %q", k.Name, said, part)
			}
		}
	}
}
