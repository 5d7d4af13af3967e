// Package audit reads the API server's audit log: audit.k8s.io/v1 events at any level, one JSON object a line. They may
// also be in the lists, tables and wrappers of cloud providers and log shippers.
//
// Each write to a node, a node's lease, a pod, an Event or a leader lease becomes one model.Change, dated by the API
// server's clock. Lines are in the order in which requests ended, not quite that of the writes; the caller sorts and
// merges.
package audit

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/read/entries"
	"kardia/sources/read/era"
	"kardia/sources/read/input"
	"kardia/sources/read/jsonscan"
	"kardia/sources/read/object"
	"kardia/sources/read/unwrap"
)

// Sniff reports whether the first bytes of a (decompressed) file look like an audit log in any form. A Reader may still
// refuse lines, with the reason.
func Sniff(head []byte) bool {
	return bytes.Contains(head, []byte("audit.k8s.io/")) && bytes.Contains(head, []byte("auditID")) ||
		bytes.Contains(head, []byte(legacyMark)) ||
		bytes.Contains(head, []byte(cloudMark)) && bytes.Contains(head, []byte(`"k8s.io"`)) ||
		bytes.Contains(head, []byte(analyticsID)) && bytes.Contains(head, []byte("ObjectRef"))
}

// Reader turns the lines of one audit log into Changes. It keeps recent auditIDs, and each object's last versions and
// last Node or Pod. Not safe for concurrent use.
type Reader struct {
	// Seen drops requests that were read already. Readers of copies of one log, or of one cluster, may share it.
	Seen *IDs

	dec    *object.Decoder
	source int32
	facts  facts
	pieces unwrap.Pieces

	covers      era.Eras
	last        model.Instant
	quiet       []model.Interval
	beats       []past.Beat
	said        []history.Statement
	version     string
	versionRank int
}

func NewReader(dec *object.Decoder, source int32) *Reader {
	return &Reader{Seen: NewIDs(), dec: dec, source: source, facts: newFacts()}
}

// Coverage is from the first request received to the last one completed; zero before the first line. Times far from
// most others do not count.
func (r *Reader) Coverage() model.Interval { return r.covers.Main() }

// Quiet is when, within the Coverage, for past.QuietFrom or longer, no request ended or, if it ended later, arrived.
func (r *Reader) Quiet() []model.Interval { return r.quiet }

// Servers are the API servers' renewals of their own leases.
func (r *Reader) Servers() []past.Beat { return r.beats }

// ServerVersion is the control plane's version in its components' user agents, such as "v1.36.3"; "" if none has it.
func (r *Reader) ServerVersion() string { return r.version }

// Line decodes one line. It returns nil for another kind, an earlier stage of a request, or a repetition. The error
// describes the fault of the line and the part that was used; there may be a Change too. Neither refers to the line.
func (r *Reader) Line(l input.Line) (*model.Change, error) {
	if l.TooLong && entries.ListPath(l.Data) != "" {
		return nil, errArray(l.Data)
	}
	if l.TooLong {
		return nil, errors.New("expected an audit event of at most 16 MiB, found a longer line; it is not used")
	}
	data, err := r.strip(l.Data)
	if data == nil {
		return nil, err
	}
	ch, lineErr := r.event(data, 0)
	if lineErr != nil && l.Unended {
		lineErr = errors.New(lineErr.Error() + " (the file ends in this line)")
	}
	if ch != nil {
		ch.Origin = model.Origin{Source: r.source, Line: int32(min(l.Number, 1<<31-1)), Offset: l.Offset}
	}
	return ch, both(err, lineErr)
}

func both(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return errors.New(a.Error() + "; " + b.Error())
}

// event reads one audit event, or one wrapped in JSON objects; depth counts these.
func (r *Reader) event(data []byte, depth int) (*model.Change, error) {
	var e event
	wanted, err := e.read(data)
	if e.id != "" {
		r.observe(&e, data)
	}
	if err != nil {
		return nil, errors.New(err.Error() + "; the line is not used")
	}
	if !wanted {
		return nil, nil
	}
	if e.id == "" {
		return r.inside(jsonscan.View(data), depth)
	}
	return r.change(&e, data)
}

// observe takes from any event the facts about the log as a whole: its time and the control plane's version.
func (r *Reader) observe(e *event, data []byte) {
	from, to := timeIn(e.received, data, `"requestReceivedTimestamp":"`), timeIn(e.finished, data, `"stageTimestamp":"`)
	for _, t := range []model.Instant{from, to} {
		if plausible(t) {
			r.covers.Add(t)
		}
	}
	if r.last.Sub(to) > era.Apart { // the last entry is far ahead of the log
		r.last = 0
	}
	if plausible(to) && to > r.last && (r.last == 0 || to.Sub(r.last) <= era.Apart) {
		if since := max(from, r.last); r.last != 0 && since.Sub(r.last) >= past.QuietFrom && len(r.quiet) < maxQuiet {
			r.quiet = append(r.quiet, model.Interval{Earliest: r.last, Latest: since})
		}
		r.last = to
	}
	r.observeVersion(e.agent)
}

// maxQuiet limits the quiet times, and the renewals of API servers: a week's at least.
const maxQuiet = 200_000

// serves takes the renewal of an API server's own lease, which shows that the log continues.
func (r *Reader) serves(e *event) {
	code := gjson.Get(e.status, "code").Int()
	at := object.Time(gjson.Parse(e.received))
	if e.verb != `"update"` || code < 200 || code > 299 || !plausible(at) || len(r.beats) >= maxQuiet {
		return
	}
	b := past.Beat{Who: r.dec.String(e.ref.name), At: at, Source: r.source}
	b.Previous, _ = strconv.ParseUint(e.ref.rv, 10, 64)
	b.Version, _ = strconv.ParseUint(gjson.Get(e.response.metadata, "resourceVersion").String(), 10, 64)
	r.beats = append(r.beats, b)
}

// timeIn parses a time, or else searches it near the end of the line, where API servers write it.
func timeIn(raw string, data []byte, name string) model.Instant {
	if raw == "" {
		tail := data[max(0, len(data)-2048):]
		at := bytes.LastIndex(tail, []byte(name))
		if at < 0 {
			return 0
		}
		raw = jsonscan.View(tail[at+len(name)-1:])
	}
	end := strings.IndexByte(raw[1:], '"')
	if raw[0] != '"' || end < 0 {
		return 0
	}
	return object.Time(gjson.Result{Type: gjson.String, Str: raw[1 : 1+end]})
}

// observeVersion takes the version from the user agents of the API server's own client or, without that, of the
// controller manager and the scheduler.
func (r *Reader) observeVersion(agent string) {
	for rank, program := range [...]string{`"kube-scheduler/`, `"kube-controller-manager/`, `"kube-apiserver/`} {
		rest, ok := strings.CutPrefix(agent, program)
		if !ok || rank+1 <= r.versionRank {
			continue
		}
		version, _, _ := strings.Cut(rest, " ")
		if v, ok := model.ParseVersion(version); ok && v.Major > 0 && len(version) < 64 {
			r.version, r.versionRank = strings.Clone(version), rank+1
		}
	}
}

func (r *Reader) change(e *event, data []byte) (*model.Change, error) {
	if !strings.HasPrefix(text(e.apiVersion), "audit.k8s.io/") {
		return nil, errors.New("expected an event of audit.k8s.io/v1, found apiVersion " + found(e.apiVersion) + "; the line is not used")
	}
	if e.stage == "" || e.verb == "" {
		return nil, errors.New("expected a stage and a verb in the audit event; the line is not used")
	}
	if !e.ref.known {
		if strings.HasPrefix(text(e.uri), "/api") {
			return nil, errors.New("expected an objectRef for " + excerpt([]byte(text(e.uri))) + "; the line is not used")
		}
		return nil, nil // not a request about objects
	}
	if e.ref.toKubelet() {
		if text(e.id) == "" || r.Seen.add(e.id) {
			r.reach(e)
		}
		return nil, nil
	}
	if e.ref.kind() == model.KindServerLease {
		r.serves(e)
	}
	b := builder{r: r, e: e, ch: &model.Change{Kind: e.ref.kind()}}
	if !b.times() || b.dryRun() {
		return nil, b.err()
	}
	if e.verb == `"deletecollection"` {
		return nil, b.collection()
	}
	b.bodies()
	if !b.name() || !b.outcome() {
		return nil, b.err()
	}
	if text(e.id) == "" {
		b.problem("expected a text in auditID; the line is used without knowing whether it is a copy")
	} else if !r.Seen.add(e.id) {
		return nil, nil
	}
	if !utf8.Valid(data) {
		b.problem("expected UTF-8, found other bytes; they are used as they are")
	}
	b.build()
	r.acts(e, b.ch)
	if b.ch.Event != nil && !watched(b.ch.Event.Regarding.Kind) {
		return nil, nil
	}
	return b.ch, b.err()
}

// watched reports whether Events about objects of a kind are kept.
func watched(kind string) bool { return kind == "Node" || kind == "Pod" }

// evicts is the subresource of pods for the Eviction API.
const evicts = "eviction"

func (b *builder) dryRun() bool {
	if strings.Contains(b.e.uri, "dryRun=All") {
		return true
	}
	asks := ""
	switch {
	case b.e.verb == `"delete"`:
		asks = "dryRun.0"
	case b.e.ref.subresource == evicts:
		asks = "deleteOptions.dryRun.0"
	}
	return asks != "" && b.e.request.raw != "" && gjson.Get(b.e.request.raw, asks).String() == "All"
}

// collection: many objects in one request, in one line. Kubelets delete the pods of a namespace one by one.
func (b *builder) collection() error {
	if b.ch.Kind == model.KindEvent || gjson.Get(b.e.status, "code").Int() >= 300 {
		return b.err()
	}
	b.problem("a deletecollection of %s in namespace %q does not say which were deleted; the line is not used",
		b.e.ref.resource, b.e.ref.namespace)
	return b.err()
}

func (b *builder) build() {
	fromResponse := false
	if b.ch.Op != model.OpAttempt {
		fromResponse = b.content()
	}
	b.previous()
	b.writer()
	if b.ch.Op == model.OpAttempt && b.e.ref.subresource == evicts {
		b.ch.Note = b.r.dec.String(model.EvictNote(b.ch.Note))
	}
	if b.ch.Op != model.OpAttempt {
		b.op(fromResponse)
		b.renews()
	}
	b.learn()
}

const maxRequester = 256

func (b *builder) writer() {
	by := model.Requester{User: gjson.Get(b.e.user, "username").String(), Agent: text(b.e.agent), Address: addresses(b.e.addresses)}
	q := request{kind: b.ch.Kind, verb: text(b.e.verb), subresource: b.e.ref.subresource, by: by,
		body: b.request, pod: b.ch.Pod, event: b.ch.Event}
	b.ch.Writer = q.writer()
	if heartbeat := b.ch.Kind == model.KindNode || b.ch.Kind == model.KindNodeLease; heartbeat && b.ch.Writer == model.WriterKubelet {
		return
	}
	if as := gjson.Get(b.e.impersonated, "username").String(); as != "" {
		by.User += " as " + as
	}
	for _, s := range [...]*string{&by.User, &by.Agent, &by.Address} {
		*s = (*s)[:min(len(*s), maxRequester)]
	}
	b.ch.Requester = b.r.dec.Requester(by)
}

func addresses(raw string) string {
	if raw == "" || raw[0] != '[' {
		return ""
	}
	var list []string
	gjson.Parse(raw).ForEach(func(_, address gjson.Result) bool {
		list = append(list, address.String())
		return len(list) < 8
	})
	return strings.Join(list, ", ")
}

func (b *builder) err() error {
	if len(b.problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(b.problems, "; "))
}
