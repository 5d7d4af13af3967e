package screen

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/simulate/whatif"
	"kardia/ui/topics"
)

// BranchOrder is the conditions that a person changes. Its zero value changes nothing.
type BranchOrder struct {
	// From is the start of the branch, For its length beyond the recording.
	From model.Instant
	For  time.Duration
	// Flags are the controllers' flags that are FromUser.
	Flags model.Params
	// Seconds is the changed toleration time of not-ready and unreachable, if it is changed.
	Seconds model.Maybe[int64]
	// Edits are in the requested order.
	Edits []whatif.Edit
}

// Words are the changes, one by one, in the order in which they are undone from the end.
func (o *BranchOrder) Words() (list []string) {
	for i := range model.Flags {
		if f := &model.Flags[i]; f.From(&o.Flags) == model.FromUser {
			list = append(list, f.Name+" "+f.Value(&o.Flags))
		}
	}
	if o.Seconds.Known {
		list = append(list, topics.BranchTolerates(o.Seconds.Value).String())
	}
	for i := range o.Edits {
		list = append(list, o.Edits[i].String())
	}
	return list
}

// Clone is an order that can be changed while the other is used.
func (o *BranchOrder) Clone() BranchOrder {
	c := *o
	c.Edits = slices.Clone(o.Edits)
	return c
}

// Of is the branch to play from a recording under these flags.
func (o *BranchOrder) Of(base model.Params) (*whatif.Branch, error) {
	b := &whatif.Branch{Params: base, Edits: slices.Clone(o.Edits)}
	b.Params.SetOver(&o.Flags, model.FromUser)
	if o.Seconds.Known {
		b.Tolerations = &whatif.Tolerations{Seconds: o.Seconds.Value}
	}
	return b, b.Params.Sound()
}

// Branch is the simulated result under other conditions, worked out in the background.
type Branch struct {
	Order BranchOrder
	// Progress is 0 to 1; 1 once there is an Answer, or it is Refused.
	Progress float64
	// From and Until limit the simulated time, Recorded is the end of the recording. Fit compares the unchanged run
	// with the recording; nil if unknown.
	From, Until, Recorded model.Instant
	Fit                   *whatif.Fit
	Params                model.Params // of the recorded cluster
	Answer                *whatif.Answer
	// NoPods reports that the input shows no pods: their future is unknown.
	NoPods bool
	// Refused is why there is no answer; empty if there is one, or may be later.
	Refused string
}
