package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/sources/read/object"
)

// Other times are damage: Kubernetes is from 2014.
const (
	firstTime model.Instant = 1388534400e9 // 2014-01-01
	lastTime  model.Instant = 4102444800e9 // 2100-01-01
)

func plausible(t model.Instant) bool { return t >= firstTime && t < lastTime }

const maxNote = 1024

// tooBig is AKS's replacement for a large object.
const tooBig = `"skipped-too-big-size-object"`

type builder struct {
	r  *Reader
	e  *event
	ch *model.Change
	// request and response are the objects, if the log level and the transport keep them.
	request, response gjson.Result
	// gone: this write removed the object.
	gone     bool
	problems []string
}

func (b *builder) problem(format string, args ...any) {
	b.problems = append(b.problems, fmt.Sprintf(format, args...))
}

// times reads the two times; false if neither is plausible.
func (b *builder) times() bool {
	received := object.Time(gjson.Parse(b.e.received))
	finished := object.Time(gjson.Parse(b.e.finished))
	switch {
	case plausible(received) && plausible(finished):
	case plausible(finished):
		b.problem("expected a time in requestReceivedTimestamp, found %s; used stageTimestamp for it", found(b.e.received))
		received = finished
	case plausible(received):
		b.problem("expected a time in stageTimestamp, found %s; used requestReceivedTimestamp for it", found(b.e.finished))
		finished = received
	default:
		b.problem("expected times in requestReceivedTimestamp and stageTimestamp, found %s and %s; the line is not used",
			found(b.e.received), found(b.e.finished))
		return false
	}
	b.ch.Arrival = received
	b.ch.Time = model.Interval{Earliest: min(received, finished), Latest: max(received, finished)}
	b.ch.Quality = model.ByServer
	return true
}

func found(raw string) string {
	switch {
	case raw == "":
		return "nothing"
	case raw[0] == '"':
		return excerpt([]byte(text(raw)))
	}
	return excerpt([]byte(raw))
}

func (b *builder) bodies() {
	b.request = b.body("requestObject", b.e.request.raw)
	b.response = b.body("responseObject", b.e.response.raw)
	if b.e.annotations != "" && gjson.Get(b.e.annotations, `audit\.k8s\.io/truncated`).String() == "true" {
		b.problem("the API server cut the objects out of this line (audit.k8s.io/truncated); the request is used without them")
	}
}

func (b *builder) body(name, raw string) gjson.Result {
	switch {
	case raw == "" || raw == "null":
	case raw == tooBig:
		b.problem("the %s was too big for the log's transport and is missing; the request is used without it", name)
	case raw[0] == '{' || raw[0] == '[':
		return gjson.Parse(raw)
	default:
		b.problem("expected an object in %s, found %s; the request is used without it", name, found(raw))
	}
	return gjson.Result{}
}

// name sets the Key; false if the line does not have it.
func (b *builder) name() bool {
	ref := &b.e.ref
	key := model.Key{Namespace: ref.namespace, Name: ref.name}
	for _, meta := range [...]string{b.e.response.metadata, b.e.request.metadata} {
		if key.Name == "" && b.e.verb != `"delete"` {
			key.Name = gjson.Get(meta, "name").String()
		}
	}
	if key.Name == "" {
		b.problem("expected a name in objectRef: this %s of %s does not say whose; the line is not used", text(b.e.verb), ref.resource)
		return false
	}
	switch b.ch.Kind {
	case model.KindNode:
		key.Namespace = ""
		key.Name = b.r.dec.String(key.Name)
	case model.KindNodeLease, model.KindLeaderLease:
		key.Name = b.r.dec.String(key.Name)
	default:
		key.Name = strings.Clone(key.Name)
	}
	key.Namespace = b.r.dec.String(key.Namespace)
	b.ch.Key = key
	b.ch.UID = b.r.dec.UID(ref.uid)
	return true
}

// outcome reads the status code; false if the line does not show whether the write happened.
func (b *builder) outcome() bool {
	if b.e.stage == `"Panic"` {
		b.ch.Op, b.ch.Code, b.ch.Note = model.OpAttempt, 500, "the API server panicked"
		return true
	}
	code := gjson.Get(b.e.status, "code")
	if n := code.Int(); code.Type == gjson.Number && n >= 100 && n <= 999 {
		b.ch.Code = int16(n)
		if n >= 300 {
			b.ch.Op = model.OpAttempt
			b.ch.Note = b.refusal()
		}
		return true
	}
	b.problem("expected an HTTP status in responseStatus.code, found %s: whether the write happened is not known; the line is not used",
		found(code.Raw))
	return false
}

// budgetCause is an answer's text on the PodDisruptionBudget that refused.
// Source: kubernetes: pkg/registry/core/pod/storage/eviction.go.
const budgetCause = `details.causes.#(reason=="DisruptionBudget").message`

func (b *builder) refusal() string {
	status := gjson.Parse(b.e.status)
	reason, message := status.Get("reason").String(), status.Get("message").String()
	if message == "" && b.ch.Code == 403 && b.e.annotations != "" {
		// The audit level may omit the message, but not the decision.
		if decision := gjson.Get(b.e.annotations, `authorization\.k8s\.io/decision`).String(); decision != "" {
			message = "authorization.k8s.io/decision: " + decision
		}
	}
	if cause := cmp.Or(status.Get(budgetCause).String(), b.response.Get(budgetCause).String()); cause != "" {
		message = strings.TrimSpace(message + " " + cause) // it names the budget
	}
	switch message = message[:min(len(message), maxNote)]; {
	case reason == "":
		reason = message
	case message != "":
		reason += ": " + message
	}
	return b.r.dec.String(reason)
}

// content sets the object's state after the write: from the response, else from a request with the whole object.
func (b *builder) content() (fromResponse bool) {
	ch := b.ch
	whole, isResponse := &b.e.response, true
	if !b.response.IsObject() || whole.kind == `"Status"` {
		if !b.request.IsObject() || !b.sendsWhole() {
			return false
		}
		whole, isResponse = &b.e.request, false
	}
	o := b.r.dec.Assemble(whole.parts())
	if !isResponse && o.Key.Name == "" {
		o.Key.Name = ch.Key.Name
	}
	if !isResponse && o.Key.Namespace == "" {
		o.Key.Namespace = ch.Key.Namespace
	}
	if o.Kind != ch.Kind || o.Key != ch.Key {
		b.problem("expected the %s %s in the line, found %s %s; the request is used without it",
			ch.Kind, ch.Key, o.APIKind, o.Key)
		return false
	}
	if o.UID.Known() {
		ch.UID = o.UID
	}
	if o.BadVersion {
		b.problem("the resourceVersion is not a number; the object is used without it")
	}
	if isResponse {
		ch.Version = o.Version
	} else if b.e.verb == `"update"` {
		ch.Previous = o.Version
	}
	ch.Node, ch.Pod, ch.Event, ch.Lease, ch.Related = o.Node, o.Pod, o.Event, o.Lease, o.Related
	if ch.Pod != nil {
		ch.Pod.Key = ch.Key
	}
	if !isResponse && b.e.verb == `"create"` {
		ch.Note = "as asked for: what the API server added is not in the line"
	}
	b.gone = isResponse && b.ends(whole.metadata, o)
	return isResponse
}

// sendsWhole reports whether the request's body is the object itself.
func (b *builder) sendsWhole() bool {
	switch b.e.verb {
	case `"update"`:
		return true
	case `"create"`:
		return b.e.ref.subresource == ""
	}
	return false
}

// ends reports whether this write removed an object that is being deleted: nothing holds it, and its grace period is
// over.
// Source: kubernetes: apiserver/pkg/registry/generic/registry, Store.Delete and ShouldDeleteDuringUpdate.
func (b *builder) ends(metadata string, o object.Object) bool {
	deleting := b.e.verb == `"delete"`
	if !deleting && (o.Pod == nil || !o.Pod.Deletion.Known()) && (o.Node == nil || !o.Node.Deleted.Known()) &&
		(o.Related == nil || !o.Related.Deleted.Known()) {
		return false
	}
	meta := gjson.Parse(metadata)
	if grace := meta.Get("deletionGracePeriodSeconds"); grace.Int() > 0 || !deleting && !grace.Exists() {
		return false
	}
	return len(meta.Get("finalizers").Array()) == 0
}

func (b *builder) previous() {
	text := b.e.ref.rv
	if text == "" && b.e.verb == `"patch"` {
		text = gjson.Get(b.e.request.metadata, "resourceVersion").String()
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && b.ch.Previous == 0 {
		b.ch.Previous = n
	}
}

// op decides what the write did. fromResponse: the Change has the object of the API server's answer.
func (b *builder) op(fromResponse bool) {
	ch := b.ch
	f, _ := b.r.facts.get(model.ObjectID{Kind: ch.Kind, Key: ch.Key})
	repeat := ch.Version != 0 && (f.saw(ch.Version) || ch.Version == ch.Previous)
	switch b.e.verb {
	case `"delete"`:
		b.deletion(f, fromResponse, repeat)
	case `"create"`:
		switch b.e.ref.subresource {
		case evicts:
			ch.Op, ch.Note = model.OpModify, model.EvictNote("the line does not show the pod")
		case "binding":
			b.bind(f)
		default:
			ch.Op = model.OpAdd
		}
	case `"update"`, `"patch"`:
		switch {
		case repeat:
			ch.Op = model.OpRepeat
		case b.gone:
			ch.Op = model.OpDelete
		case b.e.verb == `"update"` || fromResponse:
			ch.Op = model.OpModify
		default:
			b.patch(f)
		}
	}
}

func (b *builder) deletion(f fact, fromResponse, repeat bool) {
	ch := b.ch
	if uid := gjson.Get(b.e.status, "details.uid").String(); uid != "" && !ch.UID.Known() {
		ch.UID = b.r.dec.UID(uid)
	}
	grace := b.request.Get("gracePeriodSeconds")
	switch {
	case fromResponse && !b.gone && (repeat || b.wasDeleted(grace)):
		ch.Op = model.OpRepeat
	case fromResponse && !b.gone:
		ch.Op = model.OpModify
	case fromResponse, b.e.response.kind == `"Status"`:
		ch.Op = model.OpDelete
	case ch.Kind == model.KindVolumeAttachment:
		// Its finalizer stays until its driver has detached the volume.
		ch.Op, ch.Note = model.OpModify, "deletion asked for; the line does not show the object"
		if f.related != nil {
			asked := *f.related
			asked.Deleted = ch.Time.Latest.Truncate(time.Second)
			ch.Related = &asked
		}
	case ch.Kind != model.KindPod, grace.Exists() && grace.Int() == 0, ch.Writer == model.WriterKubelet:
		// A kubelet deletes a pod once it has ended, with termination grace 0.
		ch.Op, ch.Note = model.OpDelete, "deleted, by the request: the line does not show the answer"
	case f.pod != nil && f.pod.Deletion.Known() && !grace.Exists():
		ch.Op = model.OpRepeat
	default:
		ch.Op, ch.Note = model.OpModify, "deletion asked for; the line does not show the pod"
		if f.pod != nil {
			asked := *f.pod
			asked.GraceSeconds = int32(min(max(grace.Int(), 0), math.MaxInt32)) // of its own grace nothing is known
			asked.Deletion = ch.Time.Latest.Truncate(time.Second).Add(time.Duration(asked.GraceSeconds) * time.Second)
			ch.Pod = &asked
		}
	}
}

// wasDeleted reports that the answer to a DELETE shows an earlier request for the deletion, so that this one changed
// nothing. Only a shorter grace period changes something, and the answer shows it.
// Source: kubernetes: apiserver/pkg/registry/rest, BeforeDelete.
func (b *builder) wasDeleted(grace gjson.Result) bool {
	p := b.ch.Pod
	if p == nil || !p.Deletion.Bounded() || grace.Exists() && grace.Int() <= int64(p.GraceSeconds) {
		return false
	}
	const rounding = 2 * time.Second
	asked := p.Deletion.Add(-time.Duration(p.GraceSeconds) * time.Second)
	return asked.Add(rounding) < b.ch.Time.Earliest
}

func (b *builder) bind(f fact) {
	ch := b.ch
	node := b.request.Get("target.name").String()
	switch {
	case node == "":
		ch.Op, ch.Note = model.OpModify, "bound to a node that the line does not name"
	case f.pod != nil:
		pod := *f.pod
		pod.Node = b.r.dec.String(node)
		ch.Op, ch.Pod = model.OpModify, &pod
	default:
		quoted, _ := json.Marshal(node) // a string always can be
		ch.Op, ch.Patch = model.OpPatch, fmt.Appendf(nil, `{"spec":{"nodeName":%s}}`, quoted)
	}
}

// patch applies a patch to the known object, if the log has only the request.
func (b *builder) patch(f fact) {
	ch := b.ch
	ch.Op = model.OpPatch
	if ch.Kind.Related() {
		ch.Note = "the line does not show the object"
		return
	}
	if !b.request.Exists() {
		ch.Note = "the line does not show the patch"
		return
	}
	if kind := patchKind(b.request, text(b.e.uri)); kind != strategicPatch {
		b.problem("expected a strategic merge patch, found %s, which is not applied; the request is used without its result", kind)
		return
	}
	ch.Patch = trim(b.request)
	var err error
	switch {
	case ch.Kind == model.KindNode && f.node != nil:
		ch.Node, err = ApplyPatch(b.r.dec, f.node, ch.Patch)
	case ch.Kind == model.KindPod && f.pod != nil:
		ch.Pod, err = ApplyPodPatch(b.r.dec, f.pod, ch.Patch)
	default:
		return
	}
	if err != nil {
		b.problem("%v; the request is used without its result", err)
		return
	}
	ch.Op, ch.Patch = model.OpModify, nil
}

// renews takes an API server's renewal of its lease from the request alone, as for leases in kube-node-lease.
func (b *builder) renews() {
	ch := b.ch
	if ch.Kind != model.KindServerLease || ch.Related != nil || ch.Op != model.OpModify && ch.Op != model.OpAdd {
		return
	}
	ch.Related = &model.Related{UID: ch.UID, Details: model.Details(model.PackLong([]model.Detail{{Name: model.DetailRenewed, Value: model.DetailTime(ch.Arrival)}}, nil))}
	if f, _ := b.r.facts.get(model.ObjectID{Kind: ch.Kind, Key: ch.Key}); f.related != nil && ch.Op == model.OpModify {
		ch.Related.Created = f.related.Created
	} else if ch.Op == model.OpAdd {
		ch.Related.Created = ch.Time.Latest.Truncate(time.Second)
	}
}

func (b *builder) learn() {
	ch := b.ch
	if ch.Op == model.OpAttempt || ch.Op == model.OpRepeat || ch.Kind == model.KindEvent {
		return
	}
	t := model.ObjectID{Kind: ch.Kind, Key: ch.Key}
	if ch.Op == model.OpDelete {
		b.r.facts.drop(t)
		return
	}
	f, _ := b.r.facts.get(t)
	f.move(ch.Version)
	switch {
	case ch.Related != nil:
		f.related = ch.Related
	case ch.Node != nil || ch.Pod != nil:
		f.keep(ch.Version, ch.Node, ch.Pod)
	case ch.Kind == model.KindNode || ch.Kind == model.KindPod:
		f.forget()
	}
	b.r.facts.set(t, f)
}
