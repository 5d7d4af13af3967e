package infer

import (
	"time"

	"kardia/model"
	"kardia/model/history"
)

// Code is the subject of a Note.
type Code string

// The assumptions of a Result.
const (
	PhaseAssumed  Code = "phase-assumed"
	PhaseFitted   Code = "phase-fitted" // to N passes
	Swamped       Code = "swamped"
	NodesUnknown  Code = "nodes-unknown"
	LeasesOnly    Code = "leases-only"    // N nodes
	RestartsSeen  Code = "restarts"       // N of them, by Registrations, Elections and logs: Counts
	NoneBefore    Code = "none-before"    // Until
	Leaderless    Code = "leaderless"     // from Since to Until
	ProcessEnded  Code = "process-ended"  // acted at At, ended by Since, the next from Until
	LostLeader    Code = "lost-leader"    // since Since, acted at At
	SamplesOff    Code = "samples-off"    // those of Name, by Clock, by Counts[2] writes
	LogUnused     Code = "log-unused"     // Name
	LogUsed       Code = "log-used"       // Name: Counts of passes, starts and writes, by Clock
	LogShifted    Code = "log-shifted"    // the same, and its clock is off
	FlagsSaid     Code = "flags-said"     // Name before Since, as the process said
	FlagsDefault  Code = "flags-default"  // Name before Since, as it explains more
	NotSeen       Code = "not-seen"       // objects of the kind Name, from Since to Until
	NoLease       Code = "no-lease"       // of N nodes
	NoPods        Code = "no-pods"        // in the input
	Uncollected   Code = "uncollected"    // N pods
	UnknownAfter  Code = "unknown-after"  // the kind Name after Since: N writes
	Untainted     Code = "untainted"      // N taints
	OneInstant    Code = "instant"        // At
	Instants      Code = "instants"       // N of them, from Since to Until
	PartlyInstant Code = "partly-instant" // Of
	TakenToBeat   Code = "taken-to-beat"
	NotDoubted    Code = "not-doubted" // the flags Name
	Supposed      Code = "supposed"    // Of, by the hypothesis Name or one of Or, about At: N writes
)

// Why the input cannot support a judgement.
const (
	NoTime        Code = "no-time"
	TooLong       Code = "too-long"       // For, of at most Most
	LosesLines    Code = "loses-lines"    // Name is how that is known
	LeasesMissing Code = "leases-missing" // or LeasesListed, and not watched
	LeasesListed  Code = "leases-listed"
	NodesMissing  Code = "nodes-missing"
	NodesListed   Code = "nodes-listed"
	NotVerified   Code = "not-verified" // Of
)

// Note is an assumption of a Result, or evidence about a hypothesis: its Code and values. ui/topics words it.
type Note struct {
	Code             Code
	N                int
	Counts           [3]int
	Name             string
	Clock            history.Offset
	Since, Until, At model.Instant
	For, Most        time.Duration
	Or               []string
	Of               *Note
}
