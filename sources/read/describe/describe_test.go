package describe

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/read/chronology"
	"kardia/sources/read/input/inputtest"
	"kardia/sources/read/object"
	"kardia/sources/read/watchstream"
)

// read reads a text, with what was reported of it.
func read(t testing.TB, text []byte) (watchstream.Stream, []string) {
	t.Helper()
	r, err := inputtest.File("f", text).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	var said []string
	out, err := Read(r, &object.Decoder{}, 0, func(_ int, _ int64, what string) { said = append(said, what) })
	if err != nil {
		t.Fatal(err)
	}
	return out, said
}

// shown is a node, its lease and its Events in a text.
type shown struct {
	node   *model.Node
	lease  model.Lease
	events []chronology.Sighting
}

func of(out watchstream.Stream, name string) (s shown) {
	for _, x := range out.Sightings {
		switch {
		case x.Node != nil && x.Key.Name == name:
			s.node = x.Node
		case x.Kind == model.KindNodeLease && x.Key.Name == name:
			s.lease = x.Lease
		case x.Event != nil && x.Event.Regarding.Name == name:
			s.events = append(s.events, x)
		}
	}
	return s
}

func at(hour, minute, second int) model.Instant {
	return model.At(time.Date(2026, 1, 5, hour, minute, second, 0, time.UTC))
}

func text(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("testdata/alpha-1.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// wrapped are forms in which people paste the same text.
func wrapped(plain string) map[string]string {
	each := func(f func(string) string) string {
		lines := strings.Split(strings.TrimRight(plain, "\n"), "\n")
		for i := range lines {
			lines[i] = f(lines[i])
		}
		return strings.Join(lines, "\n") + "\n"
	}
	return map[string]string{
		"plain":     plain,
		"issue":     "**What happened**:\n\nName: see below\n\n```\n$ kubectl describe node alpha-1\n" + plain + "```\n\nAny ideas? Events: none that I know.\n",
		"quoted":    "> On Monday someone wrote:\n" + each(func(l string) string { return "> > " + l }),
		"indented":  "see:\n\n" + each(func(l string) string { return "    " + l }),
		"collapsed": each(func(l string) string { return strings.Join(strings.Fields(l), " ") }),
		"CRLF":      strings.ReplaceAll(plain, "\n", "\r\n"),
		"coloured":  each(func(l string) string { return "\x1b[33m" + l + "\x1b[0m" }),
		"web page":  strings.ReplaceAll(strings.ReplaceAll(plain, "<", "&lt;"), ">", "&gt;"),
		"no-break":  strings.ReplaceAll(plain, " ", "\u00a0"),
		"blank":     strings.ReplaceAll(plain, "\n", "\n\n"),
		"prompt":    "me@host:~$ kubectl describe node alpha-1\n" + plain + "me@host:~$ kubectl get pods\nNAME READY\n",
	}
}

// TestEachFormShowsTheSame: however a text was pasted, it shows the node, its lease and its Events.
func TestEachFormShowsTheSame(t *testing.T) {
	for form, pasted := range wrapped(text(t)) {
		t.Run(form, func(t *testing.T) {
			if !Sniff([]byte(pasted)) {
				t.Error("not recognised")
			}
			out, said := read(t, []byte(pasted))
			s := of(out, "alpha-1")
			if len(said) > 0 || s.node == nil {
				t.Fatalf("%v, reported %q", s.node, said)
			}
			r := s.node.Ready()
			if r == nil || r.Status != model.StatusUnknown || r.Transition != at(9, 55, 30) || r.Heartbeat != at(9, 51, 8) || r.Reason != "NodeStatusUnknown" || r.Message != "Kubelet stopped posting node status." {
				t.Errorf("Ready: %+v", r)
			}
			if len(s.node.Conditions) != 4 || len(s.node.Taints) != 2 || s.node.Taints[0] != (model.Taint{Key: model.TaintUnreachable, Effect: model.NoExecute}) {
				t.Errorf("%+v", s.node)
			}
			if s.node.Zone != (model.ZoneKey{Region: "r1", Zone: "r1-a"}) || s.node.KubeletVersion != "v1.29.1" || s.node.Created != model.At(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) {
				t.Errorf("%+v", s.node)
			}
			if s.lease.Renewed != at(9, 54, 49) || s.lease.Holder != "alpha-1" || s.lease.Acquired.Known() {
				t.Errorf("lease: %+v", s.lease)
			}
			if len(s.events) != 3 || s.events[0].Event.Count != 8 || s.events[2].Event.Component != model.ComponentNodeLifecycle || s.events[2].Event.Last.Known() {
				t.Errorf("Events: %+v", s.events)
			}
			// The newest Event is of the transition at 09:55:30, and is 4m35s old: that dates all others, to bounds.
			if out.After[0] != at(10, 0, 5) {
				t.Errorf("printed after %s", out.After[0])
			}
			if oom := s.events[1]; oom.Time.Earliest != at(9, 54, 14) || oom.Time.Latest != at(9, 54, 18) {
				t.Errorf("SystemOOM in %s", oom.Time)
			}
			if len(out.Notes) != 1 || !strings.Contains(out.Notes[0], "2 pods") {
				t.Errorf("notes %q", out.Notes)
			}
		})
	}
}

// TestWhatIsCutIsNotShown: a text that ends anywhere yields only what it shows, and its missing parts are reported.
func TestWhatIsCutIsNotShown(t *testing.T) {
	whole := text(t)
	ready := strings.Index(whole, "  Ready  ")
	for end := range len(whole) {
		out, said := read(t, []byte(whole[:end]))
		s := of(out, "alpha-1")
		for _, taint := range taintsOf(s.node) {
			if taint.Key != model.TaintUnreachable || taint.Effect != model.NoExecute && taint.Effect != model.NoSchedule {
				t.Fatalf("cut at %d: taint %+v", end, taint)
			}
		}
		if s.node != nil && (end < ready || s.node.Ready() == nil || s.node.Ready().Transition != at(9, 55, 30)) {
			t.Fatalf("cut at %d: %+v", end, s.node)
		}
		if s.lease.Renewed.Known() && s.lease.Renewed != at(9, 54, 49) {
			t.Fatalf("cut at %d: %s", end, s.lease.Renewed)
		}
		if s.node == nil && end > 60 && len(said) == 0 {
			t.Fatalf("cut at %d: nothing was reported", end)
		}
	}
}

func taintsOf(n *model.Node) []model.Taint {
	if n == nil {
		return nil
	}
	return n.Taints
}

// TestATextThatBeginsInTheMiddle: the name is in other places too, and where it is not, nothing is shown.
func TestATextThatBeginsInTheMiddle(t *testing.T) {
	whole := text(t)
	for from, what := range map[string]string{"Lease:": "its labels, so that its zone is not known and its taints", "Conditions:": "its taints", "  Type             Status": "its taints"} {
		out, said := read(t, []byte(whole[strings.Index(whole, from):]))
		if s := of(out, "alpha-1"); s.node == nil || s.node.Ready().Status != model.StatusUnknown || len(said) != 1 || !strings.Contains(said[0], what) {
			t.Errorf("from %q: %+v, reported %q", from, s.node, said)
		}
	}
	conditions := whole[strings.Index(whole, "Conditions:"):strings.Index(whole, "Addresses:")]
	if out, said := read(t, []byte(conditions)); len(out.Sightings) > 0 || len(said) != 1 || !strings.Contains(said[0], "which node") {
		t.Errorf("%d sightings, reported %q", len(out.Sightings), said)
	}
}

// TestManyNodes: of several nodes each is read, and one that comes again begins another capture. What else kubectl
// describes is passed over.
func TestManyNodes(t *testing.T) {
	one := text(t)
	other := strings.ReplaceAll(one, "alpha-1", "alpha-2")
	pod := "Name:             web-0\nNamespace:        shop\nNode:             alpha-1/192.0.2.11\nLabels:           app=web\nConditions:\n  Type    Status\n  Ready   True\nVolumes:\n  kube-api:\n    Name:   x\nEvents:  <none>\n"
	again := strings.ReplaceAll(one, "4m35s", "9m35s")
	out, said := read(t, []byte(one+"\n\n"+pod+"\n"+other+"\n\n$ kubectl describe node alpha-1\n"+again))
	if len(said) > 0 || of(out, "alpha-1").node == nil || of(out, "alpha-2").node == nil || of(out, "web-0").node != nil {
		t.Errorf("reported %q", said)
	}
	if len(out.Rounds) != 1 || out.After[0] != at(10, 0, 5) || out.After[1] != at(10, 5, 5) {
		t.Errorf("rounds %v, after %v", out.Rounds, out.After)
	}
}

// TestEventsOfOlderKubectl: before 1.8 the columns were others, and ages had one unit.
func TestEventsOfOlderKubectl(t *testing.T) {
	head, _, _ := strings.Cut(text(t), "Events:")
	out, _ := read(t, []byte(head+`Events:
  FirstSeen	LastSeen	Count	From			SubObjectPath	Type		Reason			Message
  ---------	--------	-----	----			-------------	--------	------			-------
  4d		4m		8	kubelet, alpha-1			Normal		NodeNotReady		Node alpha-1 status is now: NodeNotReady
  4m		<unknown>	1	{controllermanager }			Normal		NodeControllerEviction	Marking for deletion
`))
	s := of(out, "alpha-1")
	if len(s.events) != 2 || s.events[0].Event.Count != 8 || s.events[0].Event.Component != "kubelet" || s.events[1].Event.Component != "controllermanager" {
		t.Fatalf("%+v", s.events)
	}
	if out.After[0] != at(9, 59, 30) || s.events[1].Time != model.Always {
		t.Errorf("printed after %s; %s", out.After[0], s.events[1].Time)
	}
}

// TestAges are cut to their last unit.
func TestAges(t *testing.T) {
	for text, want := range map[string]age{
		"0s": {0, time.Second}, "119s": {119 * time.Second, 2 * time.Minute}, "5m2s": {302 * time.Second, 303 * time.Second}, "12m": {12 * time.Minute, 13 * time.Minute},
		"3h5m": {185 * time.Minute, 186 * time.Minute}, "2d": {48 * time.Hour, 72 * time.Hour}, "<unknown>": {}, "<invalid>": {}, "": {}, "99999y": {}, "5": {}, "-3s": {},
	} {
		if got := ageOf(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// TestAgesThatCannotBe: an Event that contradicts the times of the text dates nothing.
func TestAgesThatCannotBe(t *testing.T) {
	if out, _ := read(t, []byte(strings.ReplaceAll(strings.ReplaceAll(text(t), "4m35s ", "10s   "), "18:51:08", "19:30:00"))); len(out.After) > 0 {
		t.Errorf("after %v", out.After)
	}
}

// TestOtherTextIsNone: other text is not taken for one.
func TestOtherTextIsNone(t *testing.T) {
	for _, text := range []string{"", "Name: x\n", "Name: web-0\nNamespace: shop\n", `{"Name":"x","Roles":"y"}`, "NAME STATUS ROLES AGE VERSION\nalpha-1 Ready <none> 3d v1.29.1\n", "apiVersion: v1\nkind: Node\n"} {
		if Sniff([]byte(text)) {
			t.Errorf("%q is taken for one", text)
		}
	}
}

// FuzzRead: whatever the text, reading it ends, shows no node without a name, and stays small.
func FuzzRead(f *testing.F) {
	for _, pasted := range wrapped(text(f)) {
		f.Add([]byte(pasted))
	}
	f.Add([]byte("Name: \x1b]0;x\x07\nRoles:\nLease:\n  RenewTime: Mon, 05 Jan 99999 18:54:49 +0900\n"))
	f.Add([]byte("Name: a\nRoles:\nEvents:\n  Normal X 99999999y y\n"))
	f.Add(append([]byte("Name: a\nRoles: x\nTaints: "), bytes.Repeat([]byte("a=b:NoExecute"), 1<<10)...))
	f.Fuzz(func(t *testing.T, text []byte) {
		Sniff(text)
		out, _ := read(t, text)
		for i := range out.Sightings {
			s := &out.Sightings[i]
			if s.Key.Name == "" || s.Time.Earliest > s.Time.Latest || s.Node != nil && !isName.MatchString(s.Key.Name) {
				t.Fatalf("%+v", s)
			}
		}
	})
}
