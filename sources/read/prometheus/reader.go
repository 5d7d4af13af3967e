// Package prometheus reads Prometheus' answers to a query (its HTTP API's JSON: a matrix or a vector), as Statements.
// They are from samples of kube-state-metrics, kube-controller-manager and Prometheus itself about nodes. A sample is
// one time; the time between two is a window, about which nothing is stated. For example: kube_node_status_condition of
// Ready changing to unknown is SaidReady.
package prometheus

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/input"
	"kardia/sources/read/jsonscan"
)

const (
	// MaxStatements limits the Statements of one file.
	MaxStatements = 50_000
	// LookBack is how old a range query's sample may be: Prometheus' default.
	// Source: prometheus: cmd/prometheus, query.lookback-delta.
	LookBack = 5 * time.Minute
	// behind is how far kube-state-metrics' watch may be behind the API server.
	behind = time.Second
	// irregular is the common step below which samples have scrapes' own times. A range query's have equal steps.
	irregular = 100 // ms
)

type Log struct {
	Statements []history.Statement
	Coverage   model.Interval
	// Used and Other count the series about nodes, and the others; Dropped the Statements beyond MaxStatements.
	Used, Other, Dropped int
}

// Reader reads the series of one file. Not safe for concurrent use.
type Reader struct {
	source   int32
	lookBack time.Duration
	log      Log

	ready  map[string][]run // of a node, with the status that its Ready condition has
	taints map[taint][]run
	leases map[string][]run // with the renewTime
	counts map[model.ZoneKey][]run
	up     []run
	// tainted is from when to when any taint of an instance was sampled: a taint without a sample then did not exist.
	tainted map[string]model.Interval
	fresh   map[shown]newest
	// times are those at which the nodes of an instance were sampled, instants the same in order.
	times    map[string]map[model.Instant]bool
	instants map[string][]model.Instant
}

type run struct {
	first, last model.Instant
	times       int
	exact       bool // each sample is a scrape's, at its time
	instance    string
	status      model.Status
	value       float64
	before      float64 // the value of the samples before it; NaN if there are none
	after       float64 // likewise
	previous    model.Instant
	text        string
	node        string
	origin      model.Origin
}

type taint struct{ node, key string }

// shown is a time at which an instance's samples were asked for.
type shown struct {
	instance string
	at       model.Instant
}

// newest are the two newest renewals of a sample's time: one clock alone is not believed.
type newest struct{ most, second model.Instant }

// NewReader makes a Reader. lookBack is that of the Prometheus that answered; 0 means LookBack.
func NewReader(source int32, lookBack time.Duration) *Reader {
	return &Reader{source: source, lookBack: cmp.Or(lookBack, LookBack), ready: map[string][]run{}, taints: map[taint][]run{}, leases: map[string][]run{}, counts: map[model.ZoneKey][]run{},
		tainted: map[string]model.Interval{}, fresh: map[shown]newest{}, times: map[string]map[model.Instant]bool{}, instants: map[string][]model.Instant{}}
}

// Sniff reports whether a file is an answer of Prometheus.
func Sniff(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[') && bytes.Contains(head, []byte(`"resultType"`)) &&
		(bytes.Contains(head, []byte(`"matrix"`)) || bytes.Contains(head, []byte(`"vector"`)))
}

// IsSeries reports whether an entry of a list is a series with its samples.
func IsSeries(entry []byte) bool { return bytes.Contains(entry, []byte(`"metric"`)) }

// Series takes a series with its samples, or a whole answer.
func (r *Reader) Series(entry input.Line) {
	if !jsonscan.Valid(entry.Data) {
		r.log.Other++
		return
	}
	object := gjson.ParseBytes(entry.Data)
	if answer := object.Get("data.result"); answer.IsArray() {
		answer.ForEach(func(_, one gjson.Result) bool {
			r.series(one, entry)
			return true
		})
		return
	}
	r.series(object, entry)
}

func (r *Reader) series(object gjson.Result, entry input.Line) {
	metric := object.Get("metric")
	label := func(name string) string { return metric.Get(name).Str }
	s := series{run: run{instance: cmp.Or(label("instance"), label("job")), before: math.NaN(), after: math.NaN(),
		origin: model.Origin{Source: r.source, Line: int32(min(entry.Number, math.MaxInt32)), Offset: entry.Offset}},
		samples: samplesOf(object)}
	// If Prometheus already has a label of the name, the metric's own label is exported_….
	s.node = cmp.Or(label("exported_node"), label("node"))
	s.exact = s.irregular()
	if !r.take(&s, label) || len(s.samples) == 0 {
		r.log.Other++
		return
	}
	r.log.Used++
	for _, at := range []model.Instant{s.samples[0].at, s.samples[len(s.samples)-1].at} {
		r.log.Coverage = r.log.Coverage.Spanning(model.Exactly(at))
	}
}

// take keeps a series' facts about nodes; false if it has none.
func (r *Reader) take(s *series, label func(string) string) bool {
	switch label("__name__") {
	case "kube_node_status_condition":
		return label("condition") == "Ready" && s.node != "" && r.condition(s, label("status"))
	case "kube_node_spec_taint":
		if key := label("key"); s.node != "" && label("effect") == "NoExecute" && (key == model.TaintUnreachable || key == model.TaintNotReady) {
			t := taint{s.node, key}
			r.taints[t] = append(r.taints[t], s.present()...)
		}
		for _, x := range s.samples { // with any key, it shows that taints were sampled then
			r.tainted[s.instance] = r.tainted[s.instance].Spanning(model.Exactly(x.at))
		}
		return s.node != ""
	case "kube_lease_renew_time":
		if s.node = cmp.Or(label("lease"), s.node); s.node == "" || label("namespace") != "kube-node-lease" && label("exported_namespace") != "kube-node-lease" {
			return false
		}
		r.lease(s)
		return true
	case "node_collector_unhealthy_nodes_in_zone":
		zone := zoneOf(cmp.Or(label("exported_zone"), label("zone")))
		r.counts[zone] = append(r.counts[zone], s.runs()...)
		return true
	case "up":
		s.text = `up{job=` + strconv.Quote(label("job")) + `,instance=` + strconv.Quote(label("instance")) + `}`
		r.up = append(r.up, slices.DeleteFunc(s.runs(), func(x run) bool { return x.value != 0 })...)
		return true
	}
	return false
}

func (r *Reader) condition(s *series, status string) bool {
	is, known := map[string]model.Status{"true": model.StatusTrue, "false": model.StatusFalse, "unknown": model.StatusUnknown}[status]
	if !known {
		return false
	}
	s.status = is
	r.ready[s.node] = append(r.ready[s.node], s.present()...)
	all := r.times[s.instance]
	if all == nil {
		all = map[model.Instant]bool{}
		r.times[s.instance] = all
	}
	for _, x := range s.samples {
		all[x.at] = true
	}
	return true
}

// leaseDuration is the age from which a lease is reported: kubelets renew every 10 s, and a lease holds for 40.
const leaseDuration = 40 * time.Second

// lease keeps when a node's lease was not renewed, and which renewals the samples show.
func (r *Reader) lease(s *series) {
	for _, x := range s.samples {
		key, renewed := shown{s.instance, x.at}, seconds(x.value)
		n := r.fresh[key]
		switch {
		case renewed > n.most:
			n.most, n.second = renewed, n.most
		case renewed > n.second:
			n.second = renewed
		}
		r.fresh[key] = n
	}
	for _, run := range s.runs() {
		if run.last.Sub(seconds(run.value)) > leaseDuration && seconds(run.value).Bounded() {
			r.leases[s.node] = append(r.leases[s.node], run)
		}
	}
}

// zoneOf reads the controller's own key of a zone.
func zoneOf(key string) model.ZoneKey {
	if region, zone, ok := strings.Cut(key, ":\x00:"); ok {
		return model.ZoneKey{Region: region, Zone: zone}
	}
	return model.ZoneKey{Zone: key}
}
