package recording

import (
	"kardia/model"
	"kardia/model/timeline"
)

// Meta is what a recording says of itself. Empty strings and nil mean "not known".
type Meta struct {
	// Tool is what wrote the file: "kardia v1.2.3".
	Tool string
	// Name is for the title: the demo, the folder, or the context that was recorded.
	Name string
	// ServerVersion is what the cluster said of itself, as in v1.36.3.
	ServerVersion string
	// Params are the flags the recorded control plane is known or taken to have had, each
	// with its provenance; nil where nothing but the version is known.
	Params *model.Params
	// Clock says whose clock stamped the arrivals: "recorder", "audit log", "none".
	Clock string
	// Redaction names the level the objects were reduced to (full, slim, share, public), and
	// Removed counts what was taken out or replaced, by rule.
	Redaction string
	Removed   map[string]int
	// Segment counts the files of one sitting from 0; Continues is the name of the file before
	// this one, "" for the first.
	Segment   int
	Continues string
	// Sources are where the Changes came from; Origin.Source is an index into it. What they
	// count (Changes, Kinds, Quality) is counted anew while writing; the rest is kept as given.
	Sources []timeline.Source
}
