package open

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/bits"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	_ "kardia/internal/roomy"
	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/sources/read/input"
)

var (
	everySubset  = flag.Bool("evidence.whole", false, "try every subset of the files of every incident; it takes minutes")
	mostFiles    = flag.Int("evidence.most", 99, "with -evidence.whole, add files to at most so many others")
	besideFolder = flag.String("evidence.recordings", "", "a folder of recordings to try too, with -evidence.whole")
)

// knownWorse are the ways in which more evidence is known to make an answer worse. A match is of what worse returns.
var knownWorse = []struct{ match, why string }{
	{`nodes\.watch\.jsonl.* pods\.json.* \+ leases\.json: loses ScheduleEviction`, "the pods of a list that leases show to be later than all watches are of its time only, and no model counts down for them before"},
	{`^beside apiserver-frozen: .*recorded\.mcap.*(MarkPodsNotReady|QueueForTaint)`, "watch files of a frozen API server look beside a recording of it as if they lost lines at random"},
	{`^beside apiserver-frozen: .*nodes\.watch\.jsonl.* \+ kcm\.log: loses explained-Untaint`, "without leases no stall is known, and by the writes that waited in it a log's clock seems to be behind"},
}

// TestMoreEvidenceIsNoWorse adds a file to some files of an incident. It must not move a decision out of its true window, add one that
// never was, lose the explanation of a write, or change a flag that was settled. Truth is what all files of the incident settle,
// whose writes TestTheTotalsAreThoseOfTheAuditLog counts without Kardia.
func TestMoreEvidenceIsNoWorse(t *testing.T) {
	if *everySubset {
		wholeProduct(t)
		return
	}
	cases := map[string]*evidenceCase{}
	for _, name := range []string{"notready", "partial", "restart"} {
		cases[name] = newCase(t, name, piecesOf(t, name))
		cases[name].each(2, func(worse string) {
			if knownTo(worse) < 0 {
				t.Error(worse)
			}
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		c := cases[rapid.SampledFrom([]string{"notready", "partial", "restart"}).Draw(t, "incident")]
		drawn := rapid.SliceOfNDistinct(rapid.IntRange(0, len(c.pieces)-1), 2, 5, rapid.ID).Draw(t, "files")
		set := 0
		for _, i := range drawn[1:] {
			set |= 1 << i
		}
		if w := c.worse(set, drawn[0]); w != "" && knownTo(w) < 0 {
			t.Error(w)
		}
	})
}

// wholeProduct adds each file to each subset of the others.
func wholeProduct(t *testing.T) {
	cases := map[string]func(t *testing.T) []piece{}
	for name := range totals {
		cases[name] = func(t *testing.T) []piece {
			return piecesOf(t, name)
		}
	}
	if *besideFolder != "" {
		folders, err := filepath.Glob(filepath.Join(*besideFolder, "*", "audit.log"))
		if err != nil || len(folders) == 0 {
			t.Fatalf("no recordings in %s: %v", *besideFolder, err)
		}
		for _, log := range folders {
			cases["beside "+filepath.Base(filepath.Dir(log))] = func(t *testing.T) []piece { return piecesIn(t, filepath.Dir(log)) }
		}
	}
	used, counts := map[int]int{}, map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		t.Run(name, func(t *testing.T) {
			c := newCase(t, name, cases[name](t))
			c.all(t)
			c.each(*mostFiles, func(worse string) {
				n := knownTo(worse)
				if used[n]++; n >= 0 {
					return
				}
				kind := kindOf.ReplaceAllString(worse, "$1 $2")
				if counts[kind]++; counts[kind] <= 2 {
					t.Error(worse)
				}
			})
		})
	}
	for i, k := range knownWorse {
		t.Logf("%d times: %s", used[i], k.why)
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%d times: %s", counts[kind], kind)
	}
}

// kindOf cuts the incident and the times out of what worse returns.
var kindOf = regexp.MustCompile(`^.* (\+ \S+: \w+) ([\w-]+) .*$`)

func knownTo(worse string) int {
	return slices.IndexFunc(knownWorse, func(k struct{ match, why string }) bool { return regexp.MustCompile(k.match).MatchString(worse) })
}

// evidenceCase is an incident with the answers of the subsets of its files.
type evidenceCase struct {
	name    string
	pieces  []piece
	given   int // the files that are always given
	truth   *answer
	lock    sync.Mutex
	answers map[int]*answer
}

func newCase(t *testing.T, name string, pieces []piece) *evidenceCase {
	t.Helper()
	c := &evidenceCase{name: name, pieces: pieces, answers: map[int]*answer{}}
	original := 0
	for i, p := range pieces {
		if strings.HasSuffix(p.name, ".watch.jsonl") || p.name == "audit.log" || p.name == "version.json" {
			original |= 1 << i
		}
		if p.name == "version.json" {
			c.given |= 1 << i
		}
	}
	if c.truth = c.answer(original); c.truth == nil || c.truth.failed != nil {
		t.Fatalf("%s: the truth is not known: %+v", name, c.truth)
	}
	c.truth.judge(c.truth)
	return c
}

// each adds each file to each subset of at most so many others, and hands out what gets worse.
func (c *evidenceCase) each(most int, visit func(worse string)) {
	for set := range 1 << len(c.pieces) {
		if set&c.given != c.given || bits.OnesCount(uint(set&^c.given)) > most {
			continue
		}
		for i := range c.pieces {
			if set>>i&1 == 1 {
				continue
			}
			if w := c.worse(set, i); w != "" {
				visit(w)
			}
		}
	}
}

// all reads every subset once.
func (c *evidenceCase) all(t *testing.T) {
	sets := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for set := range sets {
				c.answer(set)
			}
		})
	}
	for set := range 1 << len(c.pieces) {
		if set&c.given == c.given && bits.OnesCount(uint(set&^c.given)) <= *mostFiles+1 && t.Context().Err() == nil {
			sets <- set
		}
	}
	close(sets)
	workers.Wait()
}

// answer is what a subset of the files settles; nil if it cannot be read.
func (c *evidenceCase) answer(set int) *answer {
	c.lock.Lock()
	a, ok := c.answers[set]
	c.lock.Unlock()
	if ok {
		return a
	}
	var files []input.File
	for i, p := range c.pieces {
		if set>>i&1 == 1 {
			files = append(files, p.file)
		}
	}
	if a = settle(files); c.truth != nil && a != nil {
		a.judge(c.truth)
	}
	c.lock.Lock()
	c.answers[set] = a
	c.lock.Unlock()
	return a
}

// worse is how one more file makes the answer worse; "" if it does not.
func (c *evidenceCase) worse(set, add int) string {
	before, after := c.answer(set), c.answer(set|1<<add)
	if before == nil {
		return ""
	}
	what := ""
	switch {
	case after == nil:
		what = "unreadable: nothing is read any more"
	case after.failed != nil:
		what = "failed: " + after.failed.Error()
	default:
		for _, key := range slices.Sorted(maps.Keys(before.right)) {
			if !after.met[key] {
				what = "loses " + key + " " + before.right[key]
				break
			}
		}
		for _, key := range slices.Sorted(maps.Keys(after.wrong)) {
			if _, ok := before.wrong[key]; !ok && len(before.wrong) < len(after.wrong) {
				what = "invents " + key + " " + after.wrong[key]
				break
			}
		}
	}
	if what == "" {
		return ""
	}
	names := ""
	for i, p := range c.pieces {
		if set&^c.given>>i&1 == 1 {
			names += " " + p.name
		}
	}
	return c.name + ":" + names + " + " + c.pieces[add].name + ": " + what
}

// answer is what an input settles.
type answer struct {
	acts   map[string][]model.Interval
	writes map[string][]infer.Write
	flags  map[string]verify.Param
	failed error
	// right is what it has of the truth, met what agrees with it, and wrong what is not true.
	right, wrong map[string]string
	met          map[string]bool
}

// settle opens files as the commands do; nil if there is nothing to read in them.
func settle(files []input.File) *answer {
	o, err := openFiles(context.Background(), files, Options{})
	if errors.Is(err, ErrUnreadable) {
		return nil
	}
	if err != nil {
		return &answer{failed: err}
	}
	defer o.Close()
	res, err := hypotheses.Run(o.History, infer.Options{Params: flags})
	if err != nil {
		return &answer{failed: err}
	}
	a := &answer{map[string][]model.Interval{}, map[string][]infer.Write{}, verify.Evaluate(&hypotheses.Found{Base: res, Result: res}).Params, nil, map[string]string{}, map[string]string{}, map[string]bool{}}
	doubted := doubtedIn(res)
	for i := range res.Decisions {
		if d := &res.Decisions[i]; d.Outcome == model.Did && !doubted[d.ID] {
			key := actKey(d)
			a.acts[key] = append(a.acts[key], actWithin(d))
		}
	}
	for _, w := range slices.Concat(res.Writes, res.NotJudged) {
		key := fmt.Sprint(w.Kind, " ", w.Subject(), " ", w.Taint)
		if a.writes[key] = append(a.writes[key], w); w.Decision == 0 && w.By == "" && w.Kind != model.MarkPodsNotReady { // that is decided of a node
			d := model.Decision{Kind: w.Kind, Node: w.Node, Pod: w.Pod, Writes: []model.Write{{Taint: model.Taint{Key: w.Taint}}}}
			a.acts[actKey(&d)] = append(a.acts[actKey(&d)], w.Time)
		}
	}
	return a
}

// doubtedIn are the decisions that verify reports as not seen, and those that only led to them.
func doubtedIn(res *infer.Result) map[model.DecisionID]bool {
	doubted, only := res.Missing(), map[model.DecisionID]bool{}
	for i := len(res.Decisions) - 1; i >= 0; i-- {
		if d := &res.Decisions[i]; doubted[d.ID] {
			for _, id := range d.Causes {
				only[id] = true
			}
		}
		if d := &res.Decisions[i]; only[d.ID] && d.Basis == model.Inferred {
			doubted[d.ID] = true
		}
	}
	return doubted
}

// actKey names an act: its kind, its subject, and the taint that it writes.
func actKey(d *model.Decision) string {
	key := d.Kind.String() + " "
	switch {
	case d.Pod != model.Key{} && d.Kind != model.MarkPodsNotReady: // of a node's pods, be it one
		key += d.Pod.String()
	case d.Node != "":
		key += d.Node
	default:
		key += fmt.Sprint(d.Zone)
	}
	if d.Kind == model.TaintNoExecute && len(d.Writes) > 0 {
		key += " " + d.Writes[0].Taint.Key
	}
	return key
}

// actWithin is from the decision to its write. A log states an act up to a second after it was decided.
func actWithin(d *model.Decision) model.Interval {
	within := d.Window
	if d.Observed != nil {
		within.Latest = max(within.Latest, d.Observed.Time.Latest)
	}
	if d.Told() {
		within.Earliest = within.Earliest.Add(-time.Second)
	}
	return within
}

// transport is how far two witnesses of one act may be apart.
const transport = 50 * time.Millisecond

func meets(v, w model.Interval) bool {
	return v.Earliest.Add(-transport) <= w.Latest && w.Earliest <= v.Latest.Add(transport)
}

// judge finds what is right and wrong in an answer.
func (a *answer) judge(truth *answer) {
	for key, list := range a.acts {
		for _, within := range list {
			if !slices.ContainsFunc(truth.acts[key], func(w model.Interval) bool { return meets(within, w) }) {
				a.wrong[fmt.Sprint(key, " at ", within.Earliest)] = fmt.Sprint(within, ", true is ", truth.acts[key])
			}
		}
	}
	for key, list := range truth.acts {
		for _, w := range a.acts[key] {
			met := -1 // a window that holds several true acts is of none in particular
			for n, within := range list {
				if meets(within, w) {
					a.met[fmt.Sprintf("%s #%d", key, n)] = true
					if met < 0 {
						met = n
					} else {
						met = len(list)
					}
				}
			}
			if met >= 0 && met < len(list) {
				a.right[fmt.Sprintf("%s #%d", key, met)] = fmt.Sprint(w)
			}
		}
	}
	for key, list := range truth.writes {
		for n := range list {
			for i := range a.writes[key] {
				if w := &a.writes[key][i]; w.Decision != 0 && meets(list[n].Time, w.Time) {
					name := fmt.Sprintf("explained-%s #%d", key, n)
					a.right[name], a.met[name] = "", true
				}
			}
		}
	}
	for name, is := range truth.flags {
		used := a.flags[name]
		value, fit := flagValue(is.Value), used.Fits.Value
		if used.From == model.FromInferred && used.Value != is.Value || used.Fits.Known && fit.Or.Code == 0 && (value < fit.Min || value > fit.Max) {
			a.wrong["flag "+name] = fmt.Sprint(used)
		}
		if used.From == model.FromInferred && used.Value == is.Value {
			a.right["flag "+name], a.met["flag "+name] = used.Value, true
		}
	}
}

// flagValue is the value of a flag as a number, durations in seconds.
func flagValue(text string) (f float64) {
	if d, err := time.ParseDuration(text); err == nil {
		return d.Seconds()
	}
	_, _ = fmt.Sscan(text, &f)
	return f
}
