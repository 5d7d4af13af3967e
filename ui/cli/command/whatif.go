package command

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/simulate/whatif"
	"kardia/ui/contract"
	"kardia/ui/timeinput"
	"kardia/ui/topics"
)

type branchFlags struct {
	params  paramFlags
	base    []string
	from    string
	lasts   time.Duration
	watches time.Duration // how long the live cluster is watched before it is branched
	seconds model.Maybe[int64]
	of      string
	edits   []string
	sweep   string
	// swept is the swept setting, with its values.
	swept  string
	values []string
	// begins is where times of edits count from; unknown for the start of the recording.
	begins model.Instant
}

// whatIfFlags is the heading of the branch's flags.
const whatIfFlags = "Flags of kube-controller-manager, as the branch has them; else as recorded"

// The defaults for a live cluster: three renewals of each kubelet, and longer than the default tolerations.
const watchedBefore, goesOnLive = 30 * time.Second, 15 * time.Minute

func (r *run) whatif() *cobra.Command {
	f := &branchFlags{}
	return r.command(command{
		use:   "whatif [PATH…]",
		short: "Simulate an incident under other flags or faults",
		long: `Runs the models of the controllers again from a time in a recording, under other
flags, another version or other tolerations, or with kubelets that fail or return
at other times. It prints which decisions move, appear or vanish, and which pods
are spared or lost. All of it is simulated. A race gives a range: certain and
possible are separate.

First the unchanged run is compared with the recording. If less than nine tenths
of the writes agree, there is no answer: exit 4, and the reason. Flags of the
recorded cluster are inferred, or given with --base. docs/whatif.md describes the
method and its assumptions.

Without a PATH the live cluster is watched for a while, and the branch starts now,
with kubelets as last seen: the forecast under other flags beside the unchanged one.`,
		example: "  kardia whatif demo:zone-outage --node-monitor-grace-period 120s\n  kardia whatif demo:zone-outage --toleration-seconds 900 --for 15m\n  kardia whatif demo:node-loss --edit 'return ip-10-0-2-003 +120s' -o json\n  kardia whatif demo:zone-outage --sweep node-monitor-grace-period=20s..240s/20s\n  kardia whatif --edit 'kill ip-10-0-1-7 +10s'",
		args:    pathsOrLive,
		shares:  cluster | captures,
		forms:   forms(),
		flags:   f.add,
		run: func(k *call) error {
			f.seconds.Known = k.cmd.Flags().Changed(tolerationSeconds)
			if err := f.live(k); err != nil {
				return err
			}
			return k.print(k.branch(f))
		},
	})
}

func (f *branchFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.from, "from", "", "start of the branch; by default as soon as the controllers' state is known: "+times)
	flags.DurationVar(&f.lasts, "for", 0, "continue this long after the end of the recording, with kubelets as last seen; live 15m")
	flags.DurationVar(&f.watches, "watch", watchedBefore, "without a PATH: how long to watch the cluster before it is branched")
	flags.StringArrayVar(&f.base, "base", nil, "a flag of the recorded cluster, NAME=VALUE; may be given more than once")
	flags.Int64Var(&f.seconds.Value, tolerationSeconds, 0, "how long pods tolerate not-ready and unreachable, if not forever")
	flags.StringVar(&f.of, "toleration-for", "", "only of these pods: NAMESPACE, or NAMESPACE/NAME of their owner")
	flags.StringArrayVar(&f.edits, "edit", nil, "'kill NODE TIME', 'return NODE TIME' or 'return-not-ready NODE TIME' of a kubelet, or 'zone NODE ZONE TIME' of its zone label (none: without); live, TIME as in +60s counts from now; may be given more than once")
	flags.StringVar(&f.sweep, "sweep", "", "try one flag with many values: NAME=FIRST..LAST/STEP")
	inGroup(flags, whatIfFlags, func(some *pflag.FlagSet) {
		f.params.add(some)
		some.VisitAll(func(one *pflag.Flag) { one.DefValue = "" }) // flags not given are as recorded
		some.Lookup("kubernetes-version").Usage = "another version, with its defaults where the recording does not determine the flags"
	})
}

// live sets the defaults that differ without a recording.
func (f *branchFlags) live(k *call) error {
	if len(k.args) == 0 {
		k.watched.lasts = f.watches
	}
	switch {
	case len(k.args) > 0 && k.cmd.Flags().Changed("watch"):
		return misuse("--watch is for the live cluster, not for a PATH")
	case len(k.args) > 0:
	case f.watches <= 0:
		return misuse("--watch must be a duration, as in 30s: how kubelets go on is seen while they are watched")
	case f.from != "":
		return misuse("--from needs a PATH: a branch of the live cluster starts now")
	case !k.cmd.Flags().Changed("for"):
		f.lasts = goesOnLive
	}
	return nil
}

// branch prepares the recording and plays the requested branch.
func (k *call) branch(f *branchFlags) (contract.Printed, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	base, err := f.baseFlags()
	if err != nil {
		return nil, err
	}
	k.params = *base
	j, err := k.judged()
	if err != nil {
		return nil, err
	}
	now := model.Instant(0)
	if len(k.args) == 0 {
		now = j.History.Coverage().Latest
	}
	from, err := instantOf("--from", f.from, j.History, now)
	if err != nil {
		return nil, err
	}
	f.begins = now
	if _, err := f.branchOf(j, j.result.Params); err != nil {
		return nil, err
	}
	told, done := k.working(k.cmd.Context(), "branching "+j.Name)
	defer done()
	played := 0
	progress := func(share float64) bool { return told((float64(played) + share) / float64(1+max(len(f.values), 1))) }
	prepared, err := whatif.Prepare(j.History, j.result, whatif.Options{From: from, For: f.lasts, Progress: progress})
	if errors.Is(err, whatif.ErrStopped) {
		return nil, context.Canceled
	}
	var refusal *whatif.Refusal
	if errors.As(err, &refusal) && refusal.Begins.Known() && f.from != "" {
		return nil, misuse("--from %s: %s", f.from, topics.BranchRefusal(refusal))
	}
	if errors.As(err, &refusal) {
		fault := &Fault{Code: Partial, What: j.Name + ": no answer: " + topics.BranchRefusal(refusal).String()}
		if refusal.Fit != nil {
			fault.Means = "What the models make of the recording is not near enough to what happened for a branch of it to mean anything."
			fault.Next = "'verify' says what they do not explain; --base says the flags of the recorded cluster, if they are known."
		}
		return nil, fault
	}
	if err != nil {
		return nil, err
	}
	play := func(b *whatif.Branch) (*whatif.Answer, error) {
		played++
		if answer := prepared.Branch(b); answer != nil {
			return answer, nil
		}
		return nil, context.Canceled
	}
	if !prepared.ShowsPods {
		k.note(Partial)
	}
	if f.sweep != "" {
		out, err := f.sweepOf(j, prepared, play)
		if err == nil {
			out.Caveats, err = k.saySeen(j, "", caveat.PodCount)
		}
		return out, err
	}
	branch, err := f.branchOf(j, prepared.Params)
	if err != nil {
		return nil, err
	}
	answer, err := play(branch)
	if err != nil {
		return nil, err
	}
	out := contract.WhatIfOf(j.Name, prepared, branch, answer)
	out.Caveats, err = k.saySeen(j, "", caveat.PodCount)
	return out, err
}

func (f *branchFlags) check() error {
	switch {
	case f.lasts < 0 || f.lasts > longest:
		return misuse("--for must be a duration up to 24h, as in 15m")
	case f.of != "" && !f.seconds.Known && !strings.HasPrefix(f.sweep, tolerationSeconds+"="):
		return required("--toleration-seconds with --toleration-for")
	case f.seconds.Value < 0:
		return misuse("--toleration-seconds must be 0 or more")
	case f.sweep == "":
		return nil
	}
	var err error
	f.swept, f.values, err = sweepValues(f.sweep)
	return err
}

// baseFlags are the flags of the recorded cluster, from --base.
func (f *branchFlags) baseFlags() (*paramFlags, error) {
	base := &paramFlags{}
	for _, text := range f.base {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, misuse("--base must be NAME=VALUE, as in node-monitor-grace-period=40s, not %q", text)
		}
		if err := base.set(strings.TrimPrefix(name, "--"), value); err != nil {
			return nil, misuse("--base %s: %v", text, err)
		}
	}
	return base, nil
}

func (f *branchFlags) branchOf(j *judged, base model.Params) (*whatif.Branch, error) {
	params, err := f.params.sound(f.params.onto(base))
	if err != nil {
		return nil, err
	}
	b := &whatif.Branch{Params: params}
	if f.seconds.Known {
		b.Tolerations = &whatif.Tolerations{Seconds: f.seconds.Value, For: ownedBy(f.of)}
	}
	for _, text := range f.edits {
		e, err := f.edit(j, text)
		if err != nil {
			return nil, err
		}
		b.Edits = append(b.Edits, e)
	}
	return b, nil
}

// onto are the given flags over a recorded cluster's. With another version, its defaults replace recorded defaults.
func (p *paramFlags) onto(base model.Params) model.Params {
	out := base
	if v, ok := model.ParseVersion(p.version); ok {
		out = model.Defaults(v)
		out.SetOver(&base, model.FromInferred)
	}
	out.SetOver(&p.given, model.FromFlag)
	return out
}

// ownedBy selects pods by NAMESPACE or NAMESPACE/NAME; nil is all.
func ownedBy(text string) func(*model.Pod) bool {
	if text == "" {
		return nil
	}
	namespace, owner, named := strings.Cut(text, "/")
	return func(p *model.Pod) bool {
		return p.Namespace == namespace && (!named || p.Owner != nil && p.Owner.Name == owner)
	}
}

func (f *branchFlags) edit(j *judged, text string) (e whatif.Edit, err error) {
	what, when := "", ""
	if i := strings.LastIndexByte(strings.TrimSpace(text), ' '); i > 0 {
		what, when = text[:i], strings.TrimSpace(text[i:])
	}
	if e, err = whatif.ParseEdit(what); err != nil {
		return e, misuse("--edit %q: it %v; and then a TIME", text, err)
	}
	if e.At, err = f.when(text, when, j.History.Coverage()); err != nil {
		return e, err
	}
	s, err := j.result.At(min(e.At, j.History.Coverage().Latest))
	if err != nil {
		return e, err
	}
	if s.Cache.Node(e.Node) == nil {
		return e, misuse("--edit %q: there is no node %s at %s", text, e.Node, e.At)
	}
	return e, nil
}

// when reads the time of an edit: from the start of the recording to the end of the branch.
func (f *branchFlags) when(edit, text string, coverage model.Interval) (model.Instant, error) {
	end := coverage.Latest
	if f.begins.Known() {
		coverage.Earliest = f.begins
	}
	at, err := timeinput.Parse(text, coverage, end, time.UTC)
	switch {
	case text == "":
		return 0, misuse("--edit %q: TIME is required: %s", edit, times)
	case err != nil:
		return 0, misuse("--edit %q: %v", edit, err)
	case coverage.Bounded() && (at < coverage.Earliest || at > end.Add(f.lasts)):
		return 0, misuse("--edit %q is at %s; the branch can be changed from %s to %s, and --for lets it go on for longer", edit, at, coverage.Earliest, end.Add(f.lasts))
	}
	return at, nil
}

// tolerationSeconds is the one sweep that is not of a controller's flag.
const tolerationSeconds = "toleration-seconds"

const maxPoints = 200

// sweepOf plays a branch for each value.
func (f *branchFlags) sweepOf(j *judged, base *whatif.Base, play func(*whatif.Branch) (*whatif.Answer, error)) (*contract.Sweep, error) {
	name := f.swept
	out := contract.SweepOf(j.Name, base, name)
	for _, value := range f.values {
		one := *f
		if name == tolerationSeconds {
			n, err := strconv.ParseInt(value, 10, 64)
			if one.seconds = model.Some(n); err != nil || n < 0 {
				return nil, misuse("--sweep %s: %q is no number of seconds", f.sweep, value)
			}
		} else if err := one.params.set(name, value); err != nil {
			return nil, misuse("--sweep %s: %s: %v", f.sweep, value, err)
		}
		branch, err := one.branchOf(j, base.Params)
		if err != nil {
			return nil, err
		}
		answer, err := play(branch)
		if err != nil {
			return nil, err
		}
		out.Add(value, answer)
	}
	return out, nil
}

// sweepValues are the values of NAME=FIRST..LAST/STEP: durations, or numbers.
func sweepValues(text string) (name string, values []string, err error) {
	wrong := func() (string, []string, error) {
		return "", nil, misuse("--sweep must be NAME=FIRST..LAST/STEP, as in node-monitor-grace-period=20s..120s/10s, and at most %d values; not %q", maxPoints, text)
	}
	name, rest, ok := strings.Cut(strings.TrimPrefix(text, "--"), "=")
	span, step, ok2 := strings.Cut(rest, "/")
	first, last, ok3 := strings.Cut(span, "..")
	if !ok || !ok2 || !ok3 {
		return wrong()
	}
	if d, err := time.ParseDuration(first); err == nil && strings.TrimLeft(first, "0123456789.") != "" {
		to, err1 := time.ParseDuration(last)
		by, err2 := time.ParseDuration(step)
		if err1 != nil || err2 != nil || by <= 0 || to < d || int64((to-d)/by) >= maxPoints {
			return wrong()
		}
		for ; d <= to; d += by {
			values = append(values, d.String())
		}
		return name, values, nil
	}
	from, err1 := strconv.ParseFloat(first, 64)
	to, err2 := strconv.ParseFloat(last, 64)
	by, err3 := strconv.ParseFloat(step, 64)
	// Written so that comparisons with NaN refuse too.
	if err1 != nil || err2 != nil || err3 != nil || !(by > 0) || !(to >= from) || !((to-from)/by < maxPoints) {
		return wrong()
	}
	for i := 0; ; i++ {
		v := from + float64(i)*by
		if v > to+by/1e6 {
			return name, values, nil
		}
		values = append(values, strconv.FormatFloat(v, 'g', 6, 64))
	}
}
