// Package chronology puts object versions in order and bounds when each was written.
//
// Most sources do not have that time. Two things bound it: the timestamps that changed in the version (managedFields,
// renewTime, deletionTimestamp, creation), and its neighbours in resourceVersion order. All kinds in one etcd share one
// counter, so every dated write bounds those before and after it. For example: version 12 is between 11, of 10:00:01.2,
// and 13, of 10:00:01.4.
package chronology

import (
	"kardia/model"
	"kardia/sources/read/object"
)

// Sighting is one object version as one source showed it, or one request. Only an audit log's has a Time.
type Sighting struct {
	model.Change
	Stamps object.Stamps
	// List is the source's list of which it is an item, from 1; 0 for none. A list has all objects.
	List int32
	// Relisted: a restarted watch showed it, so more than one write may precede it.
	Relisted bool
	// Dated: Time is an earlier result; it holds, and is only narrowed.
	Dated bool

	capture int32 // which it is a part of, from 1; 0 if none
}

type NoticeKind uint8

const (
	// Listed: the initial list of a kind is complete, as of Version.
	Listed NoticeKind = iota
	// Reached: nothing was missed up to Version (a bookmark).
	Reached
	// Lost: the watch broke after Version; later versions are of a new list.
	Lost
	// Resumed: the new list is complete, as of Version.
	Resumed
	// Spoke: the source covers the time Arrival, if only by objects that are not kept.
	Spoke
)

// Notice is a source's message about itself at a point of its stream.
type Notice struct {
	What    NoticeKind
	Kind    model.Kind
	Version uint64
	// Arrival is when the notice was received, if recorded.
	Arrival model.Instant
	Source  int32
	Why     string
}
