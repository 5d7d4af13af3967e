package open

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/internal/plain"
	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/model/infer"
	"kardia/model/past"
)

// TestPast runs the scripts in testdata/past: a real incident is opened, and moved through.
//
//	open demo=NAME                    the cursor stands at the start of coverage
//	go at=+90s                        the cursor goes to an instant
//	next, previous [node=|pod=|zone=] the cursor goes to the next or previous change in scope
//	                                  (of the fleet where none is given) times=N times
//	written [node=|pod=] field= name= who gave the field its value; the cursor goes there
//	search TEXT                       the instants at which something matching changed
//	diff from= to=                    what two instants say differently
//	anomalies                         what is out of the ordinary
//	states                            each zone's state over time
//	overview step=                    what changed when, a line a cell
func TestPast(t *testing.T) {
	datadriven.Walk(t, "testdata/past", func(t *testing.T, path string) {
		p := &pastStory{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			p.t, p.d = t, d
			do, ok := map[string]func() string{"open": p.open, "go": p.goTo, "next": p.next, "previous": p.previous, "written": p.written,
				"search": p.search, "diff": p.diff, "anomalies": p.anomalies, "states": p.states, "overview": p.overview}[d.Cmd]
			if !ok {
				t.Fatalf("unknown command %q", d.Cmd)
			}
			return do()
		})
	})
}

type pastStory struct {
	t  *testing.T
	d  *datadriven.TestData
	h  history.History
	at model.Instant
}

func (p *pastStory) arg(name string) string {
	var s string
	p.d.MaybeScanArgs(p.t, name, &s)
	return s
}

// instant reads an argument such as +90s, after the start of coverage.
func (p *pastStory) instant(name string) model.Instant {
	after, err := time.ParseDuration(strings.TrimPrefix(p.arg(name), "+"))
	if err != nil {
		p.t.Fatal(err)
	}
	return p.h.Coverage().Earliest.Add(after)
}

func (p *pastStory) fail(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *pastStory) open() string {
	p.h = incident(p.t, p.arg("demo"), everything).History
	c := p.h.Coverage()
	p.at = c.Earliest
	return fmt.Sprintf("%s to %s", clock(c.Earliest), clock(c.Latest))
}

func (p *pastStory) goTo() string {
	p.at = p.instant("at")
	return clock(p.at)
}

func podKey(text string) model.Key {
	ns, name, _ := strings.Cut(text, "/")
	return model.Key{Namespace: ns, Name: name}
}

func (p *pastStory) scope() past.Scope {
	switch {
	case p.d.HasArg("node"):
		return past.OfNode(p.arg("node"))
	case p.d.HasArg("zone"):
		c := history.NewCursor(p.h)
		p.fail(c.Seek(p.at))
		region, zone, _ := strings.Cut(p.arg("zone"), "/")
		zoneKey := model.ZoneKey{Region: region, Zone: zone}
		return past.OfZone(zoneKey, func(node string) bool {
			row := c.State().Node(node)
			return row != nil && row.Zone() == model.Some(zoneKey)
		})
	}
	return past.OfFleet()
}

func (p *pastStory) step(find func(history.History, model.Instant, past.Scope) (past.Found, error)) string {
	times := 1
	p.d.MaybeScanArgs(p.t, "times", &times)
	var b strings.Builder
	in := p.scope()
	for range times {
		f, err := find(p.h, p.at, in)
		p.fail(err)
		if !f.At.Known() {
			b.WriteString("there is none\n")
			break
		}
		p.at = f.At
		page := p.h.PageAt(f.Position)
		changes, err := historytest.ReadChanges(p.h, page)
		p.fail(err)
		ch := &changes[f.Position-page.Start]
		fmt.Fprintf(&b, "%s  %s %s %s\n", clock(f.At), ch.Op, ch.Kind, ch.Key)
	}
	return b.String()
}

func (p *pastStory) next() string {
	return p.step(func(h history.History, at model.Instant, in past.Scope) (past.Found, error) {
		c := history.NewCursor(h)
		p.fail(c.Seek(at))
		return past.Next(h, at, past.NodesOf(c.State()), in)
	})
}
func (p *pastStory) previous() string { return p.step(past.Previous) }

func (p *pastStory) written() string {
	kinds := map[string]past.FieldKind{"condition": past.ConditionField, "taint": past.TaintField, "cordon": past.CordonField,
		"renewTime": past.RenewalField, "deletion": past.PodDeletionField, "phase": past.PodPhaseField, "ready": past.PodReadyField, "bound": past.PodNodeField}
	what := map[string]string{"condition": p.arg("name"), "taint": strings.TrimSuffix("taint "+p.arg("name"), " "), "bound": "node", "ready": "Ready"}[p.arg("field")]
	name := cmp.Or(what, p.arg("field")) + " of node " + p.arg("node")
	if p.arg("pod") != "" {
		name = cmp.Or(what, p.arg("field")) + " of pod " + podKey(p.arg("pod")).String()
	}
	f := past.Field{Kind: kinds[p.arg("field")], Node: p.arg("node"), Pod: podKey(p.arg("pod")), Name: p.arg("name")}
	w, err := past.LastWrite(p.h, p.at, f)
	p.fail(err)
	if !w.Found() {
		return fmt.Sprintf("%s: nothing wrote it before %s", name, clock(p.at))
	}
	p.at = w.At
	if w.Initial {
		return fmt.Sprintf("%s  %s: %q, and it stood so when coverage started", clock(w.At), name, w.After)
	}
	return fmt.Sprintf("%s  %s: %q → %q by %s", clock(w.At), name, w.Before, w.After, w.Writer)
}

func (p *pastStory) search() string {
	s := past.NewSearch(strings.Trim(p.d.Input, "\n"), differed)
	for done := false; !done; {
		var err error
		done, err = s.Extend(p.h, 300)
		p.fail(err)
	}
	var b strings.Builder
	for i, hit := range s.Hits() {
		if i == 12 {
			fmt.Fprintf(&b, "… %d more\n", len(s.Hits())-i)
			break
		}
		fmt.Fprintf(&b, "%s  %s  %s\n", clock(hit.At), hit.Subject, hit.Text)
	}
	if len(s.Hits()) == 0 {
		return "nothing"
	}
	return b.String()
}

// differed is the code of a difference and its values.
func differed(d *past.Difference) string {
	return strings.Join(strings.Fields(fmt.Sprint(d.Kind, " ", d.Name, " ", d.Before, " → ", d.After, " ", d.Reason)), " ")
}

func (p *pastStory) diff() string {
	a, z := history.NewCursor(p.h), history.NewCursor(p.h)
	from, to := p.instant("from"), p.instant("to")
	p.fail(a.Seek(from))
	p.fail(z.Seek(to))
	d := past.Compare(a.State(), from, z.State(), to)
	if d.Empty() {
		return "nothing differs"
	}
	var b strings.Builder
	for i := range d.Zones {
		x, y := &d.Zones[i].Before, &d.Zones[i].After
		fmt.Fprintf(&b, "zone %s  ready %d → %d  unknown %d → %d  not ready %d → %d\n", y.Zone.Value, x.Ready, y.Ready, x.Unknown, y.Unknown, x.NotReady, y.NotReady)
	}
	for _, g := range d.Groups() {
		fmt.Fprintf(&b, "%d nodes %s to %s\n", len(g.Names), g.Names[0], g.Names[len(g.Names)-1])
		for i := range g.Differences {
			fmt.Fprintf(&b, "  %s\n", differed(&g.Differences[i]))
		}
	}
	fmt.Fprintf(&b, "pods  %d created  %d gone  %d being deleted %v\n", d.Pods.Created, d.Pods.Gone, d.Pods.Deleting, d.Pods.DeletingNames[:min(2, len(d.Pods.DeletingNames))])
	return b.String()
}

func (p *pastStory) run() *infer.Result {
	r, err := infer.Run(p.h, infer.Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36})})
	p.fail(err)
	return r
}

func (p *pastStory) summary() *past.Overview {
	o := &past.Overview{}
	_, err := o.Extend(p.h, 1<<30)
	p.fail(err)
	return o
}

func (p *pastStory) anomalies() string {
	found := review.Find(p.h, p.summary(), p.run())
	var b strings.Builder
	for i := range found.List {
		a := &found.List[i]
		text := a.Why
		if d := a.Decision; d != nil {
			text = d.Kind.String() + " " + plain.Reason(d.Why)
		}
		if d := a.Decision; d != nil && d.Kind == model.ZoneState {
			text += fmt.Sprintf("%s → %s", d.State.From, d.State.To)
		}
		if a.For != 0 {
			text = "for " + a.For.Round(100*time.Millisecond).String()
		}
		fmt.Fprintln(&b, strings.TrimSpace(fmt.Sprintf("%s  %s  %s%s  %s", clock(a.At), a.Kind, a.Node, a.Zone.Value.Zone, text)))
	}
	if len(found.List) == 0 {
		return "none"
	}
	return b.String()
}

func (p *pastStory) states() string {
	var b strings.Builder
	for _, z := range review.States(p.run().Decisions) {
		fmt.Fprintf(&b, "%s", z.Zone)
		for _, s := range z.Spans {
			fmt.Fprintf(&b, "  %s %s", clock(s.From), s.State)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (p *pastStory) overview() string {
	o := p.summary()
	step, err := time.ParseDuration(p.arg("step"))
	p.fail(err)
	c := p.h.Coverage()
	from := c.Earliest.Truncate(step)
	var b strings.Builder
	for i, t := range o.Cells(from, step, int(c.Latest.Sub(from)/step)+1) {
		at := from.Add(time.Duration(i) * step)
		fmt.Fprintf(&b, "%s  renewals %d  changes %d  taints +%d -%d  pods deleted %d ", clock(at), t.Renewals, t.Changes, t.Tainted, t.Untainted, t.Deletions)
		for _, z := range o.Zones() {
			if s, ok := z.Over(model.Interval{Earliest: at, Latest: at.Add(step - 1)}); ok && s.MostUnknown > 0 {
				fmt.Fprintf(&b, "  %s unknown %d of %d", z.Zone.Zone, s.MostUnknown, s.Nodes)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// A file of marks that lies among recordings is none, and needs no mention.
func TestMarksAreNoRecording(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"nodes.json":             `{"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"a","resourceVersion":"4"}}]}`,
		"nodes.json.marks.jsonl": `{"at":"2026-11-20T23:53:23Z"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o, err := Open(context.Background(), []string{dir}, Options{})
	if err != nil || len(o.Skipped) != 0 || len(o.History.Sources()) != 1 {
		t.Errorf("skipped %v, sources %v, %v", o.Skipped, o.History.Sources(), err)
	}
}
