package model

import (
	"strconv"
	"strings"
)

const (
	// DetailEnded is why a kubelet ended or refused a pod, in the form of Ending.String.
	DetailEnded = "ended"
	// DetailPriority is spec.priority: kubelets that shut down end pods by ranges of it.
	DetailPriority = "priority"
)

// SystemCritical is the least priority of system-critical pods.
// Source: kubernetes: pkg/apis/scheduling, SystemCriticalPriority.
const SystemCritical = 2_000_000_000

// Ending is the kubelet's reason, in a pod's status, for ending or refusing the pod.
type Ending struct {
	// Reason is status.reason: Evicted, Terminated, Preempting, OutOfcpu and the like.
	Reason string
	By     EndedBy
	// Named is the resource or the condition in the message.
	Named string
}

// EndedBy is the subject of an Ending's message.
type EndedBy uint8

const (
	// EndedUnsaid: the message has none that is known here.
	EndedUnsaid EndedBy = iota
	// EndedForResource: the node was low on a resource.
	EndedForResource
	// EndedForCondition: the node had a condition, and the pod was refused.
	EndedForCondition
	// EndedForLimit: the pod used more disk than its own limit.
	EndedForLimit
)

var endedWords = [...]string{"", "resource", "condition", "limit"}

// Parts of status.message.
// Source: kubernetes: pkg/kubelet/eviction/helpers.go; Kubelet.rejectPod puts words of its own before them.
const (
	lowOnResource = "The node was low on resource: "
	hadCondition  = "The node had condition: "
)

var overLimit = [...]string{"exceeded its local ephemeral storage limit", "ephemeral local storage usage exceeds the total limit", "Usage of EmptyDir volume"}

// EndingOf reads the status of a pod that ended; ok is false if it has no reason.
func EndingOf(reason, message string) (e Ending, ok bool) {
	if !isWord(reason) {
		return e, false
	}
	e.Reason = reason
	named := func(after string, by EndedBy) bool {
		_, text, found := strings.Cut(message, after)
		if !found {
			return false
		}
		text, _, _ = strings.Cut(strings.TrimSpace(text), ".")                           // no resource of a kubelet has a dot
		if text = strings.ReplaceAll(strings.Trim(text, "[]"), " ", "/"); isWord(text) { // of several conditions
			e.By, e.Named = by, text
		}
		return true
	}
	if named(lowOnResource, EndedForResource) || named(hadCondition, EndedForCondition) {
		return e, true
	}
	for _, says := range overLimit {
		if strings.Contains(message, says) {
			e.By = EndedForLimit
		}
	}
	return e, true
}

// isWord reports whether a text is one word, as Kubernetes' reasons and resources are.
func isWord(text string) bool {
	return text != "" && len(text) <= 64 && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '/'
	})
}

// String is the ending as a detail: reason, subject, name.
func (e Ending) String() string {
	return strings.TrimSpace(e.Reason + " " + endedWords[min(e.By, EndedForLimit)] + " " + e.Named)
}

// ParseEnding reads what Ending.String wrote.
func ParseEnding(text string) (e Ending, ok bool) {
	parts := append(strings.Split(text, " "), "", "")
	if e.Reason = parts[0]; !isWord(e.Reason) {
		return Ending{}, false
	}
	for by, word := range endedWords {
		if word != "" && word == parts[1] {
			e.By, e.Named = EndedBy(by), parts[2]
		}
	}
	return e, e.Named == "" || isWord(e.Named)
}

// Message is the kubelet's message, as far as it was kept.
func (e Ending) Message() string {
	switch e.By {
	case EndedForResource:
		return lowOnResource + e.Named + ". "
	case EndedForCondition:
		return hadCondition + "[" + strings.ReplaceAll(e.Named, "/", " ") + "]. "
	case EndedForLimit:
		return overLimit[len(overLimit)-1] + " exceeds the limit. "
	}
	return ""
}

// Ending is the kubelet's reason for the pod's end; ok is false if there is none, or it was not shown.
func (p *Pod) Ending() (e Ending, ok bool) {
	if !p.Ended() {
		return e, false
	}
	text, ok := p.Details.Get(DetailEnded)
	if !ok {
		return e, false
	}
	return ParseEnding(text)
}

// Priority is the pod's priority; known is false if it was not shown.
func (p *Pod) Priority() (priority int64, known bool) {
	if text, ok := p.Details.Get(DetailPriority); ok {
		n, err := strconv.ParseInt(text, 10, 32)
		return n, err == nil
	}
	return 0, false
}
