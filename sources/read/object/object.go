// Package object reads Kubernetes objects in JSON into the model: what node health depends on, and the timestamps that
// date a version. It takes one pass and keeps no bytes. Input must be valid JSON (jsonscan.Valid); values of a wrong
// type count as absent. For example: {"kind":"Node",...} becomes an Object of KindNode.
package object

import (
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
)

type Object struct {
	Kind model.Kind
	// APIKind is the kind as written, even if not watched.
	APIKind string
	Key     model.Key
	UID     model.UID
	// Version is the resourceVersion; 0 if absent or not a number (then BadVersion).
	Version    uint64
	BadVersion bool

	Node    *model.Node
	Pod     *model.Pod
	Event   *model.Event
	Lease   model.Lease
	Related *model.Related

	Stamps Stamps
}

// Stamps are the times in an object version.
type Stamps struct {
	Created model.Instant
	// Managed is the newest managedFields time, to the second, by the API server's clock.
	Managed model.Instant
	// Manager is the writer of that entry, empty for several; Managers counts the entries.
	Manager  string
	Managers int
}

// Decoder reads objects, whose equal strings share memory. Not safe for concurrent use.
type Decoder struct {
	model.Interner
	// Controller is kube-controller-manager, by the Pods read so far.
	Controller Controller

	// Memory for packing a node's details.
	list         []model.Detail
	name, packed []byte
}

// Decode reads one object. Unwatched kinds are KindNone, with their metadata.
func (d *Decoder) Decode(raw gjson.Result) Object { return d.DecodeAs(raw, "") }

// DecodeAs reads an object without a kind, as in lists of the raw API; a kind in the object wins.
func (d *Decoder) DecodeAs(raw gjson.Result, kind string) Object {
	p := Parts{Whole: raw, Kind: gjson.Result{Type: gjson.String, Str: kind}}
	members(raw, func(name string, value gjson.Result) {
		switch name {
		case "kind":
			if value.String() != "" {
				p.Kind = value
			}
		case "metadata":
			p.Metadata = value
		case "spec":
			p.Spec = value
		case "status":
			p.Status = value
		}
	})
	return d.Assemble(p)
}

// Parts are the members of an object. Without managedFields, Stamps only has Created.
type Parts struct {
	Whole, Kind, Metadata, Spec, Status gjson.Result
}

// Assemble reads an object whose members were found already.
func (d *Decoder) Assemble(p Parts) Object {
	o := Object{APIKind: d.String(p.Kind.String())}
	meta := d.metadata(p.Metadata, &o)
	o.Kind = kindOf(o.APIKind, o.Key)
	switch o.Kind {
	case model.KindNode:
		o.Key.Namespace = ""
		o.Node = d.node(meta, p.Spec, p.Status)
	case model.KindNodeLease, model.KindLeaderLease:
		o.Lease = d.lease(meta, p.Spec)
	case model.KindPod:
		o.Pod = d.pod(o.Key, meta, p.Spec, p.Status)
	case model.KindEvent:
		o.Event = d.event(meta, p.Whole)
	case model.KindNone:
	default:
		o.Related = d.related(o.Kind, meta, &p)
	}
	return o
}

// KindByShape is the kind of an object without one, by members that no other kind has; "" without them. It is for lists
// with their kind behind their items, or without.
func KindByShape(raw gjson.Result) string {
	spec, status := raw.Get("spec"), raw.Get("status")
	switch {
	case status.Get("nodeInfo").IsObject(), spec.Get("podCIDR").Exists(), status.Get(`conditions.#(type=="DiskPressure")`).Exists():
		return "Node"
	case spec.Get("containers").IsArray():
		return "Pod"
	case spec.Get("renewTime").Exists(), spec.Get("holderIdentity").Exists():
		return "Lease"
	case raw.Get("involvedObject").IsObject() && raw.Get("reason").Exists():
		return "Event"
	}
	return ""
}

func kindOf(kind string, key model.Key) model.Kind {
	switch kind {
	case "Node":
		return model.KindNode
	case "Pod":
		return model.KindPod
	case "Event":
		return model.KindEvent
	case "Lease":
		return LeaseKind(key)
	case "ConfigMap":
		if key.Name == autoscalerStatus {
			return model.KindAutoscalerStatus
		}
	}
	return relatedKinds[kind]
}

// LeaseKind distinguishes a node's heartbeat from a leader election and an API server's sign of life, by namespace and
// name; other leases are KindNone.
func LeaseKind(key model.Key) model.Kind {
	switch {
	case key.Namespace == model.NodeLeaseNamespace:
		return model.KindNodeLease
	case key.Namespace == model.SystemNamespace &&
		(key.Name == model.ControllerManager || key.Name == model.Scheduler):
		return model.KindLeaderLease
	case key.Namespace == model.SystemNamespace && strings.HasPrefix(key.Name, model.ServerLeasePrefix):
		return model.KindServerLease
	}
	return model.KindNone
}

type metadata struct {
	uid      model.UID
	created  model.Instant
	deleted  model.Instant
	grace    int32
	labels   gjson.Result
	owners   gjson.Result
	managers gjson.Result
}

func (d *Decoder) metadata(raw gjson.Result, o *Object) metadata {
	var m metadata
	members(raw, func(name string, value gjson.Result) {
		switch name {
		case "name":
			o.Key.Name = strings.Clone(value.String())
		case "namespace":
			o.Key.Namespace = d.String(value.String())
		case "uid":
			m.uid = d.UID(value.String())
		case "resourceVersion":
			o.Version, o.BadVersion = version(value)
		case "creationTimestamp":
			m.created = Time(value)
		case "deletionTimestamp":
			m.deleted = Time(value)
		case "deletionGracePeriodSeconds":
			m.grace = int32(value.Int())
		case "labels":
			m.labels = value
		case "ownerReferences":
			m.owners = value
		case "managedFields":
			o.Stamps.read(d, value)
			m.managers = value
		}
	})
	o.UID = m.uid
	o.Stamps.Created = m.created
	return m
}

func version(v gjson.Result) (n uint64, bad bool) {
	text := v.String()
	if text == "" {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return n, err != nil
}

func (s *Stamps) read(d *Decoder, list gjson.Result) {
	items(list, func(entry gjson.Result) {
		var manager string
		var at model.Instant
		members(entry, func(name string, value gjson.Result) {
			switch name {
			case "manager":
				manager = value.Str
			case "time":
				at = Time(value)
			}
		})
		s.Managers++
		switch {
		case at > s.Managed:
			s.Managed, s.Manager = at, d.String(manager)
		case at == s.Managed && manager != s.Manager:
			s.Manager = ""
		}
	})
}

// Time reads a time in RFC 3339; other text is unknown.
func Time(v gjson.Result) model.Instant {
	if v.Type != gjson.String || v.Str == "" {
		return 0
	}
	t, err := time.Parse(time.RFC3339Nano, v.Str)
	if err != nil {
		return 0
	}
	return model.At(t)
}
