package recording

import (
	"encoding/json"
	"errors"
	"fmt"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording/wire"
)

// Meta is a recording's description of itself. Empty strings and nil mean "not known".
type Meta struct {
	// Tool wrote the file: "kardia v1.2.3".
	Tool string `json:"tool,omitempty"`
	// Name is for the title: the demo, the folder, or the recorded context.
	Name string `json:"name,omitempty"`
	// Start is the first time that a session shows; unknown means the start of coverage.
	Start model.Instant `json:"start,omitempty"`
	// ServerVersion is the cluster's own, as in v1.36.3.
	ServerVersion string `json:"serverVersion,omitempty"`
	// ClusterUID is the UID of the namespace kube-system.
	ClusterUID string `json:"clusterUID,omitempty"`
	// Params are the known or assumed flags of the recorded control plane, with their provenance. nil if only the
	// version is known, or nothing.
	Params *model.Params `json:"params,omitempty"`
	// Clock is the clock that dated the arrivals: "recorder", "API server", "none".
	Clock string `json:"clock,omitempty"`
	// Redaction is the level of the objects (full, slim, share, public). Removed counts removed texts by rule.
	Redaction string         `json:"redaction,omitempty"`
	Removed   map[string]int `json:"removed,omitempty"`
	// Segment counts the files of one session from 0; Continues is the name of the one before, "" for the first.
	Segment   int    `json:"segment,omitempty"`
	Continues string `json:"continues,omitempty"`
	// Whole reports that the recording starts with a complete state or complete lists. Behind another recording the
	// state then restarts; else it continues.
	Whole bool `json:"whole,omitempty"`
	// Partial reports that part of the converted input was unusable.
	Partial bool `json:"partial,omitempty"`
	// Sources are those of the Changes; Origin.Source is an index into it. The Writer recounts Changes, Kinds and
	// Quality, and keeps the rest as given.
	Sources []history.Source `json:"sources,omitempty"`
}

// Format is the version of the format that this package writes, and the only one it reads.
const Format = 3

var errOldFormat = errors.New("it was written before the first release of Kardia, whose files are not read; make it again with kardia convert")

const metaName = "kardia"

// formatted is the metadata with the version of the format.
type formatted struct {
	Format int `json:"format"`
	Meta
}

// refused reports that a file has another version of the format.
func refused(err error) bool { return errors.Is(err, wire.ErrVersion) || errors.Is(err, errOldFormat) }

// fields are the metadata record: the version of the format, for any reader, and the rest as JSON.
func (m *Meta) fields() (map[string]string, []byte, error) {
	stripped := *m
	stripped.Sources = make([]history.Source, len(m.Sources))
	for i, s := range m.Sources {
		s.Changes, s.Kinds, s.Quality = 0, nil, 0
		stripped.Sources[i] = s
	}
	text, err := json.Marshal(&formatted{Format, stripped})
	if err != nil {
		return nil, nil, fmt.Errorf("cannot write the metadata: %w", err)
	}
	if len(text) > wire.MaxMeta {
		return nil, nil, fmt.Errorf("the metadata take %d bytes, and there is room for %d", len(text), wire.MaxMeta)
	}
	return map[string]string{"format": fmt.Sprint(Format), "serverVersion": m.ServerVersion, "tool": m.Tool, "meta": string(text)}, text, nil
}

func readMeta(text []byte) (m Meta, err error) {
	if len(text) > wire.MaxMeta {
		return m, wire.ErrTooLarge
	}
	var in formatted
	if err := json.Unmarshal(text, &in); err != nil {
		return Meta{}, fmt.Errorf("its metadata are no JSON: %w", err)
	}
	switch {
	case in.Format > Format:
		return Meta{}, fmt.Errorf("its format is %d: %w", in.Format, wire.ErrVersion)
	case in.Format < Format:
		return Meta{}, fmt.Errorf("its format is %d: %w", in.Format, errOldFormat)
	}
	m = in.Meta
	if len(m.Sources) > wire.MaxSources {
		return Meta{}, wire.ErrTooLarge
	}
	return m, nil
}
