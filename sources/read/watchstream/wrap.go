package watchstream

import (
	"slices"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/sources/read/object"
)

// wrapped takes the wrappers of Event exporters and recorders of API responses; taken is false for other documents.
func (rd *reader) wrapped(root gjson.Result, doc document) (taken bool) {
	inside := func(raw gjson.Result) {
		doc.text = []byte(raw.Raw)
		rd.document(doc)
	}
	switch {
	case root.Get("kind").Exists(), root.Get("metadata").Exists(): // an object itself
		return false
	case root.Get("verb").Type == gjson.String && root.Get("event.involvedObject").IsObject(): // eventrouter
		inside(root.Get("event"))
	case root.Get("jsonPayload.involvedObject").IsObject(): // Google Cloud Logging
		inside(root.Get("jsonPayload"))
	case root.Get("api_path").Type == gjson.String && root.Get("response_body").Exists(): // k8shark
		at := object.Time(root.Get("captured_at"))
		if what := root.Get("event_type").Str; what != "" {
			rd.recordedEvent(what, root.Get("response_body"), at, doc)
			break
		}
		rd.response(root.Get("response_body"), at, doc)
	case root.Get("capture_id").Exists() && root.Get("kubernetes_version").Type == gjson.String:
		rd.out.ServerVersion = root.Get("kubernetes_version").Str
	default:
		return false
	}
	return true
}

// recordedEvent takes an event of a watch that k8shark followed from its start: an added object was created then.
func (rd *reader) recordedEvent(what string, body gjson.Result, at model.Instant, doc document) {
	op, known := ops[what]
	if !known {
		return // of bookmarks and errors it makes no record
	}
	o := rd.decode(body, doc)
	if o.Kind == model.KindNone {
		rd.out.Foreign++
		return
	}
	others := len(rd.out.Sightings)
	doc.arrival = at
	rd.add(o, op, doc)
	rd.out.Events = append(rd.out.Events, rd.out.Sightings[others:]...)
	rd.out.Sightings = rd.out.Sightings[:others]
}

// response takes the API server's answer of a time: a list is its own capture.
func (rd *reader) response(body gjson.Result, at model.Instant, doc document) {
	if len(rd.out.Sightings) > 0 {
		rd.out.Rounds = append(rd.out.Rounds, len(rd.out.Sightings))
	}
	clear(rd.round)
	if rd.out.Taken == nil {
		rd.out.Taken = map[int]model.Instant{}
	}
	rd.out.Taken[len(rd.out.Rounds)] = at
	items := body.Get("items")
	if !items.IsArray() {
		doc.text = []byte(body.Raw)
		rd.document(doc)
		return
	}
	rd.tables++
	doc.item, doc.list = inTable+rd.tables, listKind([]byte(`{"kind":`+body.Get("kind").Raw))
	items.ForEach(func(_, item gjson.Result) bool {
		doc.text = []byte(item.Raw)
		rd.document(doc)
		return true
	})
}

// listKinds are the kinds of lists, and of their items.
var listKinds = map[string]model.Kind{"NodeList": model.KindNode, "PodList": model.KindPod, "EventList": model.KindEvent}

// shell takes the rest of a list after its items.
func (rd *reader) shell(kind string) {
	if of, ok := listKinds[kind]; ok {
		rd.shells = append(rd.shells, of)
	}
	rd.out.Nothing = rd.out.Nothing || kind == "List"
}

func (rd *reader) cluster(is Cluster) {
	if !slices.ContainsFunc(rd.out.Clusters, func(c Cluster) bool { return c.UID == is.UID }) {
		rd.out.Clusters = append(rd.out.Clusters, is)
	}
}
