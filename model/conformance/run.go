package conformance

import (
	"context"
	"flag"
	"io"
	"strconv"
	"sync"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle"
	"k8s.io/kubernetes/pkg/controller/tainteviction"
)

// NewCollector makes the real pod garbage collector. Only package collector sets it: it needs the kubelet.
var NewCollector func(_ context.Context, _ kubernetes.Interface, _ coreinformers.PodInformer, _ coreinformers.NodeInformer, threshold int) (
	run func(context.Context))

// Settle quiets what the real controllers share in a process, and takes chance out of it.
func Settle() {
	// Its rate limiter would mix the bubble's time with the real one.
	utilruntime.ErrorHandlers = nil
	controller.UpdateTaintBackoff.Jitter = 0 // its random source has no seed
	// A retry leaves its loop's lane.
	controller.UpdateTaintBackoff.Duration = 95 * time.Millisecond
	// Older controllers log past their context.
	var f flag.FlagSet
	klog.InitFlags(&f)
	for name, value := range map[string]string{"logtostderr": "false", "stderrthreshold": "FATAL"} {
		if err := f.Set(name, value); err != nil {
			panic(err)
		}
	}
	klog.SetOutput(io.Discard)
}

// Play runs the real controllers through a scenario. It must be called inside a testing/synctest bubble.
func Play(s Scenario) (*Trace, error) {
	trace := &Trace{Zero: time.Now()}
	server := NewAPIServer(trace)
	w := &world{server: server, zero: trace.Zero, kubelets: map[string]*kubelet{}}
	r := &runner{scenario: s, server: server, trace: trace, running: map[Process]func(){}}
	w.stop = func(c Command) { r.each(c, r.stop) }
	w.start = func(c Command) { r.each(c, r.start) }
	w.setUp(s)
	r.start(NodeLifecycle)
	if s.find("without").arg(0) != "eviction" {
		r.start(TaintEviction)
	}
	if s.find("podgc").Verb != "" && NewCollector != nil {
		r.start(PodGC)
	}
	w.play(nextIn(stopLane, trace.Zero.Add(s.Length())))
	r.stop(NodeLifecycle)
	r.stop(TaintEviction)
	r.stop(PodGC)
	r.ended.Wait()
	time.Sleep(time.Minute) // controllers up to 1.34 do not wait for a delayed pass
	return trace, r.err
}

type runner struct {
	scenario Scenario
	server   *APIServer
	trace    *Trace
	running  map[Process]func()
	ended    sync.WaitGroup
	err      error
}

func (r *runner) each(c Command, do func(Process)) {
	if c.arg(0) != "eviction" {
		do(NodeLifecycle)
	}
	if c.arg(0) != "lifecycle" {
		do(TaintEviction)
	}
}

// start makes a controller as a new process would, with its own caches, and runs it once they are full.
func (r *runner) start(p Process) {
	if r.running[p] != nil || r.err != nil {
		return
	}
	process, cancel := context.WithCancel(context.Background())
	ctx := klog.NewContext(process, logger(process, r.trace))
	// Without resync, client-go up to 0.33 waits on a channel that belongs to no bubble.
	factory := informers.NewSharedInformerFactory(newClientset(ctx, r.server), 1000*time.Hour)
	run, memory, err := r.construct(ctx, p, factory)
	if err != nil {
		cancel()
		r.err = err
		return
	}
	factory.Start(ctx.Done())
	synctest.Wait() // before any loop polls: older client-go would sleep 100 ms in between
	factory.WaitForCacheSync(ctx.Done())
	r.trace.add(Step{Started: p})
	if p == NodeLifecycle {
		r.server.ticks = time.Now()
	}
	r.ended.Go(func() { run(ctx); factory.Shutdown() })
	r.running[p] = func() {
		// Goroutines that sleep, such as a delayed pass, are not waited for.
		cancel()
		synctest.Wait()
		r.trace.add(Step{Stopped: p, Memory: memory()})
	}
}

func (r *runner) stop(p Process) {
	if stop := r.running[p]; stop != nil {
		stop()
		delete(r.running, p)
	}
}

func (r *runner) construct(ctx context.Context, p Process, factory informers.SharedInformerFactory) (
	run func(context.Context), memory func() *Memory, err error) {
	client := newClientset(ctx, r.server)
	pods := &watchedPods{PodInformer: factory.Core().V1().Pods(), trace: r.trace}
	nodes := &watchedNodes{NodeInformer: factory.Core().V1().Nodes(), ctx: ctx, trace: r.trace}
	if p == TaintEviction {
		if err := indexPods(pods.Informer()); err != nil {
			return nil, nil, err
		}
		c, err := tainteviction.New(ctx, client, pods, nodes, "taint-eviction-controller")
		if err != nil {
			return nil, nil, err
		}
		return c.Run, func() *Memory { return nil }, nil
	}
	if p == PodGC {
		threshold, err := strconv.Atoi(r.scenario.find("podgc").option("threshold", "12500"))
		if err != nil {
			return nil, nil, err
		}
		return NewCollector(ctx, client, pods, nodes, threshold), func() *Memory { return nil }, nil
	}
	leases := factory.Coordination().V1().Leases()
	nodes.drift = r.scenario.Drift
	nodes.stale = func(name string) (*v1.Node, bool) { return r.trace.nodeAt(name, time.Now().Add(-r.scenario.Lag())) }
	nodes.leases, nodes.pods = leases.Informer().GetIndexer(), pods.Informer().GetIndexer()
	f := r.scenario.Flags()
	c, err := nodelifecycle.NewNodeLifecycleController(ctx, leases, pods, nodes,
		factory.Apps().V1().DaemonSets(), client, f.Period, f.Startup, f.Grace, f.Rate, f.Secondary, f.Large, f.Threshold)
	if err != nil {
		return nil, nil, err
	}
	nodes.memory = func() *Memory { return memoryOf(c) }
	nodes.judged = onJudging(c, func() { r.trace.add(Step{By: Pass, Judged: true}) })
	return c.Run, nodes.memory, nil
}
