package contract

import (
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/ui/doc"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Evictions is every pod that a node's trouble threatens at a time, the next first.
type Evictions struct {
	At Stamp `json:"at"`
	Caveats
	Evictions []Eviction `json:"evictions"`
	Attached
	Assumptions []string `json:"assumptions"`
}

// Eviction is the prediction for one pod.
type Eviction struct {
	Namespace string  `json:"namespace"`
	Pod       string  `json:"pod"`
	UID       *string `json:"uid"`
	Node      string  `json:"node"`
	// State is pending, queued, blocked, forever, terminating, stuck or possibly-deleted.
	State string `json:"state"`
	// Earliest and Latest are null if no deletion is ahead.
	Earliest Stamp `json:"earliest"`
	Latest   Stamp `json:"latest"`
	// Certain is false if the deletion may not come; nil if none is ahead.
	Certain *bool `json:"certain"`
	// TolerationSeconds is nil for forever, and for none.
	TolerationSeconds *int64 `json:"tolerationSeconds"`
	// Rule is the rule that holds it, Spec its number in docs/rules.md.
	Rule string `json:"rule"`
	Spec string `json:"ruleNumber"`
	Why  string `json:"why"`
	// Became is the recorded outcome; nil if the recording ends before that is decided.
	Became *Became `json:"became"`
}

// Became is the outcome of a prediction.
type Became struct {
	// Fate is came-true, missed, broken or lapsed.
	Fate string `json:"fate"`
	Time Stamp  `json:"time"`
	// OffSeconds is how long after its window it came, negative if before. It is nil if it came within, did not come,
	// or was predicted never to come.
	OffSeconds *float64 `json:"offSeconds"`
}

// Later adds the outcomes of the predicted evictions.
func (e *Evictions) Later(list []forecast.Ahead) {
	rows := map[model.Key]*Eviction{}
	for i := range e.Evictions {
		row := &e.Evictions[i]
		rows[model.Key{Namespace: row.Namespace, Name: row.Pod}] = row
	}
	for i := range list {
		a := &list[i]
		row := rows[a.Pod]
		if row == nil || a.Fate == forecast.Pending || a.Fate == forecast.Unforeseen {
			continue
		}
		row.Became = &Became{Fate: a.Fate.String(), OffSeconds: known(a.Off.Known, a.Off.Value.Round(time.Millisecond).Seconds())}
		if a.Later != nil {
			row.Became.Time = Stamp(a.Later.Time)
		}
	}
}

// Assumed are a forecast's assumptions.
func Assumed(f *forecast.Forecast) []string { return topics.Assumptions(f, words.Plain) }

// EvictionsAt reports the predictions for pods.
func EvictionsAt(at model.Instant, list []forecast.Eviction, assumptions []string) Evictions {
	rows := each(list, func(e forecast.Eviction) Eviction {
		return Eviction{Namespace: e.Pod.Namespace, Pod: e.Pod.Name, UID: text(e.UID.String()), Node: e.Node,
			State: e.State.String(), Rule: e.Rule.String(), Spec: e.Rule.Spec(), Why: topics.EvictionWhy(&e.Why).String(),
			Earliest: Stamp(e.Window.Earliest), Latest: Stamp(e.Window.Latest), Certain: known(e.Window.Known() && e.Window.Earliest.Bounded(), e.Certain), TolerationSeconds: known(e.Seconds.Known, e.Seconds.Value)}
	})
	return Evictions{At: Stamp(at), Evictions: rows, Attached: Attached{Volumes: []Volume{}}, Assumptions: append([]string{}, assumptions...)}
}

// Doc implements Printed.
func (e Evictions) Doc(wide bool) doc.Doc {
	t := &doc.Grid{Head: []string{"IN", "EARLIEST", "LATEST", "STATE", "NAMESPACE", "POD", "NODE", "TOLERATES", "RULE", "WHY"}}
	for i := range e.Evictions {
		row := &e.Evictions[i]
		tolerates := none
		if row.TolerationSeconds != nil {
			tolerates = strconv.FormatInt(*row.TolerationSeconds, 10) + "s"
		}
		t.Add(within(e.At, row.Earliest, row.Latest), ahead(e.At, row.Earliest), ahead(e.At, row.Latest), row.State, row.Namespace, row.Pod, row.Node, tolerates, row.Rule, row.Why)
	}
	d := tableOf(t, wide, "EARLIEST", "LATEST", "WHY")
	e.Attached.put(&d, e.At)
	return d
}

func within(now, earliest, latest Stamp) string {
	w := model.Interval{Earliest: model.Instant(earliest), Latest: model.Instant(latest)}
	switch {
	case !w.Earliest.Bounded() && !w.Latest.Bounded():
		return none
	case !w.Latest.Bounded():
		w.Latest = model.FarFuture
	}
	return words.Plain.Ahead(model.Instant(now), w)
}

func ahead(now, then Stamp) string {
	a, b := model.Instant(now), model.Instant(then)
	switch {
	case !b.Bounded():
		return none
	case !a.Bounded():
		return unknown
	case b < a:
		return paint.Duration(a.Sub(b)) + " ago"
	}
	return "in " + paint.Duration(b.Sub(a).Round(time.Second))
}
