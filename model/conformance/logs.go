package conformance

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-logr/logr"
)

// told are the log messages of decisions that may leave no object, and the loops that log them.
var told = map[string]Actor{
	"Node is NotReady. Adding it to the Taint queue":                                    Pass,
	"Node is unresponsive. Adding it to the Taint queue":                                Pass,
	"Node is healthy again, removed all taints":                                         Pass,
	"Controller observed a new Node":                                                    Pass,
	"Controller observed a Node deletion":                                               Pass,
	"Recording status change event message for node":                                    Pass,
	"Controller detected that zone is now in new state":                                 Pass,
	"Controller detected that all Nodes are not-Ready. Entering master disruption mode": Pass,
	"Controller detected that some Nodes are Ready. Exiting master disruption mode":     Pass,
	"Initializing eviction metric for zone":                                             Pass,
	"Missing timestamp for Node. Assuming now as a timestamp":                           Pass,
	"Creating timestamp entry for newly observed Node":                                  Pass,
	"Node ReadyCondition updated. Updating timestamp":                                   Pass,
	"Update health of Node from Controller error, Skipping - no pods will be evicted":   Pass,
	"Node was in a taint queue, but it's ready now. Ignoring taint request":             Tick,
	"Node no longer present in nodeLister":                                              Tick,
	"Failed to get NodeCondition from the node status":                                  Tick,
	countdownStarts: Eviction,
	"Trying to add already existing work, skipping": Eviction,
	eventOccurred:  Eviction,
	"Deleting pod": Eviction,
	"TaintEvictionController: timed worker failed": Eviction,
}

// countdownStarts has a pod and the end of its countdown.
const countdownStarts = "Adding TimedWorkerQueue item and to be fired at firedTime"

// eventOccurred is how a recorder logs each event before any is dropped.
const eventOccurred = "Event occurred"

func mentions(pairs []any, text string) bool {
	for _, p := range pairs {
		if s, ok := p.(string); ok && strings.HasPrefix(s, text) {
			return true
		}
	}
	return false
}

// fields are the log fields that are kept.
var fields = map[string]bool{"node": true, "zone": true, "newState": true, "item": true, "firedTime": true, "createTime": true, "pod": true, "object": true}

type sink struct {
	process context.Context
	trace   *Trace
}

func logger(process context.Context, t *Trace) logr.Logger { return logr.New(sink{process, t}) }

func (sink) Init(logr.RuntimeInfo) {}

// Enabled leaves out V(10), which a waiting queue writes every 100 ms.
func (sink) Enabled(level int) bool { return level <= 4 }

func (s sink) Info(_ int, message string, pairs ...any) {
	by, ok := told[message]
	if !ok || s.process.Err() != nil {
		return
	}
	if message == eventOccurred && !mentions(pairs, "Cancelling deletion of Pod") {
		return
	}
	line := &Line{Message: message, Fields: map[string]string{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		if k, ok := pairs[i].(string); ok && fields[k] {
			line.Fields[k] = fmt.Sprint(pairs[i+1])
		}
	}
	s.trace.add(Step{By: by, Log: line})
}

func (s sink) Error(_ error, message string, pairs ...any) { s.Info(0, message, pairs...) }
func (s sink) WithValues(...any) logr.LogSink              { return s }
func (s sink) WithName(string) logr.LogSink                { return s }
