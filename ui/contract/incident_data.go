package contract

// schemaVersion changes if a key changes its meaning or is removed.
const schemaVersion = 1

// Incident is the report as data, with the keys of docs/report-json.md and docs/schema. Its parts are made of the
// findings of the same name in model/explain/incident, which has the meaning of the fields.
type Incident struct {
	SchemaVersion int             `json:"schemaVersion"`
	Name          string          `json:"name"`
	Redaction     *string         `json:"redaction"`
	From          Stamp           `json:"from"`
	To            Stamp           `json:"to"`
	Node          *string         `json:"node"`
	Zone          *string         `json:"zone"`
	Input         Info            `json:"input"`
	Zero          Stamp           `json:"zero"`
	ZeroIs        string          `json:"zeroIs"`
	Summary       []string        `json:"summary"`
	Verdicts      []Verdicts      `json:"verdicts"`
	Impact        IncidentImpact  `json:"impact"`
	Silences      []Silence       `json:"silences"`
	Removed       []Removed       `json:"removed"`
	Timeline      []TimelineRow   `json:"timeline"`
	Zones         []ZoneRow       `json:"zones"`
	Chain         *IncidentChain  `json:"chain"`
	Margin        IncidentMargin  `json:"margin"`
	Times         []Measure       `json:"times"`
	WhatIf        *IncidentWhatIf `json:"whatIf"`
	Standing      *Standing       `json:"standing"`
	Verification  Verification    `json:"verification"`
	Unknown       []Unknown       `json:"unknown"`
	Commands      []string        `json:"commands"`
	Decisions     []Decision      `json:"decisions"`
}

type IncidentImpact struct {
	Deletes         int            `json:"deletes"`
	Deleted         int            `json:"deleted"`
	Spared          int            `json:"spared"`
	NotReadySeconds Seconds        `json:"notReadySeconds"`
	Pods            []PodFate      `json:"pods"`
	Workloads       []WorkloadFate `json:"workloads"`
	Reasons         []SparedReason `json:"reasons"`
}

type SparedReason struct {
	By   string `json:"by"`
	Pods int    `json:"pods"`
	Pod  string `json:"pod"`
	Why  string `json:"why"`
}

type PodFate struct {
	Pod             string  `json:"pod"`
	Node            *string `json:"node"`
	Workload        string  `json:"workload"`
	Deleted         Stamp   `json:"deleted"`
	Decision        *string `json:"decision"`
	Why             string  `json:"why"`
	NotReadySeconds Seconds `json:"notReadySeconds"`
	NotReadyAtEnd   bool    `json:"notReadyAtEnd"`
	Gone            Stamp   `json:"gone"`
}

type WorkloadFate struct {
	Workload        string  `json:"workload"`
	Deleted         int     `json:"deleted"`
	Spared          int     `json:"spared"`
	NotReadySeconds Seconds `json:"notReadySeconds"`
	ReadyBefore     *int    `json:"readyBefore"`
	ReadyLeast      *int    `json:"readyLeast"`
	LeastAt         Stamp   `json:"leastAt"`
}

type Silence struct {
	Node            string  `json:"node"`
	Zone            *string `json:"zone"`
	Last            Stamp   `json:"last"`
	LastWas         string  `json:"lastWas"`
	ClockOffSeconds Seconds `json:"clockOffSeconds"`
	Unheeded        bool    `json:"clockSetBack"`
	Declared        Stamp   `json:"declared"`
	Window          *Window `json:"window"`
	Decision        string  `json:"decision"`
	Basis           string  `json:"basis"`
	CountedSeconds  Seconds `json:"countedSeconds"`
	CountedFrom     *string `json:"countedFrom"`
	SilentSeconds   Seconds `json:"silentSeconds"`
	Back            Stamp   `json:"back"`
	BackAtLatest    bool    `json:"backAtLatest"`
	WholeSeconds    Seconds `json:"wholeSeconds"`
	ReadyAgain      Stamp   `json:"readyAgain"`
	Gone            Stamp   `json:"gone"`
}

type TimelineRow struct {
	Time         Stamp      `json:"time"`
	Window       *Window    `json:"window"`
	SinceSeconds Seconds    `json:"sinceSeconds"`
	Kind         string     `json:"kind"`
	Actor        *string    `json:"actor"`
	ActorTold    bool       `json:"actorRecorded"`
	Requester    *Requester `json:"requester"`
	Subjects     []string   `json:"subjects"`
	What         string     `json:"what"`
	Basis        *string    `json:"basis"`
	Rule         *string    `json:"rule"`
	TimeFrom     string     `json:"timeFrom"`
}

type ZoneRow struct {
	Time             Stamp   `json:"time"`
	Zone             string  `json:"zone"`
	State            string  `json:"state"`
	Rate             float64 `json:"rate"`
	Waiting          int     `json:"waiting"`
	NotReady         int     `json:"notReady"`
	Counted          int     `json:"counted"`
	MasterDisruption bool    `json:"masterDisruption"`
}

type IncidentChain struct {
	Why
	Decision string `json:"decision"`
}

type IncidentMargin struct {
	Margin
	Avoidable                 []Avoidable `json:"avoidable"`
	Cancelled                 int         `json:"cancelled"`
	LeastLeftSeconds          Seconds     `json:"leastLeftSeconds"`
	Forgotten                 int         `json:"forgotten"`
	ForgottenLeastLeftSeconds Seconds     `json:"forgottenLeastLeftSeconds"`
}

type Avoidable struct {
	Pod          string  `json:"pod"`
	Node         string  `json:"node"`
	LaterSeconds Seconds `json:"laterSeconds"`
}

type Measure struct {
	Name       string  `json:"name"`
	Is         string  `json:"is"`
	Count      int     `json:"count"`
	MinSeconds Seconds `json:"minSeconds"`
	P50Seconds Seconds `json:"p50Seconds"`
	P95Seconds Seconds `json:"p95Seconds"`
	MaxSeconds Seconds `json:"maxSeconds"`
	Open       int     `json:"open"`
}

type IncidentWhatIf struct {
	Refused      *string       `json:"refused"`
	Writes       *int          `json:"writes"`
	Reproduced   *int          `json:"reproduced"`
	NodesTainted *int          `json:"nodesTainted"`
	PodsDeleted  *int          `json:"podsDeleted"`
	PodsLater    *int          `json:"podsLater"`
	Graces       []WhatIfGrace `json:"graces"`
}

type WhatIfGrace struct {
	GraceSeconds Seconds  `json:"graceSeconds"`
	NodesTainted Between  `json:"nodesTainted"`
	PodsDeleted  *Between `json:"podsDeleted"`
	Later        *Between `json:"later"`
	Spared       *PodSet  `json:"spared"`
	Lost         *PodSet  `json:"additional"`
	Open         *int     `json:"open"`
}

type Standing struct {
	At          Stamp          `json:"at"`
	Nodes       []StandingNode `json:"nodes"`
	Stuck       []StuckPod     `json:"stuck"`
	Exits       []string       `json:"exits"`
	StillMarked []MarkedPod    `json:"stillMarked"`
	Actors      []Actor        `json:"actors"`
	Clocks      Clocks         `json:"clocks"`
	Caveats
	Coming *Evictions `json:"coming"`
}

type StandingNode struct {
	Node           string          `json:"node"`
	Zone           *string         `json:"zone"`
	Is             []string        `json:"is"`
	LastKnownSince Stamp           `json:"lastKnownSince"`
	Checks         []StandingCheck `json:"checks"`
}

type StandingCheck struct {
	Says    string  `json:"text"`
	Answer  string  `json:"answer"`
	Command *string `json:"command"`
}

type MarkedPod struct {
	Pod   string `json:"pod"`
	Node  string `json:"node"`
	Since Stamp  `json:"since"`
}

type StuckPod struct {
	Pod   string `json:"pod"`
	Node  string `json:"node"`
	Since Stamp  `json:"since"`
	Heard bool   `json:"renewing"`
}

type Clocks struct {
	Known    int        `json:"known"`
	NotKnown int        `json:"notKnown"`
	Off      []ClockOff `json:"off"`
}

type ClockOff struct {
	Node    string  `json:"node"`
	Seconds Seconds `json:"seconds"`
}

type Unknown struct {
	What  string `json:"what"`
	Why   string `json:"why"`
	Tells string `json:"capture"`
}
