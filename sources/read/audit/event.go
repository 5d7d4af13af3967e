package audit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/sources/read/jsonscan"
	"kardia/sources/read/object"
)

// event is one audit event: the raw JSON of its members, valid as long as its line.
type event struct {
	id, apiVersion, stage, verb, uri, agent string // raw, with their quotes
	user, impersonated, status              string
	received, finished, annotations         string
	addresses                               string
	request, response                       body

	ref reference
}

// body is a requestObject or responseObject, and its members if it is an object.
type body struct {
	raw                          string
	kind, metadata, spec, status string
}

func (b *body) parts() object.Parts {
	return object.Parts{Whole: gjson.Parse(b.raw), Kind: gjson.Parse(b.kind), Metadata: gjson.Parse(b.metadata),
		Spec: gjson.Parse(b.spec), Status: gjson.Parse(b.status)}
}

// reference is the objectRef: the subject of the request. It is known if it names at least a resource.
type reference struct {
	known                        bool
	resource, subresource, group string
	namespace, name, uid, rv     string
}

// read walks over a line once, checks its JSON and finds the members. It stops at a line that concerns nothing that
// Kardia watches. Then wanted is false, and the rest is unchecked.
func (e *event) read(line []byte) (wanted bool, err error) {
	p := jsonscan.Scan{B: line}
	i := p.Space(0)
	if i >= len(line) || line[i] != '{' {
		return false, fmt.Errorf("expected a JSON object, found %s", excerpt(line[i:]))
	}
	foreign := false
	end := p.Each(i+1, func(name, from int) int {
		label := p.Name(name, from)
		switch label {
		case "requestObject":
			return e.request.read(&p, from)
		case "responseObject":
			return e.response.read(&p, from)
		}
		to := p.Value(from, 1)
		if to >= 0 && e.put(label, jsonscan.View(line[from:to])) && e.foreign() {
			foreign = true
			return -1
		}
		return to
	})
	switch {
	case foreign:
		return false, nil
	case end < 0:
		return false, broken(&p)
	}
	wanted, err = rest(&p, end)
	return wanted && !e.foreign(), err // the auditID may come last
}

// set takes a member from elsewhere, as raw JSON.
func (e *event) set(label, raw string) {
	if raw == "" {
		return
	}
	p := jsonscan.Scan{B: []byte(raw)}
	switch label {
	case "requestObject":
		e.request.read(&p, 0)
	case "responseObject":
		e.response.read(&p, 0)
	default:
		e.put(label, raw)
	}
}

func (e *event) setTimes(received, finished model.Instant) {
	e.received = `"` + received.Time().Format(time.RFC3339Nano) + `"`
	e.finished = `"` + finished.Time().Format(time.RFC3339Nano) + `"`
}

// read finds the members of a body. It skips metadata's managedFields at the end, where the API server writes them:
// they are half of the object.
func (b *body) read(p *jsonscan.Scan, from int) (to int) {
	*b = body{}
	if from < len(p.B) && p.B[from] == '{' {
		to = p.Each(from+1, func(name, at int) int {
			switch p.Name(name, at) {
			case "kind":
				return into(p, &b.kind, at)
			case "metadata":
				return b.readMetadata(p, at)
			case "spec":
				return into(p, &b.spec, at)
			case "status":
				return into(p, &b.status, at)
			}
			return p.Value(at, 2)
		})
	} else {
		to = p.Value(from, 1)
	}
	if to >= 0 {
		b.raw = jsonscan.View(p.B[from:to])
	}
	return to
}

func into(p *jsonscan.Scan, raw *string, from int) (to int) {
	if to = p.Value(from, 2); to >= 0 {
		*raw = jsonscan.View(p.B[from:to])
	}
	return to
}

func (b *body) readMetadata(p *jsonscan.Scan, from int) (to int) {
	if from >= len(p.B) || p.B[from] != '{' {
		return p.Value(from, 2)
	}
	managed, last := 0, 0
	to = p.Each(from+1, func(name, at int) int {
		last = name
		if p.Name(name, at) == "managedFields" {
			managed = name
		}
		return p.Value(at, 3)
	})
	if to < 0 {
		return to
	}
	b.metadata = jsonscan.View(p.B[from:to])
	if managed != 0 && managed == last {
		b.metadata = jsonscan.View(p.B[from:managed]) // gjson reads objects without their end
	}
	return to
}

func rest(p *jsonscan.Scan, i int) (bool, error) {
	if i = p.Space(i); i < len(p.B) {
		return false, fmt.Errorf("expected one JSON object, found %s behind it", excerpt(p.B[i:]))
	}
	return true, nil
}

func broken(p *jsonscan.Scan) error {
	if p.Bad >= len(p.B) {
		return fmt.Errorf("expected a whole JSON object, but the line ends inside it, after %d bytes", len(p.B))
	}
	return fmt.Errorf("expected JSON, which breaks at byte %d of the line: %s", p.Bad, excerpt(p.B[p.Bad:]))
}

// put keeps a member. The result is whether the member can show that a line is foreign.
func (e *event) put(name, raw string) (tells bool) {
	switch name {
	case "auditID":
		e.id = raw
	case "apiVersion":
		e.apiVersion = raw
	case "stage":
		e.stage = raw
		return true
	case "verb":
		e.verb = raw
		return true
	case "requestURI":
		e.uri = raw
	case "userAgent":
		e.agent = raw
	case "user":
		e.user = raw
	case "impersonatedUser":
		e.impersonated = raw
	case "sourceIPs":
		e.addresses = raw
	case "objectRef":
		e.ref = readReference(raw)
		return true
	case "responseStatus":
		e.status = raw
	case "requestReceivedTimestamp":
		e.received = raw
	case "stageTimestamp":
		e.finished = raw
	case "annotations":
		e.annotations = raw
	}
	return false
}

func readReference(raw string) reference {
	var r reference
	gjson.Parse(raw).ForEach(func(key, value gjson.Result) bool {
		text := value.Str
		switch key.Str {
		case "resource":
			r.resource = text
		case "subresource":
			r.subresource = text
		case "apiGroup":
			r.group = text
		case "namespace":
			r.namespace = text
		case "name":
			r.name = text
		case "uid":
			r.uid = text
		case "resourceVersion":
			r.rv = text
		}
		return true
	})
	r.known = r.resource != ""
	return r
}

// foreign reports whether the members read so far rule the line out. Only an event's own can: a wrapper may have
// members of the same names.
func (e *event) foreign() bool {
	if e.id == "" {
		return false
	}
	switch e.stage {
	case "", `"ResponseComplete"`, `"Panic"`:
	default:
		return true
	}
	switch e.verb {
	case "", `"create"`, `"update"`, `"patch"`, `"delete"`, `"deletecollection"`:
	default:
		if !mayReach(e.uri) {
			return true
		}
		return e.ref.known && !e.ref.toKubelet()
	}
	return e.ref.known && e.ref.kind() == model.KindNone && !e.ref.toKubelet()
}

// written are the resources whose writes are read: by group, their kind and the subresources that change it.
var written = map[string][]struct {
	group        string
	kind         model.Kind
	subresources []string
}{
	"nodes":                {{"", model.KindNode, []string{"", "status"}}},
	"pods":                 {{"", model.KindPod, []string{"", "status", evicts, "binding", "resize", "ephemeralcontainers"}}},
	"events":               {{"", model.KindEvent, []string{""}}, {"events.k8s.io", model.KindEvent, []string{""}}},
	"leases":               {{"coordination.k8s.io", model.KindNodeLease, []string{""}}},
	"volumeattachments":    {{"storage.k8s.io", model.KindVolumeAttachment, []string{"", "status"}}},
	"poddisruptionbudgets": {{"policy", model.KindPodDisruptionBudget, []string{"", "status"}}},
	"endpointslices":       {{"discovery.k8s.io", model.KindEndpointSlice, []string{""}}},
	"nodeclaims":           {{"karpenter.sh", model.KindNodeClaim, []string{"", "status"}}},
	"nodehealthchecks":     {{"remediation.medik8s.io", model.KindNodeHealthCheck, []string{"", "status"}}},
	"persistentvolumes":    {{"", model.KindPersistentVolume, []string{"", "status"}}},
}

func (r *reference) kind() model.Kind {
	for _, of := range written[r.resource] {
		switch {
		case of.group != r.group || !slices.Contains(of.subresources, r.subresource):
		case of.kind == model.KindNodeLease:
			return object.LeaseKind(model.Key{Namespace: r.namespace, Name: r.name})
		default:
			return of.kind
		}
	}
	return model.KindNone
}

// text is a raw member's string, unquoted; "" if it is none.
func text(raw string) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if inner := raw[1 : len(raw)-1]; strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	return gjson.Parse(raw).String()
}

func excerpt(b []byte) string {
	const most = 24
	if len(b) > most {
		return fmt.Sprintf("%q…", b[:most])
	}
	return fmt.Sprintf("%q", b)
}
