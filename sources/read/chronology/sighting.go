// Package chronology puts object versions in order and finds, for each, the interval in which it must have been
// written.
//
// Most sources do not contain the time when a version was written. Two things bound it. One is the timestamps that
// changed in that version (managedFields, renewTime, deletionTimestamp, creation). The other is its neighbours in
// resourceVersion order: all kinds kept in one etcd share one counter, so every dated write bounds those before and
// after it. See Date.
package chronology

import (
	"kardia/model"
	"kardia/sources/read/object"
)

// Sighting is one object version as one source showed it, or one request.
// Change carries all but its Time, which only an audit log knows.
type Sighting struct {
	model.Change
	Stamps object.Stamps
	// List is which list of its source it is an item of, counted from 1; 0 for none. A list holds all there was.
	List int32
	// Relisted reports that a watch showed it when it was started again: more than one write may lie before it.
	Relisted bool
	// Dated reports that the Time was found before, by all that was known then: it holds, and is narrowed only.
	Dated bool

	capture int32 // which it is a part of, from 1; 0 if none
}

// NoticeKind is the meaning of a Notice.
type NoticeKind uint8

const (
	// Listed: the initial list of a kind is complete, as of Version.
	Listed NoticeKind = iota
	// Reached: nothing was missed up to Version (a bookmark).
	Reached
	// Lost: the watch broke after Version; the versions after it come from a new list.
	Lost
	// Resumed: the new list is complete, as of Version.
	Resumed
	// Spoke: the source covers the instant Arrival, even if only with things that are not kept.
	Spoke
)

// Notice is a source's message about itself at a point of its stream.
type Notice struct {
	What    NoticeKind
	Kind    model.Kind
	Version uint64
	// Arrival is when the mark was received, if the source records that.
	Arrival model.Instant
	Source  int32
	Why     string
}
