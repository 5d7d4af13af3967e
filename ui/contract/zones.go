package contract

import (
	"strconv"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Zones is every zone at a time, by region and zone, then nodes without zone labels, then nodes of unknown zone.
type Zones struct {
	At Stamp `json:"at"`
	Caveats
	Zones []Zone `json:"zones"`
}

// Zone counts one zone's nodes. Zone and Region are nil for nodes never seen, "" for nodes without labels.
type Zone struct {
	Zone   *string `json:"zone"`
	Region *string `json:"region"`

	Nodes    int `json:"nodes"`
	Ready    int `json:"ready"`
	NotReady int `json:"notReady"`
	Unknown  int `json:"unknown"`
	Never    int `json:"noStatus"`
	Cordoned int `json:"cordoned"`
	// LastKnown counts nodes not seen since a gap in the watch: they count by their last known state.
	LastKnown int `json:"lastKnown"`

	OldestHeardSeconds Seconds `json:"oldestLastSeenSeconds"`
	MedianHeardSeconds Seconds `json:"medianLastSeenSeconds"`

	// The controller's judgement: nil, except Tainted, if it does not know the zone. One list of nodes shows no Queue.
	State *string `json:"state"`
	// Rate is how many nodes a second it may taint.
	Rate  *float64 `json:"rate"`
	Queue *int     `json:"queue"`
	// Tainted counts the nodes with a NoExecute taint of the node-lifecycle controller.
	Tainted          int      `json:"tainted"`
	UnhealthyShare   *float64 `json:"unhealthyShare"`
	MasterDisruption *bool    `json:"masterDisruption"`
	// Forecast is how many of its nodes will be tainted, and pods on them deleted, by when.
	Forecast []ZoneForecast `json:"forecast" schema:"nullable"`

	summary model.ZoneSummary
	atMost  bool // heartbeats may have come while there was no watch
}

// ZoneForecast is how many until By, at least and at most.
type ZoneForecast struct {
	By Stamp `json:"by"`
	// What is tainted, for nodes, or deleted, for pods.
	What  string `json:"what"`
	Least int    `json:"least"`
	Most  int    `json:"most"`
}

// Control is the node-lifecycle controller's state of one zone.
type Control struct {
	State string
	// Rate is 0 if taints are stopped.
	Rate             float32
	Queue            model.Maybe[int]
	UnhealthyShare   model.Maybe[float32]
	MasterDisruption bool
	Forecast         *forecast.Zone
}

// ZonesAt reports the zones in scope; Scope.Node is ignored. control, if not nil, returns the controller's judgement.
func ZonesAt(c *model.Cluster, s Scope, control func(model.ZoneKey) (Control, bool)) Zones {
	out := Zones{Caveats: s.Caveats, At: Stamp(s.At), Zones: []Zone{}}
	tainted, lastKnown, unheard := taintedNodes(c), map[model.Maybe[model.ZoneKey]]int{}, map[model.Maybe[model.ZoneKey]]bool{}
	if len(s.Unwatched) > 0 {
		for row := range c.Nodes {
			if _, ok := s.Unwatched.Node(row, s.At); ok {
				lastKnown[row.Zone()]++
			}
			if _, ok := s.Unwatched.Lease(row, s.At); ok {
				unheard[row.Zone()] = true
			}
		}
	}
	for _, z := range c.ZonesAsOf(s.asOf()) {
		if s.Zone != "" && !(z.Zone.Known && z.Zone.Value.Matches(s.Zone)) {
			continue
		}
		out.Zones = append(out.Zones, Zone{
			Zone:               known(z.Zone.Known, z.Zone.Value.Zone),
			Region:             known(z.Zone.Known, z.Zone.Value.Region),
			Nodes:              z.Nodes,
			Ready:              z.Ready,
			NotReady:           z.NotReady,
			Unknown:            z.Unknown,
			Never:              z.Never,
			Cordoned:           z.Cordoned,
			OldestHeardSeconds: Seconds(z.OldestHeard),
			MedianHeardSeconds: Seconds(z.MedianHeard),
			summary:            z,
			Tainted:            tainted[z.Zone],
			LastKnown:          lastKnown[z.Zone],
			atMost:             unheard[z.Zone],
		})
		if control == nil || !z.Zone.Known {
			continue
		}
		if is, ok := control(z.Zone.Value); ok {
			out.Zones[len(out.Zones)-1].setControl(is)
		}
	}
	return out
}

func (z *Zone) setControl(is Control) {
	if is.Forecast != nil {
		z.Forecast = []ZoneForecast{}
		for _, n := range is.Forecast.By {
			z.Forecast = append(z.Forecast, ZoneForecast{Stamp(n.By), "tainted", n.Tainted.Least, n.Tainted.Most},
				ZoneForecast{Stamp(n.By), "deleted", n.Deleted.Least, n.Deleted.Most})
		}
	}
	z.State, z.Rate, z.Queue, z.MasterDisruption = &is.State, known(true, exactly(is.Rate)), known(is.Queue.Known, is.Queue.Value), &is.MasterDisruption
	z.UnhealthyShare = known(is.UnhealthyShare.Known, exactly(is.UnhealthyShare.Value))
}

// exactly widens a float32 to the number that is printed the same.
func exactly(f float32) float64 {
	wide, err := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', -1, 32), 64)
	if err != nil {
		return float64(f)
	}
	return wide
}

func taintedNodes(c *model.Cluster) map[model.Maybe[model.ZoneKey]]int {
	out := map[model.Maybe[model.ZoneKey]]int{}
	for row := range c.Nodes {
		if row.Node != nil && row.Node.TaintedAsNotWell() {
			out[row.Zone()]++
		}
	}
	return out
}
