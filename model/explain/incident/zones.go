package incident

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/infer"
)

// Zone is the node-lifecycle controller's state of a zone at a time.
type Zone struct {
	At    model.Instant
	Zone  model.ZoneKey
	State model.DisruptionState
	// Rate is the nodes tainted a second, Waiting the nodes in the queue.
	Rate    float32
	Waiting int
	// NotReady of Counted nodes were not Ready in the last pass.
	NotReady, Counted int
	Master            bool
}

// grows reports whether the next row of a zone differs only by more nodes NotReady or queued, and needs no row.
func (z *Zone) grows(next *Zone) bool {
	return z.State == next.State && z.Rate == next.Rate && z.Master == next.Master && z.Waiting <= next.Waiting
}

// MaxInstants is the most times at which zones are read; later changes are only Events.
const MaxInstants = 120

// askZones reads the zones at the start, at each change, and at the end, and keeps the rows that differ.
func (x *Incident) askZones() error {
	if x.Undecided.Is() || len(x.Decided) == 0 {
		return nil
	}
	last := map[model.ZoneKey]Zone{}
	newest := map[model.ZoneKey]int{} // the last row in which each zone changed
	instants, windows := x.zoneInstants()
	err := x.Result.Along(instants, func(s *infer.State) {
		for _, z := range zonesAt(s) {
			if x.Zone != "" && !z.Zone.Matches(x.Zone) {
				continue
			}
			was, ok := last[z.Zone]
			last[z.Zone] = z
			was.At = z.At
			switch k, changed := newest[z.Zone]; {
			case ok && was == z:
			case changed && x.Zones[k].grows(&z) && slices.ContainsFunc(windows, func(w model.Interval) bool {
				return w.Contains(x.Zones[k].At) && w.Contains(s.At) // of one change
			}):
				x.Zones[k] = z
			default:
				if x.Zones = append(x.Zones, z); ok {
					newest[z.Zone] = len(x.Zones) - 1
				}
			}
		}
	})
	slices.SortStableFunc(x.Zones, func(a, b Zone) int { return cmp.Compare(a.At, b.At) })
	x.ZonesCut = len(instants) >= MaxInstants
	return err
}

// zoneInstants are the times at which zones are read, in order: when each change is an Event, and when it is surely
// visible. windows bound the changes without an exact time.
func (x *Incident) zoneInstants() (list []model.Instant, windows []model.Interval) {
	list = []model.Instant{x.From}
	for _, d := range x.Decided {
		switch d.Kind {
		case model.MarkUnknown, model.ZoneState, model.SetRate, model.EnterMasterDisruption, model.ExitMasterDisruption,
			model.QueueForTaint, model.TaintNoExecute, model.UntaintNoExecute:
			done := max(d.Time, d.Window.Latest)
			if d.Observed != nil && d.Observed.Time.Latest.Bounded() {
				done = max(done, d.Observed.Time.Latest)
			}
			at := min(d.Time.Add(1), x.To)
			list = append(list, at, min(done.Add(1), x.To))
			if d.Window.Latest > d.Time {
				windows = append(windows, model.Interval{Earliest: at, Latest: d.Window.Latest.Add(1)})
			}
		}
	}
	list = append(list, x.To)
	slices.Sort(list)
	list = slices.Compact(list)
	if len(list) > MaxInstants {
		list = append(list[:MaxInstants-1], x.To)
	}
	return list, windows
}

func zonesAt(s *infer.State) (list []Zone) {
	master := s.MasterDisruption()
	for _, z := range s.Zones() {
		if z.State != model.ZoneNone {
			list = append(list, Zone{At: s.At, Zone: z.Zone, State: z.State, Rate: z.Rate, Waiting: len(z.Waiting), NotReady: z.NotReady, Counted: z.Ready + z.NotReady, Master: master})
		}
	}
	return list
}

// Restarts are when the controller manager restarted, in order: its controllers start one after the other.
func (x *Incident) Restarts() (list []model.Instant) {
	for _, d := range x.Decided {
		if d.Kind == model.ControllerStart && d.Basis != model.Reconstructed && (len(list) == 0 || d.Time.Sub(list[len(list)-1]) > Together) {
			list = append(list, d.Time)
		}
	}
	return list
}

// Reached lists the disruption states that zones entered, each with its zones in order, by the first entry.
func (x *Incident) Reached() (list []Reached) {
	for _, d := range x.Decided {
		if d.Kind != model.ZoneState || !d.Zone.Known || x.Doubts(d) || d.State.To != model.ZoneFull && d.State.To != model.ZonePartial {
			continue
		}
		k := slices.IndexFunc(list, func(r Reached) bool { return r.State == d.State.To })
		if k < 0 {
			k, list = len(list), append(list, Reached{State: d.State.To})
		}
		list[k].Zones = append(list[k].Zones, d.Zone.Value)
	}
	return list
}

// Reached is a disruption state and the zones that entered it, one entry each time.
type Reached struct {
	State model.DisruptionState
	Zones []model.ZoneKey
}

// Tainted counts the failed nodes tainted NoExecute, and other tainted nodes.
type Tainted struct {
	Lost, Nodes, Others int
	// Times is how often failed nodes were tainted, between First and Last.
	Times       int
	First, Last model.Instant
}

// Tainted sums up the taints.
func (x *Incident) Tainted() (is Tainted) {
	lost, tainted, others := x.Lost(), map[string]bool{}, map[string]bool{}
	for _, d := range x.Decided {
		if d.Kind != model.TaintNoExecute || d.Outcome != model.Did {
			continue
		}
		if _, ok := slices.BinarySearch(lost, d.Node); !ok {
			others[d.Node] = true
			continue
		}
		if is.Times == 0 {
			is.First = d.Time
		}
		tainted[d.Node], is.Last, is.Times = true, max(is.Last, d.Time), is.Times+1
	}
	is.Lost, is.Nodes, is.Others = len(lost), len(tainted), len(others)
	return is
}

// Untainted counts the nodes whose NoExecute taints were removed, and the time of the last removal.
func (x *Incident) Untainted() (n int, last model.Instant) {
	well := map[string]bool{}
	for _, d := range x.Decided {
		if d.Kind == model.UntaintNoExecute && d.Outcome == model.Did {
			well[d.Node], last = true, max(last, d.Time)
		}
	}
	return len(well), last
}
