package describe

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/sources/read/chronology"
)

type fields = map[string]any

func (rd *reader) add(p *page, name string) {
	if p.ready() {
		rd.sight(p, p.node(name), model.Interval{})
	}
	if renewed := stamp(p.lease["RenewTime"]); renewed != "" {
		lease := fields{"kind": "Lease", "metadata": fields{"name": name, "namespace": model.NodeLeaseNamespace}}
		spec := fields{"renewTime": renewed}
		put := func(key, value string) {
			if value != "" && value != unset {
				spec[key] = value
			}
		}
		put("holderIdentity", p.lease["HolderIdentity"])
		put("acquireTime", stamp(p.lease["AcquireTime"]))
		lease["spec"] = spec
		rd.sight(p, lease, model.Interval{})
	}
	printed := p.taken()
	if !printed.Known() {
		printed = model.Interval{Earliest: p.newest(), Latest: model.FarFuture}
	}
	for _, e := range p.events {
		if rd.events++; rd.events > maxEvents {
			return
		}
		// Not one of Kubernetes' names: those end in a time.
		rd.sight(p, fields{"kind": "Event", "metadata": fields{"name": fmt.Sprintf("%s.described-%d", name, rd.events), "namespace": "default"},
			"involvedObject": fields{"kind": "Node", "name": name}, "reason": e.reason, "message": e.message, "type": e.kind, "count": e.count,
			"source": fields{"component": e.component, "host": e.host}}, when(e.last, printed))
	}
}

// sight decodes and adds an object. at is when it was written; zero if its own times decide.
func (rd *reader) sight(p *page, of fields, at model.Interval) {
	text, err := json.Marshal(of)
	if err != nil {
		return // of strings, numbers and flags there is no error
	}
	o := rd.decoder.Decode(gjson.ParseBytes(text))
	if o.Kind == model.KindNone {
		return
	}
	s := chronology.Sighting{Stamps: o.Stamps, Change: model.Change{Kind: o.Kind, Op: model.OpBaseline, Key: o.Key, Lease: o.Lease, Node: o.Node, Event: o.Event,
		Origin: model.Origin{Source: rd.source, Line: int32(min(p.line, math.MaxInt32)), Offset: p.offset}}}
	if at.Known() {
		s.Time, s.Dated, s.Quality = at, true, model.ByOrder
	}
	rd.out.Sightings = append(rd.out.Sightings, s)
	rd.out.Documents++
}

func (p *page) node(name string) fields {
	p.meta["name"], p.meta["labels"], p.spec["taints"] = name, p.labels, p.taints
	var conditions []fields
	for _, c := range p.conditions {
		is := fields{"type": c.kind, "status": c.status, "reason": c.reason, "message": c.message}
		for key, t := range map[string]string{"lastHeartbeatTime": written(c.heartbeat), "lastTransitionTime": written(c.transition)} {
			if t != "" {
				is[key] = t
			}
		}
		conditions = append(conditions, is)
	}
	return fields{"kind": "Node", "metadata": p.meta, "spec": p.spec, "status": fields{"conditions": conditions, "addresses": p.addresses, "nodeInfo": p.info}}
}

// taintOf reads KEY=VALUE:EFFECT, with an optional value; nil for a cut line.
func taintOf(text string) fields {
	i := strings.LastIndexByte(text, ':')
	switch text[i+1:] {
	case "NoSchedule", "PreferNoSchedule", "NoExecute":
		key, value, _ := strings.Cut(text[:max(i, 0)], "=")
		return fields{"key": key, "value": value, "effect": text[i+1:]}
	}
	return nil
}
