package postmortem

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"kardia/model"
	"kardia/model/infer"
	"kardia/ui/report"
)

// ZoneRow is a zone as the node-lifecycle controller had it at an instant.
type ZoneRow struct {
	Time report.Stamp `json:"time"`
	Zone string       `json:"zone"`
	// State, Rate (nodes tainted a second), Waiting (nodes in the queue) are as 'get zones' has them.
	State   string  `json:"state"`
	Rate    float64 `json:"rate"`
	Waiting int     `json:"waiting"`
	// NotReady of Counted nodes were not Ready in the last pass.
	NotReady         int  `json:"notReady"`
	Counted          int  `json:"counted"`
	MasterDisruption bool `json:"masterDisruption"`
}

// grows says that of a zone nothing differs in the row that follows, but that more of its nodes are not Ready, or wait: else it
// is a change of its own, that the zone is judged anew, or that a node is tainted.
func (z *ZoneRow) grows(next *ZoneRow) bool {
	return z.State == next.State && z.Rate == next.Rate && z.MasterDisruption == next.MasterDisruption && z.Waiting <= next.Waiting
}

// maxInstants is at how many instants zones are asked for; what changes later is in the timeline.
const maxInstants = 120

// zonesOf asks for the zones where the report begins, wherever one of them changes, and at the end, and
// keeps what is news.
func (r *Report) zonesOf(in *Input, scope Scope) ([]ZoneRow, error) {
	rows := []ZoneRow{}
	if r.undecided != "" || len(r.decided) == 0 {
		return rows, nil
	}
	last := map[string]ZoneRow{}
	newest := map[string]int{} // the last row of each zone in which it had changed
	instants, windows := r.zoneInstants(scope)
	err := in.Found.Result.Along(instants, func(s *infer.State) {
		for _, z := range zonesAt(s) {
			if scope.Zone != "" && !z.zone.Matches(scope.Zone) {
				continue
			}
			was, ok := last[z.Zone]
			last[z.Zone] = z.ZoneRow
			was.Time = z.Time
			switch k, changed := newest[z.Zone]; {
			case ok && was == z.ZoneRow:
			case changed && isWithin(windows, model.Interval{Earliest: model.Instant(rows[k].Time), Latest: s.At}) && rows[k].grows(&z.ZoneRow): // of one change
				rows[k] = z.ZoneRow
			default:
				if rows = append(rows, z.ZoneRow); ok {
					newest[z.Zone] = len(rows) - 1
				}
			}
		}
	})
	slices.SortStableFunc(rows, func(a, b ZoneRow) int { return cmp.Compare(a.Time, b.Time) })
	return rows, err
}

// isWithin says that one of some windows holds another.
func isWithin(windows []model.Interval, v model.Interval) bool {
	return slices.ContainsFunc(windows, func(w model.Interval) bool { return w.Earliest <= v.Earliest && v.Latest <= w.Latest })
}

// zoneInstants are the instants at which zones are asked for, in order: of each change when the timeline has it, and when it
// is sure to be seen; and the windows within which those may have come whose time is not known exactly.
func (r *Report) zoneInstants(scope Scope) (list []model.Instant, windows []model.Interval) {
	list = []model.Instant{scope.From}
	for _, d := range r.decided {
		switch d.Kind {
		case model.MarkUnknown, model.ZoneState, model.SetRate, model.EnterMasterDisruption, model.ExitMasterDisruption,
			model.QueueForTaint, model.TaintNoExecute, model.UntaintNoExecute:
			done := max(d.Time, d.Window.Latest)
			if d.Observed != nil && d.Observed.Time.Latest.Bounded() {
				done = max(done, d.Observed.Time.Latest)
			}
			at := min(d.Time.Add(1), scope.To)
			list = append(list, at, min(done.Add(1), scope.To))
			if d.Window.Latest > d.Time {
				windows = append(windows, model.Interval{Earliest: at, Latest: d.Window.Latest.Add(1)})
			}
		}
	}
	list = append(list, scope.To)
	slices.Sort(list)
	list = slices.Compact(list)
	if len(list) > maxInstants {
		list = append(list[:maxInstants-1], scope.To)
	}
	return list, windows
}

type zoneAt struct {
	ZoneRow
	zone model.ZoneKey
}

func zonesAt(s *infer.State) (list []zoneAt) {
	master := s.MasterDisruption()
	for _, z := range s.Zones() {
		if z.State == model.ZoneNone {
			continue
		}
		rate, _ := strconv.ParseFloat(model.Number(z.Rate).String(), 64)
		list = append(list, zoneAt{ZoneRow{Time: report.Stamp(s.At), Zone: z.Zone.String(), State: z.State.String(), Rate: rate, Waiting: len(z.Waiting),
			NotReady: z.NotReady, Counted: z.Ready + z.NotReady, MasterDisruption: master}, z.Zone})
	}
	return list
}

func (r *Report) tellZones() chapter {
	c := chapter{title: "Zones, rates and queue"}
	if len(r.Zones) == 0 {
		c.say(r.nothing("Nothing was decided, so no zone changed."))
		return c
	}
	if v := r.doubt; v.Known() {
		when := "From " + coarse(v.Earliest) + " on"
		if v.Latest.Bounded() {
			when = "From " + coarse(v.Earliest) + " to " + coarse(v.Latest)
		}
		c.say(when + " this rests on declarations that the models expect, and that the input would show and does not: it need not have been so.")
	}
	c.say("What the node-lifecycle controller thought of each zone whenever that changed. It is inferred: no object shows it. Waiting counts the nodes that are to be tainted " +
		"NoExecute and have no token yet; each gets its turn by chance, at the zone's rate.")
	t := &table{head: []string{"Time", "T+", "Zone", "State", "Not Ready", "Rate", "Waiting", "Master disruption"}}
	for i := range r.Zones[:min(len(r.Zones), most)] {
		z := &r.Zones[i]
		master := "no"
		if z.MasterDisruption {
			master = "yes"
		}
		at := model.Instant(z.Time)
		t.add(clock(at), r.relative(at), z.Zone, z.State, fmt.Sprintf("%d of %d", z.NotReady, z.Counted), strconv.FormatFloat(z.Rate, 'f', -1, 64)+"/s", strconv.Itoa(z.Waiting), master)
	}
	c.put(t)
	if list, _ := r.zoneInstants(r.scan.scope); len(list) >= maxInstants {
		c.say(fmt.Sprintf("Zones were asked for at %d times; what changed later is in the timeline.", maxInstants))
	}
	return c
}
