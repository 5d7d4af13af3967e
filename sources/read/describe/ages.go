package describe

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"kardia/model"
)

// age is how long before the capture something was: at least short, less than long. The zero value is unknown.
type age struct{ short, long time.Duration }

func (a age) known() bool { return a.long > 0 }

var (
	lone  = regexp.MustCompile(`^(?:\d{1,5}[smhdy]){1,2}$`)
	units = map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'y': 365 * 24 * time.Hour}
	since = `((?:\d{1,5}[smhdy]){1,2}|<unknown>|<invalid>)`
	// newer is a row since kubectl 1.8 (Type Reason Age From Message), older one of before (FirstSeen LastSeen Count
	// From SubObjectPath Type Reason Message).
	newer = regexp.MustCompile(`^(Normal|Warning)\s+(\S+)\s+` + since + `(?:\s+\(x(\d{1,9}) over ` + since + `\))?\s+([A-Za-z0-9][^\s,]*)(?:, (\S+))?\s*(.*)$`)
	older = regexp.MustCompile(`^` + since + `\s+` + since + `\s+(\d{1,9})\s+\{?([^\s,}]+)(?:,? ([^\s}]+))?\s*\}?\s+(Normal|Warning)\s+(\S+)\s*(.*)$`)
)

func eventOf(line string) (e event, ok bool) {
	if f := newer.FindStringSubmatch(line); f != nil {
		e = event{kind: f[1], reason: f[2], last: ageOf(f[3]), count: 1, component: f[6], host: f[7], message: f[8]}
		if f[5] != "" {
			e.count = numbered(f[4])
		}
		return e, true
	}
	if f := older.FindStringSubmatch(line); f != nil {
		return event{kind: f[6], reason: f[7], last: ageOf(f[2]), count: numbered(f[3]), component: f[4], host: f[5], message: f[8]}, true
	}
	return e, false
}

// ageOf reads an age, which kubectl cuts to its last unit.
// Source: kubernetes: apimachinery/pkg/util/duration, HumanDuration.
func ageOf(text string) (a age) {
	if !lone.MatchString(text) {
		return a
	}
	unit := time.Duration(0)
	for text != "" {
		i := strings.IndexFunc(text, func(r rune) bool { return r > '9' })
		n, err := strconv.Atoi(text[:i])
		if unit = units[text[i]]; err != nil || n > 30000 || n > 200 && text[i] == 'y' {
			return age{}
		}
		a.short += time.Duration(n) * unit
		text = text[i+1:]
	}
	a.long = a.short + unit
	return a
}

// reacts is how long after a change of a condition its Event may be recorded.
const reacts = 2 * time.Second

// tellsOf is the change of a condition that an Event is about. The newest Event of a reason, and the condition's
// transition to that status, are one.
// Source: kubernetes: pkg/kubelet/nodestatus; pkg/controller/util/node, RecordNodeStatusChange.
var tellsOf = map[string]struct {
	condition string
	statuses  string
}{
	"NodeReady":                 {"Ready", "True"},
	"NodeNotReady":              {"Ready", "False Unknown"},
	"NodeHasSufficientMemory":   {"MemoryPressure", "False"},
	"NodeHasInsufficientMemory": {"MemoryPressure", "True"},
	"NodeHasNoDiskPressure":     {"DiskPressure", "False"},
	"NodeHasDiskPressure":       {"DiskPressure", "True"},
	"NodeHasSufficientPID":      {"PIDPressure", "False"},
	"NodeHasInsufficientPID":    {"PIDPressure", "True"},
}

// taken is when the text was printed, by the age of an Event that records a change of a condition. It is unknown
// without one, or if times in the text are later. The earliest counts: a lost Event that was not renewed looks too old.
func (p *page) taken() (at model.Interval) {
	for _, e := range p.events {
		of, ok := tellsOf[e.reason]
		if !ok || !e.last.known() {
			continue
		}
		for _, c := range p.conditions {
			if c.kind != of.condition || c.transition.IsZero() || !strings.Contains(of.statuses, c.status) || e.reason == "NodeReady" && e.component != "kubelet" {
				continue
			}
			from := model.At(c.transition)
			one := model.Interval{Earliest: from.Add(e.last.short), Latest: from.Add(e.last.long + reacts)}
			if one.Earliest.Bounded() && one.Latest.Bounded() && (!at.Known() || one.Earliest < at.Earliest) {
				at = one
			}
		}
	}
	if newest := p.newest(); at.Known() && at.Latest < newest {
		return model.Interval{}
	}
	return at
}

func (p *page) newest() (newest model.Instant) {
	take := func(t time.Time) {
		if !t.IsZero() && model.At(t).Bounded() {
			newest = max(newest, model.At(t))
		}
	}
	take(moment(p.lease["RenewTime"]))
	for _, c := range p.conditions {
		take(c.heartbeat)
		take(c.transition)
	}
	return newest
}

// when bounds when something of an age was, in a text printed at a time.
func when(a age, printed model.Interval) model.Interval {
	if !a.known() || !printed.Earliest.Bounded() {
		return model.Always
	}
	is := model.Interval{Earliest: printed.Earliest.Add(-a.long), Latest: model.FarFuture}
	if printed.Latest.Bounded() {
		is.Latest = printed.Latest.Add(-a.short)
	}
	return is
}
