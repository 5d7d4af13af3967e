package command

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/model/simulate/forecast"
	"kardia/sources/open"
	"kardia/ui/contract"
	"kardia/ui/topics"
)

// judged is an input with the models' findings.
type judged struct {
	*open.Opened
	params model.Params
	// found are causes without direct evidence. result includes those that count: the same for every command.
	found  *hypotheses.Found
	result *infer.Result
	// lacks is why nothing is known of related kinds, unless the History shows them.
	lacks  map[model.Kind]string
	unread map[model.Kind]string // kinds for which a live cluster does not answer, and why
	// work is that of the models, which continues with further questions.
	work *work
}

// runModels runs the models over recordings, or over the live cluster if no PATH is given. A watched cluster has no
// later writes: overdue actions are reported.
func (r *run) runModels(cmd *cobra.Command, paths []string, p *paramFlags, w *watchFlags, mode infer.Mode) (*judged, error) {
	if len(paths) == 0 {
		mode = infer.Causal
		if err := r.understood(); err != nil {
			return nil, err
		}
		p = r.inContext(p)
	}
	if _, err := p.resolve(""); err != nil {
		return nil, err
	}
	opened, err := w.opened(cmd.Context(), r, paths)
	if err != nil {
		return nil, err
	}
	j, err := r.judge(cmd.Context(), opened, p, mode)
	if j != nil {
		j.lacks, j.unread = w.lacks, w.unread
	}
	if err == nil && len(j.result.Contradicted) > 0 {
		return j, contradicted(j.result, j.Name)
	}
	return j, err
}

func (r *run) sayAssumed(j *judged) {
	for _, h := range j.found.Leading() {
		r.say("assumed, without direct evidence: %s; it explains %s. 'verify' shows the evidence and the alternatives", topics.Supposed(&h), model.Counted(len(h.Writes), "write", "writes"))
	}
}

// contradicted is the fault of given flags that a recording contradicts: decisions under them did not happen.
func contradicted(result *infer.Result, name string) *Fault {
	f := &Fault{Code: Found, Means: "Decisions are not printed under a contradicted flag."}
	var what, leave []string
	for _, c := range result.Contradicted {
		what = append(what, topics.FlagContradicted(&c).String())
		leave = append(leave, "--"+c.Flag+" "+fits(&c))
	}
	f.What = name + ": " + strings.Join(what, "; ")
	f.Next = "What fits: " + strings.Join(leave, ", ") + ". Use that value, or omit the flag: unless a log states it, Kardia infers it."
	return f
}

func fits(c *infer.Contradiction) string {
	if !c.Within.Known {
		return c.Fits
	}
	return c.Fits + " (" + topics.Fit(c.Within.Value.Min, c.Within.Value.Max, c.Within.Value.Unit).String() + ")"
}

// judge runs the models over the opened input, and reports their progress.
func (r *run) judge(ctx context.Context, opened *open.Opened, p *paramFlags, mode infer.Mode) (*judged, error) {
	params, err := p.resolveOf(opened)
	if err != nil {
		return nil, err
	}
	j := &judged{Opened: opened, params: params, work: r.works(ctx, opened.History)}
	judges := j.work.judge
	if r.Judges != nil {
		judges = r.Judges
	}
	j.found, err = judges(opened, infer.Options{Params: params, Mode: mode, Watched: opened.Watched, LeadersUnwatched: opened.LeadersUnwatched})
	if err != nil {
		return nil, err
	}
	j.result = j.found.Result
	return j, nil
}

func (w *work) judge(opened *open.Opened, o infer.Options) (*hypotheses.Found, error) {
	ends := w.begins("judging " + opened.Name)
	defer func() { ends() }()
	o.Progress = w.share
	result, err := hypotheses.Run(opened.History, o)
	if err != nil {
		return nil, err
	}
	ends()
	ends = w.beginsEndless("looking for causes without direct evidence")
	return hypotheses.Search(result)
}

// sayUnsupported prints why not everything can be judged, and notes that the answer is partial.
func (r *run) sayUnsupported(why []infer.Note) {
	for _, w := range topics.Notes(why) {
		r.say("not known: %s", w)
	}
	if len(why) > 0 {
		r.note(Partial)
	}
}

// sayMissing prints why not everything can be judged, and why nothing is modelled, if there are only captures.
func (r *run) sayMissing(result *infer.Result) {
	r.sayUnsupported(result.Unsupported)
	switch {
	case result.Instants == nil:
		return
	case len(result.Decisions) == 0:
		r.say("no decisions known: %s", topics.Note(result.Instants))
	default:
		r.say("decisions are reconstructed, and incomplete: %s", topics.Note(result.Instants))
	}
	r.note(Partial)
}

func podKey(text string) (model.Key, error) {
	namespace, name, ok := strings.Cut(text, "/")
	if !ok || namespace == "" || name == "" || strings.Contains(name, "/") {
		return model.Key{}, misuse("--pod must be namespace/name, not %q", text)
	}
	return model.Key{Namespace: namespace, Name: name}, nil
}

// controlAt is the controller's judgement of zones at a time, as far as the recording supports it.
func (r *run) controlAt(ctx context.Context, opened *open.Opened, p *paramFlags, at model.Instant) (controls, error) {
	j, err := r.judge(ctx, opened, p, infer.Calibrated)
	if err != nil {
		return nil, err
	}
	if len(j.result.Contradicted) > 0 {
		contradicted(j.result, opened.Name).print(r.Err, r.program, "")
		r.note(Found)
		return nil, nil
	}
	r.sayAssumed(j)
	if _, alone := history.Alone(opened.History, at); alone || len(j.result.Unsupported) > 0 {
		return nil, nil // a capture shows no zone states, queues and rates
	}
	if history.UnwatchedIn(opened.History).Unsettles(at, j.result.Params.NodeMonitorGracePeriod.Value+j.result.Params.NodeMonitorPeriod.Value) {
		return nil, nil // nor a gap, until nodes silent since it are declared
	}
	s, err := j.result.At(at)
	if err != nil {
		return nil, err
	}
	known, err := j.result.Known(at)
	if err != nil {
		return nil, err
	}
	next := map[model.ZoneKey]*forecast.Zone{}
	f := forecast.Run(known, forecast.Options{})
	for i := range f.Zones {
		next[f.Zones[i].Zone] = &f.Zones[i]
	}
	zones := controls{}
	master := s.MasterDisruption()
	for _, z := range s.Zones() {
		if z.State == model.ZoneNone {
			continue
		}
		zones[z.Zone] = contract.Control{State: z.State.String(), Rate: z.Rate, Queue: model.Some(len(z.Waiting)),
			UnhealthyShare: z.Share(), MasterDisruption: master, Forecast: next[z.Zone]}
	}
	return zones, nil
}

// controls are the controller's judgement of zones.
type controls map[model.ZoneKey]contract.Control

func (c controls) of() func(model.ZoneKey) (contract.Control, bool) {
	if c == nil {
		return nil
	}
	return func(zone model.ZoneKey) (contract.Control, bool) { is, ok := c[zone]; return is, ok }
}

// controlNow is the controller's judgement of the zones of a live cluster, as far as one list of its nodes shows it.
func controlNow(c *model.Cluster, params model.Params) controls {
	zones := controls{}
	list, master := nodelifecycle.OfList(params, c)
	waits := map[model.ZoneKey]bool{} // a node that is not Ready may wait for a token, or have had one
	c.Nodes(func(row *model.NodeRow) bool {
		if n := row.Node; n != nil && !n.IsReady() {
			waits[n.Zone] = true
		}
		return true
	})
	for _, z := range list {
		zones[z.Zone] = contract.Control{State: z.State.String(), Rate: z.Rate, UnhealthyShare: z.Share(), MasterDisruption: master,
			Queue: model.Maybe[int]{Known: !waits[z.Zone]}}
	}
	return zones
}
