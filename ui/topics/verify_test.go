package topics_test

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/evidence"
	"kardia/model/simulate/whatif"
	"kardia/ui/topics"
)

func TestWrite(t *testing.T) {
	for want, w := range map[string]infer.Write{
		"Ready becomes Unknown (NodeStatusUnknown)":                        {Kind: model.MarkUnknown, Reason: "NodeStatusUnknown"},
		"taint a:NoExecute with a new timeAdded":                           {Kind: model.TaintNoExecute, Taint: "a", Anew: true},
		"taint a:NoSchedule is removed (seen as a difference after a gap)": {Kind: model.RemoveNoSchedule, Taint: "a", Across: true},
	} {
		if got := topics.Write(&w).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestUnexplained(t *testing.T) {
	at := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	for want, u := range map[string]infer.Unexplained{
		"": {},
		"no decision of the model writes this: its last heartbeat had been 1.23s before, and nothing that was not seen can have led to it": {Code: evidence.NotDecided, RuledOut: evidence.HeardBefore, Heard: 1234 * time.Millisecond},
		"the model decides it between 2026-11-20T12:00:00Z and 2026-11-20T12:00:01Z":                                                       {Code: evidence.OtherTime, When: model.Interval{Earliest: at, Latest: at.Add(time.Second)}},
		"nothing is judged under --node-eviction-rate=1":                                                                                   {Code: evidence.FlagContradicted, Flag: "node-eviction-rate=1"},
	} {
		if got := topics.Unexplained(&infer.Write{Unexplained: u}).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestBranchRefusal(t *testing.T) {
	at := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	for want, r := range map[string]whatif.Refusal{
		"the input holds no node leases: silence cannot be judged":                           {Code: whatif.Unsupported, Because: &infer.Note{Code: infer.LeasesMissing}},
		"1h0m0s beyond the recording is too long for 9000 nodes: more than 3000000 renewals": {Code: whatif.TooFar, For: time.Hour, N: 9000, Most: 3_000_000},
		"with nothing changed, the models reproduce 3 of 9 recorded writes, and make 1 that were not recorded: less than nine tenths agree; the first that is missing: MarkUnknown of a at 2026-11-20T12:00:00Z; " +
			"nothing was written from 12:00:00Z to 12:01:00Z (the API server, etcd, or the way to them)": {Code: whatif.Disagrees, Stalls: []model.Interval{{Earliest: at, Latest: at.Add(time.Minute)}},
			Fit: &whatif.Fit{Writes: 9, Reproduced: 3, Missing: []whatif.Write{{Kind: model.MarkUnknown, Node: "a", Window: model.Exactly(at)}}, Extra: make([]whatif.Write, 1)}},
	} {
		if got := topics.BranchRefusal(&r).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
