// Package watchstream reads all output of kubectl about objects: watch events a line, raw watches, pretty-printed
// objects, and static lists in JSON and YAML. File types are detected by content. For example:
// {"type":"ADDED","object":{...}} is one Sighting.
package watchstream

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/sources/read/chronology"
	"kardia/sources/read/entries"
	"kardia/sources/read/input"
	"kardia/sources/read/jsonscan"
	"kardia/sources/read/object"
)

// Stream is the contents of one file, in order.
type Stream struct {
	Sightings []chronology.Sighting
	Notices   []chronology.Notice
	// Foreign counts objects of unwatched kinds, Documents all.
	Foreign, Documents int
	// Watch: the file has watch events, not only objects.
	Watch bool
	// Events are those of a watch that was recorded one by one, beside lists or in a file each.
	Events []chronology.Sighting
	// Retold: objects came again in newer versions, outside of lists.
	Retold bool
	// Rounds are where in Sightings lists start that repeat earlier lists.
	Rounds []int
	// Taken is when a round, from 0, was taken, if the file shows it.
	Taken map[int]model.Instant
	// After is the earliest time of a round, from 0, by ages in the file.
	After map[int]model.Instant
	// Described: the file is the output of `kubectl describe`; Notes are what that lacks.
	Described bool
	Notes     []string
	// Empty are the kinds with a list without items, and without objects. Nothing: it has an empty list without a kind.
	Empty   []model.Kind
	Nothing bool
	// ServerVersion is set for the output of `kubectl get --raw /version`.
	ServerVersion string
	// Clusters are the UIDs of the namespace kube-system, each once, in order.
	Clusters []Cluster
}

// Cluster is a UID of the namespace kube-system, and its line.
type Cluster struct {
	UID  string
	Line int32
}

func (s *Stream) Format() string {
	switch {
	case s.Watch:
		return "watch"
	case s.Described:
		return "describe"
	case s.ServerVersion != "":
		return "version"
	}
	return "objects"
}

// Limits of the held objects: 100,000 nodes take 0.5 GiB.
const (
	maxNodes = 100_000
	maxPods  = 1_000_000
)

// ErrTooMany: a file has more objects than Kardia holds.
var ErrTooMany = fmt.Errorf("it holds more than %d nodes or %d pods, which is more than a cluster has; name a part of it", maxNodes, maxPods)

type reader struct {
	in      *input.Reader
	decoder *object.Decoder
	source  int32
	report  func(line int, offset int64, what string)
	out     Stream
	kinds   map[model.Kind]*progress
	round   map[model.ObjectID]bool // the contents of this round's lists
	tables  int32                   // tables and responses, whose items are lists of their own
	patches int                     // of kwokctl, see finishAfter
	patched document                // the first of them
	shells  []model.Kind            // of the lists that were read
}

// inTable is added to the number of a table or a response, so that it differs from a list's.
const inTable = 1 << 30

type progress struct {
	listed bool // the initial list is complete
	// relisting: the watch broke, and the next objects are a new list.
	relisting bool
	newest    uint64
	live      map[model.Key]live
	relisted  map[model.Key]bool
}

type live struct {
	uid     model.UID
	version uint64
	pod     *model.Pod
	node    *model.Node
}

// Read reads a file to its end. It reports unusable parts and continues. The error is the file's own (a broken
// compression, a failing disk), after the parts read before it.
func Read(r *input.Reader, decoder *object.Decoder, source int32, report func(line int, offset int64, what string)) (Stream, error) {
	rd := &reader{in: r, decoder: decoder, source: source, report: report, kinds: map[model.Kind]*progress{}}
	head, _ := r.Peek(4096)
	if IsYAML(head) {
		return rd.finishAfter((&yamlReader{report: report, take: rd.document}).read(r))
	}
	if bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n\ufeff"), []byte("[")) {
		return rd.finishAfter(rd.bareList(r))
	}
	for split := (&splitter{lines: input.NewLines(r), report: report}); ; {
		doc, err := split.next()
		if errors.Is(err, io.EOF) {
			return rd.finishAfter(nil)
		}
		if err != nil {
			return rd.finishAfter(err)
		}
		rd.document(doc)
	}
}

// bareList reads a list of objects with nothing around it, as from older sonobuoys and jq.
func (rd *reader) bareList(r *input.Reader) error {
	end, err := entries.Each(entries.New(r, func([]byte) bool { return true }), func(item input.Line) {
		if item.TooLong {
			rd.report(item.Number, item.Offset, "an object of more than 16 MiB starts here and was skipped")
		} else if bad := jsonscan.Check(item.Data); bad != nil {
			rd.report(item.Number+bytes.Count(item.Data[:bad.At], []byte("\n")), item.Offset+int64(bad.At), "not valid JSON: "+bad.Why+"; the object was skipped")
		} else {
			rd.document(document{text: bytes.Clone(item.Data), item: 1, line: item.Number, offset: item.Offset})
		}
	})
	if errors.Is(err, io.ErrUnexpectedEOF) {
		rd.report(end.Number, end.Offset, "the file ends in the middle of a list; the items before it were used")
		return nil
	}
	return err
}

func (rd *reader) document(doc document) {
	rd.out.Documents++
	root := gjson.ParseBytes(doc.text)
	kind := root.Get("type")
	if inner := root.Get("object"); kind.Type == gjson.String && (inner.IsObject() || kind.Str == reconnect) {
		rd.out.Watch = true
		rd.event(kind.Str, inner, doc)
		return
	}
	if rd.wrapped(root, doc) {
		return
	}
	if v := root.Get("gitVersion"); v.Type == gjson.String && !root.Get("kind").Exists() {
		rd.out.ServerVersion = v.String()
		return
	}
	if root.Get("kind").Str == "Table" && root.Get("rows").Exists() {
		rd.out.Foreign++ // the printed table, with the objects behind it if they were asked for
		rd.tables++
		root.Get("rows").ForEach(func(_, row gjson.Result) bool {
			if o := row.Get("object"); o.IsObject() {
				rd.document(document{text: []byte(o.Raw), item: inTable + rd.tables, line: doc.line, offset: doc.offset})
			}
			return true
		})
		return
	}
	if root.Get("kind").Str == "ResourcePatch" && root.Get("durationNanosecond").Exists() {
		if rd.patches++; rd.patches == 1 {
			rd.patched = doc
		}
		return
	}
	o := rd.decode(root, doc)
	if o.Kind == model.KindNone {
		if o.APIKind == "Status" && root.Get("status").Str == "Failure" {
			rd.report(doc.line, doc.offset, "the API server refused the request, and answered no objects: "+root.Get("message").Str)
			return
		}
		if !isObject(o, root) {
			rd.report(doc.line, doc.offset, "a JSON object that is neither a Kubernetes object nor a watch event was skipped")
			return
		}
		if o.APIKind == "Namespace" && o.Key.Name == model.SystemNamespace {
			rd.cluster(Cluster{o.UID.String(), int32(min(doc.line, math.MaxInt32))})
		}
		rd.out.Foreign++ // also the shell of a list, whose items have been read
		rd.shell(o.APIKind)
		return
	}
	op := model.OpBaseline
	was, again := rd.progress(o.Kind).live[o.Key]
	switch again = again && was.version != o.Version; {
	case doc.item > 0:
		rd.listedAgain(model.ObjectID{Kind: o.Kind, Key: o.Key})
	case again:
		op, rd.out.Retold = model.OpModify, true // kubectl get -w -o json prints each new state, and nothing around it
	}
	rd.add(o, op, doc)
}

// listedAgain starts a new round if an object was listed before.
func (rd *reader) listedAgain(of model.ObjectID) {
	if rd.round[of] {
		rd.out.Rounds = append(rd.out.Rounds, len(rd.out.Sightings))
		clear(rd.round)
	}
	if rd.round == nil {
		rd.round = map[model.ObjectID]bool{}
	}
	rd.round[of] = true
}

// isObject recognises objects of unwatched kinds, and the shell of a list.
func isObject(o object.Object, root gjson.Result) bool {
	return strings.HasSuffix(o.APIKind, "List") || root.Get("metadata").IsObject() || root.Get("items").IsArray()
}

// reconnect is the private event that Kardia's capture script writes between two runs of kubectl.
const reconnect = "X-RECONNECT"

func (rd *reader) decode(raw gjson.Result, doc document) object.Object {
	if raw.Get("kind").String() != "" {
		return rd.decoder.Decode(raw)
	}
	return rd.decoder.DecodeAs(raw, cmp.Or(doc.list, object.KindByShape(raw)))
}

func (rd *reader) event(what string, inner gjson.Result, doc document) {
	switch what {
	case "BOOKMARK":
		rd.bookmark(inner, doc.arrival)
		return
	case "ERROR":
		rd.lost("the API server ended the watch: "+cmp.Or(inner.Get("message").String(), inner.Get("reason").String()), doc.arrival)
		return
	case reconnect:
		rd.lost("the watch was restarted", doc.arrival)
		return
	}
	o := rd.decode(inner, doc)
	if o.Kind == model.KindNone {
		rd.out.Foreign++
		return
	}
	p := rd.progress(o.Kind)
	switch op, known := ops[what]; {
	case op == model.OpAdd:
		rd.added(p, o, doc)
	case known:
		rd.listed(o.Kind, p, p.newest, doc.arrival, false)
		rd.add(o, op, doc)
	default:
		rd.report(doc.line, doc.offset, fmt.Sprintf("a watch event of unknown type %q was skipped; ADDED, MODIFIED, DELETED, BOOKMARK and ERROR are known", what))
	}
}

// ops are what the events of a watch report.
var ops = map[string]model.Op{"ADDED": model.OpAdd, "MODIFIED": model.OpModify, "DELETED": model.OpDelete}

func (rd *reader) progress(kind model.Kind) *progress {
	p := rd.kinds[kind]
	if p == nil {
		p = &progress{live: map[model.Key]live{}}
		rd.kinds[kind] = p
	}
	return p
}

// added takes an ADDED event: part of a list in progress, else a new object.
func (rd *reader) added(p *progress, o object.Object, doc document) {
	known, again := p.live[o.Key]
	switch {
	case p.relisting:
		p.relisted[o.Key] = true
		if again && known.version == o.Version && o.Version != 0 {
			return // unchanged since before the watch broke
		}
		op := model.OpAdd
		if again && known.uid == o.UID {
			op = model.OpModify
		}
		rd.add(o, op, doc)
	case again && p.listed && known.version == o.Version && o.Version != 0:
		// ADDED again without a message in between: the watch was restarted
		rd.lost("the watch was restarted", doc.arrival)
		rd.added(p, o, doc)
	case p.listed:
		rd.add(o, model.OpAdd, doc)
	default:
		rd.add(o, model.OpBaseline, doc)
	}
}

// listed notes that the initial list of a kind, or the one after a break, is complete. A list without items removes all
// objects only if it is known to be empty.
func (rd *reader) listed(kind model.Kind, p *progress, version uint64, arrival model.Instant, empty bool) {
	switch {
	case p.relisting:
		p.relisting = false
		if len(p.relisted) > 0 || empty { // a watch that continues from where it broke lists nothing
			rd.vanished(kind, p, version)
		}
		rd.notice(chronology.Notice{What: chronology.Resumed, Kind: kind, Version: version, Arrival: arrival})
	case !p.listed:
		p.listed = true
		rd.notice(chronology.Notice{What: chronology.Listed, Kind: kind, Version: version})
	}
}

// vanished deletes the objects that the new list lacks: they were removed while the watch was broken.
func (rd *reader) vanished(kind model.Kind, p *progress, version uint64) {
	gone := slices.SortedFunc(maps.Keys(p.live), func(a, b model.Key) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range gone {
		if p.relisted[key] {
			continue
		}
		was := p.live[key]
		delete(p.live, key)
		rd.out.Sightings = append(rd.out.Sightings, chronology.Sighting{Change: model.Change{
			Kind: kind, Op: model.OpDelete, Key: key, UID: was.uid, Version: version, Node: was.node, Pod: was.pod,
			Origin: model.Origin{Source: rd.source}, Note: "gone when the watch was restarted",
		}})
	}
	p.relisted = nil
}

func (rd *reader) bookmark(inner gjson.Result, arrival model.Instant) {
	o := rd.decoder.Decode(inner)
	kind := o.Kind
	if o.APIKind == "Lease" {
		// A bookmark has no name, so the namespace must come from the stream itself.
		kind = model.KindNodeLease
		for _, other := range [...]model.Kind{model.KindServerLease, model.KindLeaderLease} {
			if _, node := rd.kinds[model.KindNodeLease]; !node && rd.kinds[other] != nil {
				kind = other
			}
		}
	}
	if kind == model.KindNone {
		return
	}
	p := rd.progress(kind)
	p.newest = max(p.newest, o.Version)
	rd.listed(kind, p, o.Version, arrival, inner.Get(`metadata.annotations.k8s\.io/initial-events-end`).String() == "true")
	rd.notice(chronology.Notice{What: chronology.Reached, Kind: kind, Version: o.Version, Arrival: arrival})
}

// lost notes that every watch of this file broke here: a file is one watch.
func (rd *reader) lost(why string, arrival model.Instant) {
	for _, kind := range model.AllKinds {
		p := rd.kinds[kind]
		if p == nil || p.relisting {
			continue
		}
		rd.listed(kind, p, p.newest, arrival, false)
		rd.notice(chronology.Notice{What: chronology.Lost, Kind: kind, Version: p.newest, Arrival: arrival, Why: why})
		p.relisting, p.relisted = true, map[model.Key]bool{}
	}
}

func (rd *reader) notice(m chronology.Notice) {
	m.Source = rd.source
	rd.out.Notices = append(rd.out.Notices, m)
}

func (rd *reader) add(o object.Object, op model.Op, doc document) {
	if o.Key.Name == "" {
		rd.report(doc.line, doc.offset, "a "+o.APIKind+" without a name was skipped")
		return
	}
	if o.BadVersion {
		rd.report(doc.line, doc.offset, "the resourceVersion of "+o.APIKind+" "+strconv.Quote(o.Key.String())+" is not a number; its place in the order is taken from the file")
	}
	p := rd.progress(o.Kind)
	p.newest = max(p.newest, o.Version)
	if op == model.OpDelete {
		delete(p.live, o.Key)
	} else {
		p.live[o.Key] = live{o.UID, o.Version, o.Pod, o.Node}
		if n := len(p.live); n > maxPods || n > maxNodes && (o.Kind == model.KindNode || o.Kind == model.KindNodeLease) {
			rd.in.Stop(ErrTooMany)
		}
	}
	rd.out.Sightings = append(rd.out.Sightings, chronology.Sighting{Stamps: o.Stamps, List: doc.item, Relisted: p.relisting, Change: model.Change{
		Kind: o.Kind, Op: op, Key: o.Key, UID: o.UID, Version: o.Version, Arrival: doc.arrival,
		Origin: model.Origin{Source: rd.source, Line: int32(min(doc.line, 1<<31-1)), Offset: doc.offset},
		Lease:  o.Lease, Node: o.Node, Pod: o.Pod, Event: o.Event, Related: o.Related,
	}})
}

// finishAfter closes the lists that the end of the file leaves open.
func (rd *reader) finishAfter(err error) (Stream, error) {
	if rd.patches > 0 { // written by 'kwokctl snapshot record' behind the objects
		rd.report(rd.patched.line, rd.patched.offset, fmt.Sprintf("%d patches that kwokctl recorded were not used: they have a delay, and no time; watch the cluster with: kubectl get … --watch --output-watch-events -o json", rd.patches))
	}
	for _, kind := range rd.shells {
		if rd.kinds[kind] == nil && !slices.Contains(rd.out.Empty, kind) {
			rd.out.Empty = append(rd.out.Empty, kind)
		}
	}
	rd.out.Nothing = rd.out.Nothing && len(rd.kinds) == 0
	for _, kind := range model.AllKinds {
		p := rd.kinds[kind]
		if p == nil || !rd.out.Watch || p.relisting && len(p.relisted) == 0 { // the watch was not started again
			continue
		}
		rd.listed(kind, p, p.newest, 0, false)
	}
	return rd.out, err
}
