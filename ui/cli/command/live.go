package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/sources/capture/stream"
	"kardia/sources/demo"
	"kardia/themes"
	"kardia/ui/app"
	"kardia/ui/contract"
	"kardia/ui/learn/tour"
	"kardia/ui/session"
	"kardia/ui/words"
)

func (r *run) live() *cobra.Command {
	f := &showFlags{}
	return r.command(command{
		use:   "live",
		short: "Watch a cluster",
		long: `Watches nodes, their leases, pods and events of the cluster that kubectl would talk to.
It only reads ('kardia rbac' prints what it needs), and shows what it may not read as missing.`,
		example: "  kardia live\n  kardia live --context prod --node ip-10-0-1-7",
		args:    arguments{0, 0, "no arguments; 'replay' shows recordings"},
		shares:  cluster,
		flags:   func(flags *pflag.FlagSet) { f.add(flags, r) },
		run:     func(k *call) error { return r.showLive(k.cmd.Context(), f, "") },
	})
}

// begin is the program without a command: the configured cluster, or else the start screen. An interactive screen
// watches a cluster that does not answer, and tries again. A single frame would show nothing.
func (r *run) begin(cmd *cobra.Command, f *showFlags) error {
	ctx := cmd.Context()
	version, err := r.reachSoon(ctx, f)
	if err == nil {
		return r.showLive(ctx, f, version)
	}
	if ctx.Err() != nil {
		return context.Canceled
	}
	if !r.single(f) && r.hasCluster() {
		return r.showLive(ctx, f, "")
	}
	if err := f.check(r); err != nil {
		return err
	}
	o := r.options(f, nil)
	o.Hint = words.Of("start.unwatched", "why", err.Error()).String()
	o.Demos = append(o.Demos, app.Demo{Name: tour.Name, Summary: words.Of("start.tour").String(), Elsewhere: true},
		app.Demo{Name: lessons, Summary: words.Of("start.lessons").String(), Elsewhere: true})
	for _, d := range demo.List() {
		o.Demos = append(o.Demos, app.Demo{Name: d.Name, Summary: words.Of("start.demo." + d.Name).String()})
	}
	o.Open = func(name string) (*session.Session, error) {
		paths := []string{demoPrefix + name}
		opened, err := r.open(ctx, paths)
		if err != nil {
			return nil, err
		}
		return r.sitting(f, opened, paths)
	}
	for {
		err := r.show(ctx, f, o)
		var chosen *app.Chosen
		if !errors.As(err, &chosen) {
			return err
		}
		if err := r.teach(ctx, f, chosen.Name); err != nil {
			return err
		}
	}
}

// reachSoon asks the API server for its version. Screens do not wait for a slow login, which continues.
func (r *run) reachSoon(ctx context.Context, f *showFlags) (version string, err error) {
	if !r.single(f) {
		soon, cancel := context.WithTimeout(ctx, screenWithin)
		defer cancel()
		ctx = soon
	}
	return r.Kube.Reach(ctx)
}

// screenWithin is how long the first screen waits for the API server, and for a login before it.
const screenWithin = 5 * time.Second

// lessons is the entry on the start screen.
const lessons = "lessons"

// teach shows the tour or the lessons, if chosen on the start screen.
func (r *run) teach(ctx context.Context, f *showFlags, name string) error {
	var args []string
	if name != lessons {
		args = []string{name}
	}
	return r.showLessons(ctx, &learnFlags{show: *f}, args)
}

// hasCluster reports whether the configuration names a cluster, even if it does not answer.
func (r *run) hasCluster() bool {
	_, err := r.Kube.Watch(io.Discard, thisBuild().Version)
	return err == nil
}

// openStream prepares the watch of a cluster. The function returned closes the log.
func (r *run) openStream(ctx context.Context, kinds ...model.Kind) (stream.Stream, func(), error) {
	var logTo io.Writer = io.Discard
	done := func() {}
	if r.LogPath != "" {
		log, err := openLog(r.LogPath, maxLog)
		if err != nil {
			r.say("no log is written: %v", err)
		} else {
			logTo, done = log, func() { log.Close() }
		}
	}
	source, err := r.Kube.Watch(logTo, thisBuild().Version, kinds...)
	if err != nil {
		done()
		return nil, nil, r.unreachable(ctx, err.Error())
	}
	return source, done, nil
}

// watch starts a live session of some kinds, or all if none is named. The function returned ends it.
func (r *run) watch(ctx context.Context, params model.Params, judging session.Judging, kinds ...model.Kind) (*session.Session, func(), error) {
	source, done, err := r.openStream(ctx, kinds...)
	if err != nil {
		return nil, nil, err
	}
	if g, ok := source.(stream.Gatherer); ok && judging == session.InBackground {
		g.Gather()
	}
	s := session.Live(source, session.Options{Params: params, Judging: judging, ZoneLabel: r.configuration().ZoneLabel, Thresholds: r.configuration().Thresholds})
	return s, func() { s.Close(); done() }, nil
}

// showLive watches the cluster. serverVersion is "" if it is not known yet.
func (r *run) showLive(ctx context.Context, f *showFlags, serverVersion string) error {
	if err := f.check(r); err != nil {
		return err
	}
	if r.environ("GOGC") == "" { // else the environment has set it
		defer debug.SetGCPercent(debug.SetGCPercent(listGarbage))
		defer time.AfterFunc(listTime, func() { debug.SetGCPercent(liveGarbage) }).Stop()
	}
	stated, err := r.statedFlags(ctx, &f.params, serverVersion)
	if err != nil {
		return err
	}
	s, done, err := r.watch(ctx, stated, r.judging(f))
	if err != nil {
		return err
	}
	defer done()
	if r.single(f) {
		if err := r.load(ctx, s); err != nil {
			return err
		}
	}
	o := r.options(f, s)
	o.Context = r.Kube.Context()
	o.Named = map[string]themes.Token{"danger": themes.Evict, "warn": themes.Warn, "accent": themes.Accent}[r.configuration().Contexts[o.Context].Colour]
	return r.show(ctx, f, o)
}

// liveGarbage is GOGC while a cluster is watched. Less memory is worth 1 % of a core, as little is collected a second.
const liveGarbage = 40

// listGarbage is GOGC in the first listTime, when the first lists come: 40 % took a quarter of the CPU as memory grew.
const (
	listGarbage = 150
	listTime    = 10 * time.Second
)

// loadTime is how long a command that does not stay waits for the first lists.
const loadTime = 30 * time.Second

// load waits until a live session has all kinds that it may see, including asked. It reports missing kinds, and fails
// if all are missing.
func (r *run) load(ctx context.Context, s *session.Session, asked ...model.Kind) error {
	if _, err := r.Kube.Reach(ctx); err != nil {
		return r.unreachable(ctx, err.Error()) // a watch would try again forever
	}
	watched, end := context.WithCancel(ctx)
	defer time.AfterFunc(loadTime, end).Stop() // the lists must come in time; the watch continues
	s.Start(watched)
	said := false
	for more := true; more && !settled(s.Snapshot().Status, asked); {
		more = s.Wait(0)
		s.Advance()
		if sn := s.Snapshot(); sn.Lost != "" && !said && !slices.ContainsFunc(sn.Status, isLive) {
			said = true
			r.say("%s", waiting(patience, ""))
		}
	}
	if err := s.Err(); err != nil {
		return r.unreachable(ctx, err.Error())
	}
	status := s.Snapshot().Status
	if !slices.ContainsFunc(status, isLive) {
		return r.unreachable(ctx, firstReason(status))
	}
	for _, st := range status {
		if st.State != stream.Live {
			if !st.Kind.Related() {
				r.note(Partial)
			}
			r.say("without %s: %s", plural(st.Kind), st.Reason())
		}
	}
	return nil
}

func isLive(st stream.Status) bool { return st.State == stream.Live }

// settled reports whether all kinds are there or refused.
func settled(status []stream.Status, asked []model.Kind) bool {
	for _, kind := range asked {
		if !slices.ContainsFunc(status, func(st stream.Status) bool { return st.Kind == kind }) {
			return false
		}
	}
	for _, st := range status {
		if st.Kind.Related() && st.State == stream.Disconnected {
			continue // kinds for screens only are not waited for
		}
		if st.State != stream.Live && st.State != stream.Forbidden && st.State != stream.Expired {
			return false
		}
	}
	return len(status) > 0
}

func firstReason(status []stream.Status) string {
	for _, st := range status {
		if st.Why != "" {
			return st.Reason()
		}
	}
	return fmt.Sprintf("it did not answer within %v", loadTime)
}

func plural(k model.Kind) string { return strings.ToLower(k.String()) + "s" }

// unreachable is the fault of a cluster that does not answer, unless the person has interrupted.
func (r *run) unreachable(ctx context.Context, because string) error {
	if ctx.Err() != nil {
		return context.Canceled
	}
	return &Fault{Code: Failed, What: "cannot watch the cluster: " + because,
		Means: "Its health is unknown.",
		Next:  fmt.Sprintf("Does 'kubectl get nodes' answer? '%s rbac' prints what is needed, '%s demo' needs no cluster.", r.program, r.program)}
}

// stateOfLive is the cluster as it is now.
func (r *run) stateOfLive(ctx context.Context, f *getFlags) (*state, error) {
	stated, err := r.statedFlags(ctx, &f.params, "")
	if err != nil {
		return nil, err
	}
	kinds, all, uncounted := f.kinds, false, error(nil)
	if f.pods != "" {
		if all, uncounted = r.allPods(ctx, f.pods); all {
			kinds = append(slices.Clone(kinds), model.KindPod)
		}
	}
	s, done, err := r.watch(ctx, stated, session.Never, kinds...)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := r.load(ctx, s); err != nil {
		return nil, err
	}
	sn := s.Snapshot()
	is := &state{cluster: sn.Cluster, name: sn.Name, scope: contract.Scope{At: sn.At, NoPods: !sn.Kinds[model.KindPod]},
		known: caveat.Of(caveat.View{History: s.History(), State: sn.Cluster, At: sn.At, Unwatched: sn.Unwatched, PodsListed: sn.PodsListed, Watched: true, Lacks: stream.Unread(sn.Status)})}
	switch {
	case uncounted != nil:
		r.note(Partial)
		r.say("without pods: %v", uncounted)
	case f.pods != "" && !all && f.pods != podsOff:
		is.scope.PodsOn = r.podsOfBad(ctx, is)
	}
	if f.decides {
		is.control = controlNow(sn.Cluster, sn.Params)
		r.say("state, rate and a queue of 0 are computed for the controller's next pass; a single look does not show which nodes wait in a zone with nodes that are not Ready: '%s live' or a recording does", r.program)
	}
	return is, nil
}

// The nodes of a live cluster whose pods are counted.
const (
	podsAuto = "auto"
	podsAll  = "all"
	podsBad  = "bad"
	podsOff  = "off"
	// manyPods is up to how many pods all are listed, in half a second. In larger clusters --pods=auto is podsBad.
	manyPods = 2000
	// manyBad is the most nodes that are asked about one by one.
	manyBad = 100
)

func (r *run) allPods(ctx context.Context, which string) (bool, error) {
	if which != podsAuto {
		return which == podsAll, nil
	}
	n, err := r.Kube.Pods(ctx, thisBuild().Version, "")
	return n <= manyPods && err == nil, err
}

func (r *run) podsOfBad(ctx context.Context, s *state) map[string]int {
	counts := map[string]int{}
	var bad []string
	s.cluster.Nodes(func(row *model.NodeRow) bool {
		if contract.NeedsAttention(row, s.scope) {
			bad = append(bad, row.Name)
		}
		return true
	})
	if len(bad) > manyBad {
		r.say("pods are counted of the first %d of %d nodes that need attention: --pods=all counts all", manyBad, len(bad))
		bad = bad[:manyBad]
	}
	for _, name := range bad {
		n, err := r.Kube.Pods(ctx, thisBuild().Version, name)
		if err != nil {
			r.note(Partial)
			r.say("pods of %s and others are not counted: %v", name, err)
			break
		}
		counts[name] = n
	}
	return counts
}
