package model

import (
	"strconv"
	"strings"
	"time"
)

// evictNote begins the Note of a request to the Eviction API, which checks PodDisruptionBudgets and then deletes a pod.
const evictNote = "deletion asked for through the Eviction API"

// EvictNote is the Note of a request to the Eviction API, with the words of its answer.
func EvictNote(answer string) string { return strings.TrimSuffix(evictNote+": "+answer, ": ") }

// Evicts reports whether the Change is a request to the Eviction API for its pod, with the words of the answer.
func (c *Change) Evicts() (answer string, ok bool) {
	if c.Kind != KindPod {
		return "", false
	}
	answer, ok = strings.CutPrefix(c.Note, evictNote)
	return strings.TrimPrefix(answer, ": "), ok
}

// Eviction is the requests to the Eviction API for an existing pod. Requests within evictionPause of each other are
// one: kubectl drain asks every five seconds.
// Source: kubectl: pkg/drain, evictPods.
type Eviction struct {
	// By is the last sender; the zero value if the source does not show it.
	By Requester
	// First and Last are when the first and the last request were answered.
	First, Last Instant
	// Refusals counts the refused requests; Refused is the last time. All are zero if the last request was granted.
	Refusals int
	Refused  Instant
	Answer   Refusal
}

// evictionPause separates two evictions of one pod.
const evictionPause = 10 * time.Minute

// maxEvictions is the number of related objects from which on no new evictions are kept.
const maxEvictions = 1 << 16

const (
	DetailUser     = "user"
	DetailAgent    = "agent"
	DetailFirst    = "first"
	DetailLast     = "last"
	DetailRefused  = "refused"
	DetailRefusals = "refusals"
	DetailCode     = "code"
	DetailAnswer   = "answer"
)

// Eviction is the requests to evict an existing pod; ok is false if there are none.
func (c *Cluster) Eviction(k Key) (e Eviction, ok bool) {
	row, ok := c.RelatedBy(KindEviction, k)
	if !ok {
		return e, false
	}
	text := row.Details.Value
	e.By = Requester{User: text(DetailUser), Agent: text(DetailAgent)}
	e.First, e.Last, e.Refused = ParseDetailTime(text(DetailFirst)), ParseDetailTime(text(DetailLast)), ParseDetailTime(text(DetailRefused))
	if e.Refusals, _ = strconv.Atoi(text(DetailRefusals)); e.Refusals > 0 {
		code, _ := strconv.ParseInt(text(DetailCode), 10, 16)
		e.Answer, _ = (&Change{Kind: KindPod, Op: OpAttempt, Code: int16(code), Note: EvictNote(text(DetailAnswer))}).Refused()
	}
	return e, true
}

func (c *Cluster) foldEviction(ch *Change) {
	const notFound = 404
	at := ch.Effective()
	if answer, ok := ch.Evicts(); ok && at.Bounded() && ch.Code != notFound {
		e, asked := c.Eviction(ch.Key)
		if !asked && len(c.related.rows) >= maxEvictions {
			return
		}
		if !asked || at.Sub(e.Last) > evictionPause {
			e = Eviction{First: at}
		}
		if e.Last, e.By = at, (Requester{}); ch.Requester != nil {
			e.By = *ch.Requester
		}
		if ch.Op != OpAttempt {
			e.Refusals, e.Refused, answer = 0, 0, ""
		} else {
			e.Refusals, e.Refused = e.Refusals+1, at
		}
		list := []Detail{{DetailUser, e.By.User}, {DetailAgent, e.By.Agent}, {DetailFirst, DetailTime(e.First)}, {DetailLast, DetailTime(at)}, {DetailRefused, DetailTime(e.Refused)},
			{DetailRefusals, strconv.Itoa(e.Refusals)}, {DetailCode, strconv.Itoa(int(ch.Code))}, {DetailAnswer, answer}}
		c.PutRelated(KindEviction, ch.Key, RelatedRow{&Related{Details: Details(PackDetails(list, nil))}, 0, ch.Time})
	}
}

func (c *Cluster) evicted(k Key) {
	if _, asked := c.RelatedBy(KindEviction, k); asked {
		delete(c.ownRelated().rows, ObjectID{KindEviction, k})
	}
}
