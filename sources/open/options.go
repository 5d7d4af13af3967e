package open

import (
	"errors"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/recording"
)

// ErrUnreadable: none of the named files could be used.
var ErrUnreadable = errors.New("no readable recording")

type Options struct {
	// Progress, if set, gets the bytes read, the total (0 if unknown), and the file.
	Progress func(done, total int64, what string)
	// Waits, if set, is called once for a pipe that gives nothing for a second.
	Waits func(what string)
	// Played, if set, gets the time of a scenario played so far, and its length.
	Played func(played, length time.Duration, what string)
	// StreamFrom is the size in bytes from which audit logs are read as a stream and recorded in a temporary file; 0
	// means 64 MiB. A compressed log counts ten times.
	StreamFrom int64
	// CapturedAt is when the capture among the files was taken, if given. PATH@TIME gives it for one path.
	CapturedAt model.Instant
	// Year is the year of logs without one, such as klog's; 0 if not given.
	Year int
	// LogZone is the time zone of logs without one, such as klog's; nil if not given.
	LogZone *time.Location
	// Says words findings about the input; nil: by their codes.
	Says func(past.Finding) string
	// LookBack is the look-back of the Prometheus of the samples; 0 if not given.
	LookBack time.Duration

	unusable int           // how many lines of a file may be unusable; 0 means maxUnusable
	patience time.Duration // before Waits is called; 0 means a second

	named []named // where files come from; set by Open
	batch int     // how many Changes of a stream are dated at once; 0 means batchSize
}

func (o Options) says(f past.Finding) string {
	if o.Says == nil {
		return f.String()
	}
	return o.Says(f)
}

type Opened struct {
	History history.History
	// Skipped are files in a directory that no reader recognised.
	Skipped []string
	// Passed counts members of archives that are no input.
	Passed int
	// controller are the flags of kube-controller-manager by its Pods; nil without any.
	controller *model.Params
	// ServerVersion is the cluster's own version; "" if unknown.
	ServerVersion string
	// ClusterUID is the UID of the namespace kube-system; "" if unknown.
	ClusterUID string
	Name       string
	// Start is where a session starts: 20 s before the first node is declared Unknown in a demo, else at the coverage.
	Start model.Instant
	// Partial: something named, or part of a file, could not be used.
	Partial bool
	// Watched: it is a cluster that was watched until now.
	Watched bool
	// LeadersUnwatched is since when its leader leases are not watched, though all else is.
	LeadersUnwatched model.Instant
	// Recordings are Kardia's own files behind the History, in order of time; none if other files were read.
	Recordings []*recording.File

	merged []*recording.File // that were to be merged with others, or hold the Changes of a stream
	joined []*recording.File // those of them that were merged
}

// Close frees what the History has on disk. It may be called more than once.
func (o *Opened) Close() {
	for _, r := range slices.Concat(o.Recordings, o.merged) {
		_ = r.Close()
	}
}
