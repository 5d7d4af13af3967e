package session

import (
	"sync"
	"sync/atomic"
	"time"

	"kardia/model"
	"kardia/model/explain/margin"
	"kardia/model/explain/outlook"
	"kardia/model/explain/verify"
	"kardia/model/explain/why"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/past"
	"kardia/model/simulate/alternative"
	"kardia/model/simulate/whatif"
	"kardia/sources/capture/memory"
	"kardia/sources/capture/recorder"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
)

// What the parts of a session keep. Their work is in files of their own.

// brancher plays branches, one at a time, and keeps the last result.
type brancher struct {
	shown   *screen.Branch
	waiting bool
	stop    func() // ends the running branch; nil if none runs
	base    *branchBase
}

type branchJob struct {
	order   screen.BranchOrder
	history history.History
	models  *models
	base    *branchBase
	told    func(share float64) bool
}

// branchBase is a Base and its needs: a branch with the same needs reuses it.
type branchBase struct {
	models *models
	from   model.Instant
	lasts  time.Duration
	is     *whatif.Base
	job    *branchJob // receives its progress
}

// curtained is a Result reduced to the facts known by a time, kept for the screens.
type curtained struct {
	of    *infer.Result
	at    model.Instant
	shown *infer.Result
}

// stepped is the decision stepped to, and the time shown for it.
type stepped struct {
	decision *model.Decision
	at       model.Instant
}

// live is a stream and its news since the last look.
type live struct {
	stream  stream.Stream
	memory  *memory.Recorder
	status  []stream.Status
	contact stream.Contact
	// heard is the time at which a Node or its lease last arrived, even by a watch from before the API server was lost.
	heard model.Instant
	news  news
	// clocks are this machine's; nil if the session's own is not real.
	clocks *recorder.Clocks
	calm   calm

	// pods is their first list; listing: more of it may come.
	pods    history.PodList
	listing bool
}

// news is the messages so far, and the state to compare the next with.
type news struct {
	list     []Told
	lost     model.Instant // the last sign of life while there is none
	overdue  infer.Overdue
	restarts int
	// stood are the times in which the controllers missed required actions, in order; FarFuture ends a present one.
	stood []model.Interval
	// held are those that are over, from when they held the models.
	held []model.Interval
}

// Told is an event of a live session, or of the control plane that it watches, in words for the person.
type Told struct {
	At   model.Instant
	Text string
}

// standstill is a time in which the controllers missed required actions.
type standstill struct {
	// The first is from when an action was due to when they wrote again, or nothing had to be done any more. held
	// starts when that held the models.
	told, held model.Interval
	// They were seen to write again; another process started meanwhile; nothing was due, and only their writes show it.
	acts, anew, unseen bool
}

// calm decides which news of a live session can wait. Most only shows that a component is alive. It is drawn with the
// next whole second, as ages are printed, and brings the models no work. A large cluster has hundreds of such a second.
// All else is drawn at once, unless the last frame is younger than frameRest or took much news. A failed zone writes
// thousands of things a minute. The zero value is ready.
type calm struct {
	// undrawn: something arrived since the last frame. stirred counts the Changes of that beyond signs of life. busy:
	// many were drawn with the last frame.
	undrawn, busy bool
	stirred       int
	drawn         model.Instant // the last frame
	// unjudged: more than signs of life arrived since the models last started to read. quiet counts the nodes and
	// leaders silent for quietAfter then.
	unjudged bool
	quiet    int
	// reading: the models are reading more than signs of life, which their last result lacks.
	reading bool
}

// modelRunner runs the models, and keeps their last result.
type modelRunner struct {
	judging Judging
	live    bool

	models  *models
	current *modelsAt
	shown   *outlook.Judgement
	// tried is the options for a node, at the present time or an earlier one; wanted is the last request.
	tried  *alternative.Tried
	wanted wanted
	// reading: a run is in progress, or to come, and has read percent; ended is when the last one ended.
	reading bool
	ended   time.Time
	percent int
	asked   model.Instant

	order   order
	working bool // on an order
	garbage *garbage
}

// order is the models' next task; only the newest counts.
type order struct {
	history history.History // to run over; nil for none
	options infer.Options
	// overdue is the last run's finding about a live session.
	overdue infer.Overdue
	at      model.Instant // to work the state out at; unknown for none
	try     string        // the node to try alternatives on; "" for none
}

type wanted struct {
	node string
	at   model.Instant
}

// garbage is collected while no person waits, so that a jump does not share the processor with the collector. In a
// large cluster one jump in ten would take twice as long.
type garbage struct {
	busy      atomic.Bool
	released  time.Time     // when free memory was given back last
	collected atomic.Uint64 // how much had been allocated then, at the least
	cycles    atomic.Uint64 // how many collections there had been
}

// models are the result of one run of the models over a History.
type models struct {
	// asked: the result answers one question at a time.
	asked sync.Mutex
	// past finds the fault domain, one time at a time. It is nil while only the newest time was asked for: a watched
	// session need not keep two states of the cluster for days.
	past             *history.Cursor
	history          history.History
	result           *infer.Result
	index            *why.Index
	until            model.Instant
	leadersUnwatched model.Instant
	// missing is why nothing can be judged; result is nil then, or has only what logs show.
	missing outlook.Missing
	// stood is the standstill that has ended, if any.
	stood  *standstill
	cost   time.Duration
	memory history.Kept
}

// modelsAt is the models' result for a time.
type modelsAt struct {
	outlook.Judgement
	at    model.Instant
	known *infer.State // with only what was known by then: the forecast rests on it
	cost  time.Duration
}

// opening is a recording being opened.
type opening struct {
	options Options
	began   time.Time

	told atomic.Pointer[screen.Opening]
}

// timelineReader reads the whole covered time: what changed when, and hits of a search.
type timelineReader struct {
	shown screen.Timeline
	// own and search are a live session's, extended as it hears more.
	own    *past.Overview
	search *past.Search
	stop   func() // ends the search in the background; nil if there is none

	// reviewed is the input of the anomalies and states; nil before the first time.
	reviewed *reviewed
}

// reviewed is the inputs of a review: the run, the number of clock steps, and whether all gaps are known.
type reviewed struct {
	result *infer.Result
	steps  int
	done   bool
}

// seeker goes to times in the background: a new request must not wait for an old one. One Cursor is at the time shown,
// the other goes ahead; when it has arrived they swap.
type seeker struct {
	// spare is the viewpoint that is not shown; nil while a job has it, and before the first.
	spare   *viewpoint
	running *seekJob
	// queue is at most a seek, and then a search.
	queue []*seekJob
	// reading is held by a job: nothing is read ahead meanwhile.
	reading sync.Mutex
}

// viewpoint is a Cursor, and its History.
type viewpoint struct {
	cursor *history.Cursor
	reader *watched
}

// watched is a History with a function that is called before each page is read, and may forbid it.
type watched struct {
	history.History
	watch func(history.Page) error // nil for none
	// full is the last page read in full: the next search starts at the end of the last one.
	full history.Condensed
}

type seekJob struct {
	// to is the target. If it is unknown, find searches it; its result is used on the drawing goroutine.
	to      model.Instant
	what    string // its name, by a code of ui/words
	of      string
	onStart func() // on the goroutine that draws, when it begins; may be nil
	find    func(*viewpoint) error
	onDone  func(error)

	viewpoint *viewpoint
	err       error
	stop      func()
	stopped   bool
	reached   atomic.Int64 // the time of the page being read
	lastTold  time.Time
}

// latest keeps the last answer A to one kind of question Q about the History. Answers are found in the background, one
// at a time, and only while they are asked for.
type latest[Q, A any] struct {
	cached  *found[Q, A]  // nil before the first
	running *Q            // nil if none runs
	stop    func()        // ends the running one
	cost    time.Duration // of cached
	ended   time.Time
	waits   bool     // a new answer may wait for the next frame
	reader  *watched // nil before the first
}

// found is an answer, or why there is none.
type found[Q, A any] struct {
	to     Q
	answer A
	err    error
}

// Answers that are looked for in the background.

// margins are computed in the background while shown: a large day takes a minute.
type margins = latest[margin.Options, *margin.Margin]

// supposed is what would explain the unexplained writes of a run. It is searched only while it is shown and something is
// unexplained: the models run many times.
type supposed = latest[*infer.Result, *verify.Report]

// trackOf is a node and a window. covered is the coverage when it was asked for.
type trackOf struct {
	node            string
	window, covered model.Interval
}

// tracks are built wider than requested, so that playing and following do not read the History for every frame. Minutes
// of a large cluster are a million Changes.
type tracks = latest[trackOf, *past.Track]
