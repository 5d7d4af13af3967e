// Package metrics is a Snapshot as OpenMetrics: for alerts that fire before pods are deleted. It adds no conclusions to
// those of the models.
package metrics

import (
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/simulate/forecast"
	"kardia/sources/capture/stream"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
)

// Every metric: its name, its meaning, its labels. docs/metrics.md lists the same.
var (
	nodesByState  = desc("kardia_nodes", "Nodes by zone and state.", "zone", "state")
	oldest        = desc("kardia_oldest_heartbeat_age_seconds", "Age of the oldest heartbeat of a zone's nodes.", "zone")
	zoneState     = desc("kardia_zone_state", "1 for the state that the node-lifecycle controller has for a zone, inferred.", "zone", "state")
	taintRate     = desc("kardia_zone_taints_per_second", "At which rate nodes of a zone are tainted NoExecute, inferred.", "zone")
	queue         = desc("kardia_zone_queue_nodes", "Nodes of a zone that wait for a NoExecute taint, inferred.", "zone")
	dark          = desc("kardia_master_disruption", "1 in master disruption: no node is tainted because no zone has a Ready node, inferred.")
	predicted     = desc("kardia_predicted_evictions", "Pods whose deletion for a taint lies ahead within 15 minutes, predicted.", "zone", "certain")
	next          = desc("kardia_next_eviction_timestamp_seconds", "When the next pod of a zone is deleted for a taint at the earliest, predicted; absent while none is.", "zone")
	stuck         = desc("kardia_stuck_terminating_pods", "Pods that were deleted, are past their grace, and cannot go.", "zone")
	fault         = desc("kardia_verdict_nodes", "Nodes of a verdict, by fault domain (docs/verdict.md).", "scope")
	skew          = desc("kardia_clock_skew_seconds", "The greatest difference of a kubelet's clock from the recorder's in a zone, way included.", "zone")
	judged        = desc("kardia_models_timestamp_seconds", "Up to when the models have read.")
	watchUp       = desc("kardia_watch_up", "1 while the watch of a kind is open and its list complete.", "kind")
	watchLast     = desc("kardia_watch_last_arrival_timestamp_seconds", "When anything arrived last by the watch of a kind.", "kind")
	notKnown      = desc("kardia_not_known", "1 for a reason why a count or a summary may be less than all there is (docs/json.md, notKnown).", "reason")
	contradicted  = desc("kardia_flag_contradicted", "1 for a flag of the control plane, given by hand, that what was seen contradicts; nothing is inferred or predicted then.", "flag", "given", "fits")
	overdue       = desc("kardia_controller_overdue_seconds", "For how long the controller has not done what it must have done; 0 while it does.")
	buildInfo     = desc("kardia_build_info", "1, with the version of Kardia.", "version")
	recorded      = desc("kardia_recording_size_bytes", "Size of the recording.")
	recordedSoFar = desc("kardia_recording_changes_total", "Changes recorded.")
)

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// Exporter serves the last Snapshot given to it. It may be used by several goroutines.
type Exporter struct {
	version string

	mu      sync.Mutex
	metrics []prometheus.Metric
	size    int64
	changes int
}

// New is an Exporter that was shown nothing yet.
func New(version string) *Exporter { return &Exporter{version: version} }

// Describe implements prometheus.Collector: which labels there are depends on the cluster.
func (e *Exporter) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (e *Exporter) Collect(out chan<- prometheus.Metric) {
	e.mu.Lock()
	list, size, changes := e.metrics, e.size, e.changes
	e.mu.Unlock()
	for _, m := range list {
		out <- m
	}
	out <- gauge(buildInfo, 1, e.version)
	out <- gauge(recorded, float64(size))
	out <- prometheus.MustNewConstMetric(recordedSoFar, prometheus.CounterValue, float64(changes))
}

// Recorded sets how much was recorded.
func (e *Exporter) Recorded(size int64, changes int) {
	e.mu.Lock()
	e.size, e.changes = size, changes
	e.mu.Unlock()
}

// Show takes over a Snapshot.
func (e *Exporter) Show(s *screen.Snapshot) {
	list := read(s)
	e.mu.Lock()
	e.metrics = list
	e.mu.Unlock()
}

// Handler serves /metrics, and /healthz.
func (e *Exporter) Handler() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(e, collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true, MaxRequestsInFlight: 4, Timeout: 10 * time.Second}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	return mux
}

func gauge(d *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

// seconds is an instant as Prometheus counts.
func seconds(t model.Instant) float64 { return float64(t.Time().UnixMilli()) / 1000 }

// states are the words of kardia_nodes.
var states = map[nodes.Class]string{nodes.Unknown: "unknown", nodes.NotReady: "not-ready", nodes.PastGrace: "past-grace", nodes.Never: "no-status",
	nodes.Late: "late", nodes.Leaving: "being-removed", nodes.Impaired: "degraded", nodes.Cordoned: "cordoned", nodes.Fine: "healthy"}

// reader gathers metrics.
type reader struct {
	s    *screen.Snapshot
	list []prometheus.Metric
	// zones are the names of zones as labels: no two are the same.
	zones []string
}

func (r *reader) put(d *prometheus.Desc, value float64, labels ...string) {
	r.list = append(r.list, gauge(d, value, labels...))
}

// read is all metrics of a Snapshot.
func read(s *screen.Snapshot) []prometheus.Metric {
	r := &reader{s: s}
	r.name()
	r.observed()
	r.inferred()
	r.predicted()
	for _, c := range s.Caveats.Forbids(caveat.Healthy | caveat.PodCount | caveat.NoEviction | caveat.Timed) {
		r.put(notKnown, 1, c.Reason.String())
	}
	for i := range s.Status {
		st := &s.Status[i]
		up := 0.0
		if st.State == stream.Live {
			up = 1
		}
		r.put(watchUp, up, st.Kind.String())
		if st.Last.Bounded() {
			r.put(watchLast, seconds(st.Last), st.Kind.String())
		}
	}
	return r.list
}

// name gives each zone its label: region/zone, and of what clashes once it is cleaned the first only.
func (r *reader) name() {
	taken := map[string]bool{}
	for i := range r.s.Nodes().Zones {
		name := "unknown"
		if zone := r.s.Nodes().Zones[i].Zone; zone.Known {
			name = paint.Clean(zone.Value.String())
		}
		if taken[name] {
			name = ""
		}
		taken[name] = true
		r.zones = append(r.zones, name)
	}
}

// observed is the counts of nodes.
func (r *reader) observed() {
	list := r.s.Nodes()
	for i := range list.Zones {
		if r.zones[i] == "" {
			continue
		}
		counts, unseen, off := map[nodes.Class]int{}, 0, model.Maybe[time.Duration]{}
		for _, k := range list.Zones[i].Nodes {
			e := &list.Entries[k]
			if e.Class == nodes.Fine && e.Row.Node == nil { // known by its lease only
				unseen++
			} else {
				counts[e.Class]++
			}
			if by := e.Ages.Skew; by.Known && (!off.Known || by.Value.Abs() > off.Value.Abs()) {
				off = by
			}
		}
		for class, word := range states {
			r.put(nodesByState, float64(counts[class]), r.zones[i], word)
		}
		r.put(nodesByState, float64(unseen), r.zones[i], "lease-only")
		if age := list.Zones[i].Oldest; age.Known {
			r.put(oldest, age.Value.Seconds(), r.zones[i])
		}
		if off.Known {
			r.put(skew, off.Value.Seconds(), r.zones[i])
		}
	}
}

// inferred is the models' results for the controller.
func (r *reader) inferred() {
	if withdrawn := r.s.Judged.Withdrawn(); withdrawn != nil {
		for _, c := range withdrawn.Contradicted {
			r.put(contradicted, 1, c.Flag, c.Given, c.Fits)
		}
	}
	c := r.s.Outlook()
	if c.State == nil {
		return
	}
	r.put(judged, seconds(c.State.At))
	late := 0.0
	if c.State.Overdue.Known() {
		late = max(c.State.Overdue.For(r.s.From()).Seconds(), 0)
	}
	r.put(overdue, late)
	if !c.State.Arrived {
		is := 0.0
		if c.Master {
			is = 1
		}
		r.put(dark, is)
		for i := range r.s.Nodes().Zones {
			z := c.Zone(r.s.Nodes().Zones[i].Zone)
			if z == nil || r.zones[i] == "" {
				continue
			}
			r.put(zoneState, 1, r.zones[i], z.State.String())
			r.put(taintRate, float64(z.Rate), r.zones[i])
			r.put(queue, float64(len(z.Waiting)), r.zones[i])
		}
	}
	scopes := map[string]int{}
	for i := range c.Verdicts {
		scopes[c.Verdicts[i].Rule.String()] += len(c.Verdicts[i].Nodes)
	}
	for scope, n := range scopes {
		r.put(fault, float64(n), scope)
	}
}

// predicted is the forecast for pods.
func (r *reader) predicted() {
	f := r.s.Outlook().Forecast
	if f == nil {
		return
	}
	type coming struct {
		stuck int
		next  model.Instant
	}
	by := make([]coming, len(r.zones))
	list := r.s.Nodes()
	for i := range f.Evictions {
		e := &f.Evictions[i]
		node := list.Find(e.Node)
		if node < 0 {
			continue
		}
		z := &by[list.Entries[node].Zone]
		switch {
		case e.State == forecast.Stuck && !e.Lost:
			z.stuck++
		case !e.State.Ahead(), !e.Window.Earliest.Bounded():
		case !z.next.Known() || e.Window.Earliest < z.next:
			z.next = e.Window.Earliest
		}
	}
	deleted, all := f.Deletions(nil), len(r.s.Caveats.Forbids(caveat.NoEviction|caveat.PodCount)) == 0
	for i := range by {
		if r.zones[i] == "" {
			continue
		}
		n := deleted.In(list.Zones[i].Zone, model.FarFuture)
		count := func(d *prometheus.Desc, n int, labels ...string) { // of pods that may not be all, 0 has no meaning
			if all || n > 0 {
				r.put(d, float64(n), append([]string{r.zones[i]}, labels...)...)
			}
		}
		count(predicted, n.Least, "true")
		count(predicted, n.Most-n.Least, "false")
		count(stuck, by[i].stuck)
		if by[i].next.Known() {
			r.put(next, seconds(by[i].next), r.zones[i])
		}
	}
}
