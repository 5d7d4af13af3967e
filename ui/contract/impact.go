package contract

import (
	"strconv"

	"kardia/model"
	"kardia/model/explain/impact"
	"kardia/model/simulate/forecast"
	"kardia/ui/doc"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// NoBudget states that taint evictions ignore disruption budgets.
var NoBudget = words.Of("no-budget").String()

// Impact is every workload at a time, the most affected first.
type Impact struct {
	At Stamp `json:"at"`
	Caveats
	Workloads []Workload `json:"workloads"`
	// Services have fewer ready endpoints than pods, now or predicted. Budgets are those of affected namespaces.
	Services []ServiceImpact `json:"services"`
	// ServicesUnread is why no Services are known, BudgetsUnread why no budgets; nil if they are.
	ServicesUnread *string  `json:"servicesUnread"`
	Budgets        []Budget `json:"budgets"`
	BudgetsUnread  *string  `json:"budgetsUnread"`
	// Room is the room on the remaining nodes for the pods that must be placed; nil without a forecast.
	Room *Room `json:"capacity"`
	Attached
	Assumptions []string `json:"assumptions"`

	calm   int               // unaffected workloads
	marked int               // pods that are still marked not Ready
	folded []impact.Workload // for a person
}

// Workload is the pods of one owner.
type Workload struct {
	Namespace string `json:"namespace"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	// Pods are not deleted; Ready of them are Ready.
	Pods  int `json:"pods"`
	Ready int `json:"ready"`
	// StillMarked are not Ready only because the controller marked them when their nodes, now Ready, failed.
	StillMarked int `json:"stillMarked"`
	// Deleted are Terminating; Stuck of them cannot go.
	Deleted int `json:"deleted"`
	Stuck   int `json:"stuck"`
	// Going will be deleted for certain, MayGo may be; ReadyLeast to ReadyMost are Ready then.
	Going      int `json:"toBeDeleted"`
	MayGo      int `json:"mayBeDeleted"`
	ReadyLeast int `json:"readyLeast"`
	ReadyMost  int `json:"readyMost"`
	// Earliest and Latest bound the deletions.
	Earliest Stamp    `json:"earliest"`
	Latest   Stamp    `json:"latest"`
	Nodes    []string `json:"nodes"`
	Suffers  bool     `json:"affected"`
	// Returns is what replaces them, in words.
	Returns string `json:"replacedBy"`
}

// ServiceImpact is the pods behind a Service.
type ServiceImpact struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Endpoints are its pods, Ready those that get traffic, ReadyLeast to ReadyMost those that get it then.
	Endpoints  int    `json:"endpoints"`
	Ready      int    `json:"ready"`
	ReadyLeast int    `json:"readyLeast"`
	ReadyMost  int    `json:"readyMost"`
	Earliest   Stamp  `json:"earliest"`
	Latest     Stamp  `json:"latest"`
	Says       string `json:"text"`
}

// Budget is a PodDisruptionBudget, by its status and the pods that it selects.
type Budget struct {
	Namespace string  `json:"namespace"`
	Name      string  `json:"name"`
	Selector  *string `json:"selector"`
	Healthy   *int    `json:"currentHealthy"`
	Desired   *int    `json:"desiredHealthy"`
	Expected  *int    `json:"expectedPods"`
	Allowed   *int    `json:"disruptionsAllowed"`
	Broken    bool    `json:"broken"`
	// Workloads are those whose pods it counts, as kind and name; Unsure those whose pods' labels were not shown.
	Workloads []string `json:"workloads"`
	Unsure    []string `json:"possibleWorkloads"`
	// Pods is how many it counts, ReadyLeast to ReadyMost how many of them are ready then.
	Pods       int `json:"pods"`
	ReadyLeast int `json:"readyLeast"`
	ReadyMost  int `json:"readyMost"`
	// WillBreak: fewer than it wants are certain to be ready then. MayBreak: possibly fewer.
	WillBreak bool `json:"willBreak"`
	MayBreak  bool `json:"mayBreak"`
}

// Room is what pods need that must be placed, and at most what nodes that take pods have left: unseen pods count 0.
type Room struct {
	// Waiting are pods without a node. Going are certain, MayGo possible, to be deleted and replaced at once.
	Waiting int `json:"waiting"`
	Going   int `json:"toBeDeleted"`
	MayGo   int `json:"mayBeDeleted"`
	// NeedCPU is in cores, NeedMemory in bytes; lower bounds if Unshown pods did not show their requests.
	NeedCPU    float64 `json:"needCPU"`
	NeedMemory int64   `json:"needMemory"`
	Unshown    int     `json:"requestsUnknown"`
	// Unsized of the Nodes do not show their capacity; Free is what the others have left.
	Nodes      int          `json:"nodes"`
	Unsized    int          `json:"capacityUnknown"`
	FreeCPU    float64      `json:"freeCPU"`
	FreeMemory int64        `json:"freeMemory"`
	FreePods   int          `json:"freePods"`
	Zones      []RoomInZone `json:"zones"`
	// Verdict is none, unknown, short, tight or enough.
	Verdict string `json:"verdict"`
	Says    string `json:"text"`
}

// RoomInZone is the part of a Room in one zone.
type RoomInZone struct {
	Zone       string  `json:"zone"`
	Nodes      int     `json:"nodes"`
	Unsized    int     `json:"capacityUnknown"`
	FreeCPU    float64 `json:"freeCPU"`
	FreeMemory int64   `json:"freeMemory"`
	FreePods   int     `json:"freePods"`
}

func roomOf(r *impact.Room) *Room {
	if r == nil {
		return nil
	}
	cores := func(q model.Quantity) float64 { return float64(q) / 1000 }
	bytes := func(q model.Quantity) int64 { return int64(q / 1000) }
	zones := make([]RoomInZone, len(r.Zones))
	for i, z := range r.Zones {
		zones[i] = RoomInZone{z.Zone.String(), z.Nodes, z.Unsized, cores(z.Free.CPU), bytes(z.Free.Memory), z.Free.Pods}
	}
	return &Room{Zones: zones, Waiting: r.Waiting, Going: r.Going, MayGo: r.MayGo, NeedCPU: cores(r.Need.CPU), NeedMemory: bytes(r.Need.Memory), Unshown: r.Unshown,
		Nodes: r.Nodes, Unsized: r.Unsized, FreeCPU: cores(r.Free.CPU), FreeMemory: bytes(r.Free.Memory), FreePods: r.Free.Pods, Verdict: r.Verdict().String(), Says: topics.Room(r).String()}
}

// Beside adds Services, room and budgets. lacks is why nothing is known of a kind.
func (m *Impact) Beside(c *model.Cluster, f *forecast.Forecast, lacks func(model.Kind) string) {
	if why := lacks(model.KindEndpointSlice); why != "" {
		m.ServicesUnread = &why
	}
	if why := lacks(model.KindPodDisruptionBudget); why != "" {
		m.BudgetsUnread = &why
	}
	for _, s := range impact.Services(c, f) {
		if !s.Suffers() {
			continue
		}
		m.Services = append(m.Services, ServiceImpact{Namespace: s.Namespace, Name: s.Name, Endpoints: s.Endpoints, Ready: s.Ready, ReadyLeast: s.ReadyLeast, ReadyMost: s.ReadyMost,
			Earliest: Stamp(s.First), Latest: Stamp(s.Last), Says: topics.Service(&s).String()})
	}
	m.Room = roomOf(impact.RoomFor(c, f))
	suffer := map[string]bool{}
	for i := range m.Workloads {
		if w := &m.Workloads[i]; w.Suffers {
			suffer[w.Namespace] = true
		}
	}
	for _, b := range impact.Budgets(c, f) {
		if suffer[b.Namespace] {
			m.Budgets = append(m.Budgets, budgetOf(&b))
		}
	}
}

func budgetOf(b *impact.Budget) Budget {
	names := func(owners []impact.Owner) []string {
		return each(owners, func(o impact.Owner) string { return o.Kind + " " + o.Name })
	}
	return Budget{Namespace: b.Namespace, Name: b.Name, Selector: text(b.Selector), Broken: b.Broken(),
		Healthy: known(b.Healthy >= 0, b.Healthy), Desired: known(b.Desired >= 0, b.Desired), Expected: known(b.Expected >= 0, b.Expected), Allowed: known(b.Allowed >= 0, b.Allowed),
		Workloads: names(b.Workloads), Unsure: names(b.Unsure), Pods: b.Pods, ReadyLeast: b.ReadyLeast, ReadyMost: b.ReadyMost,
		WillBreak: b.WillBreak(false), MayBreak: b.WillBreak(true)}
}

func then(least, most int) string {
	if least == most {
		return strconv.Itoa(least)
	}
	return strconv.Itoa(least) + "–" + strconv.Itoa(most)
}

func (m *Impact) besides(d *doc.Doc) {
	for i := range m.Services {
		s := &m.Services[i]
		d.Say(doc.Plain, words.Of("impact.service-line", "name", s.Namespace+"/"+s.Name, "ready", s.Ready, "endpoints", s.Endpoints, "then", then(s.ReadyLeast, s.ReadyMost), "becomes", s.Says))
	}
	for i := range m.Budgets {
		b := &m.Budgets[i]
		name := b.Namespace + "/" + b.Name
		switch {
		case b.Broken:
			d.Say(doc.Plain, words.Of("impact.budget-line.broken", "name", name, "healthy", *b.Healthy, "desired", *b.Desired))
		case b.WillBreak:
			d.Say(doc.Plain, words.Of("impact.budget-line.will-break", "name", name, "ready", b.ReadyMost, "desired", *b.Desired))
		case b.MayBreak:
			d.Say(doc.Plain, words.Of("impact.budget-line.may-break", "name", name, "ready", b.ReadyLeast, "desired", *b.Desired))
		}
	}
	if m.Room != nil && m.Room.Verdict != impact.NoneNeeded.String() {
		d.Say(doc.Plain, words.Of("impact.room-line", "room", m.Room.Says))
	}
}

// ImpactAt reports workloads.
func ImpactAt(at model.Instant, list []impact.Workload, assumptions []string) Impact {
	out := Impact{At: Stamp(at), Workloads: []Workload{}, Services: []ServiceImpact{}, Budgets: []Budget{}, Attached: Attached{Volumes: []Volume{}}, Assumptions: append([]string{NoBudget}, assumptions...),
		folded: impact.FoldBare(list)}
	for i := range list {
		w := &list[i]
		row := Workload{Namespace: w.Namespace, Kind: w.Kind, Name: w.Name, Pods: w.Pods, Ready: w.Ready, StillMarked: w.Marked, Deleted: w.Deleted, Stuck: w.Stuck,
			Going: w.Going, MayGo: w.MayGo, ReadyLeast: w.ReadyLeast, ReadyMost: w.ReadyMost, Nodes: lines(w.Nodes), Suffers: w.Suffers(), Returns: topics.Returns(w).String(),
			Earliest: Stamp(w.First), Latest: Stamp(w.Last)}
		if !row.Suffers {
			out.calm++
		}
		out.marked += w.Marked
		out.Workloads = append(out.Workloads, row)
	}
	return out
}

// Doc implements Printed: the affected workloads, pods without an owner as one.
func (m Impact) Doc(wide bool) doc.Doc {
	t := &doc.Grid{Head: []string{"WORKLOAD", "KIND", "READY", "THEN", "DELETED", "STUCK", "FROM", "UNTIL", "FIRST"}}
	for i := range m.folded {
		r := &m.folded[i]
		if !r.Suffers() {
			continue
		}
		from, until := none, none
		if r.First.Known() {
			from, until = millis(Stamp(r.First)), millis(Stamp(r.Last))
		}
		t.Add(r.Title(), r.Kind, strconv.Itoa(r.Ready)+"/"+strconv.Itoa(r.Places()), then(r.ReadyLeast, r.ReadyMost), strconv.Itoa(r.Deleted), strconv.Itoa(r.Stuck), from, until, ahead(m.At, Stamp(r.First)))
	}
	d := tableOf(t, wide, "FROM", "UNTIL")
	if m.marked > 0 {
		d.Say(doc.Plain, topics.Marked(m.marked))
	}
	m.besides(&d)
	m.Attached.put(&d, m.At)
	if m.calm > 0 || len(m.NotKnown) == 0 {
		known := words.Say{}
		if len(m.NotKnown) > 0 {
			known = words.Of("impact.as-known")
		}
		d.Say(doc.Plain, words.Of("impact.unaffected", "n", m.calm, "known", known, "budget", NoBudget))
	}
	return d
}
