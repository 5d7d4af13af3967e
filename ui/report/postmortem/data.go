package postmortem

import "kardia/ui/report"

// schemaVersion changes if a key changes its meaning or is removed.
const schemaVersion = 1

// Report is the report as data, with the keys of docs/report-json.md and docs/schema. Its parts are made of the
// findings of the same name in model/explain/incident, which has the meaning of the fields.
type Report struct {
	SchemaVersion int                 `json:"schemaVersion"`
	Name          string              `json:"name"`
	Redaction     *string             `json:"redaction"`
	From          report.Stamp        `json:"from"`
	To            report.Stamp        `json:"to"`
	Node          *string             `json:"node"`
	Zone          *string             `json:"zone"`
	Input         report.Info         `json:"input"`
	Zero          report.Stamp        `json:"zero"`
	ZeroIs        string              `json:"zeroIs"`
	Summary       []string            `json:"summary"`
	Verdicts      []report.Verdicts   `json:"verdicts"`
	Impact        Impact              `json:"impact"`
	Silences      []Silence           `json:"silences"`
	Removed       []report.Removed    `json:"removed"`
	Timeline      []Row               `json:"timeline"`
	Zones         []ZoneRow           `json:"zones"`
	Chain         *Chain              `json:"chain"`
	Margin        Margin              `json:"margin"`
	Times         []Measure           `json:"times"`
	WhatIf        *WhatIf             `json:"whatIf"`
	Standing      *Standing           `json:"standing"`
	Verification  report.Verification `json:"verification"`
	Unknown       []Unknown           `json:"unknown"`
	Commands      []string            `json:"commands"`
	Decisions     []report.Decision   `json:"decisions"`
}

type Impact struct {
	Deletes         int            `json:"deletes"`
	Deleted         int            `json:"deleted"`
	Spared          int            `json:"spared"`
	NotReadySeconds report.Seconds `json:"notReadySeconds"`
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
	Pod             string         `json:"pod"`
	Node            *string        `json:"node"`
	Workload        string         `json:"workload"`
	Deleted         report.Stamp   `json:"deleted"`
	Decision        *string        `json:"decision"`
	Why             string         `json:"why"`
	NotReadySeconds report.Seconds `json:"notReadySeconds"`
	NotReadyAtEnd   bool           `json:"notReadyAtEnd"`
	Gone            report.Stamp   `json:"gone"`
}

type WorkloadFate struct {
	Workload        string         `json:"workload"`
	Deleted         int            `json:"deleted"`
	Spared          int            `json:"spared"`
	NotReadySeconds report.Seconds `json:"notReadySeconds"`
	ReadyBefore     *int           `json:"readyBefore"`
	ReadyLeast      *int           `json:"readyLeast"`
	LeastAt         report.Stamp   `json:"leastAt"`
}

type Silence struct {
	Node            string         `json:"node"`
	Zone            *string        `json:"zone"`
	Last            report.Stamp   `json:"last"`
	LastWas         string         `json:"lastWas"`
	ClockOffSeconds report.Seconds `json:"clockOffSeconds"`
	Unheeded        bool           `json:"clockSetBack"`
	Declared        report.Stamp   `json:"declared"`
	Window          *report.Window `json:"window"`
	Decision        string         `json:"decision"`
	Basis           string         `json:"basis"`
	CountedSeconds  report.Seconds `json:"countedSeconds"`
	CountedFrom     *string        `json:"countedFrom"`
	SilentSeconds   report.Seconds `json:"silentSeconds"`
	Back            report.Stamp   `json:"back"`
	BackAtLatest    bool           `json:"backAtLatest"`
	WholeSeconds    report.Seconds `json:"wholeSeconds"`
	ReadyAgain      report.Stamp   `json:"readyAgain"`
	Gone            report.Stamp   `json:"gone"`
}

type Row struct {
	Time         report.Stamp      `json:"time"`
	Window       *report.Window    `json:"window"`
	SinceSeconds report.Seconds    `json:"sinceSeconds"`
	Kind         string            `json:"kind"`
	Actor        *string           `json:"actor"`
	ActorTold    bool              `json:"actorRecorded"`
	Requester    *report.Requester `json:"requester"`
	Subjects     []string          `json:"subjects"`
	What         string            `json:"what"`
	Basis        *string           `json:"basis"`
	Rule         *string           `json:"rule"`
	TimeFrom     string            `json:"timeFrom"`
}

type ZoneRow struct {
	Time             report.Stamp `json:"time"`
	Zone             string       `json:"zone"`
	State            string       `json:"state"`
	Rate             float64      `json:"rate"`
	Waiting          int          `json:"waiting"`
	NotReady         int          `json:"notReady"`
	Counted          int          `json:"counted"`
	MasterDisruption bool         `json:"masterDisruption"`
}

type Chain struct {
	report.Why
	Decision string `json:"decision"`
}

type Margin struct {
	report.Margin
	Avoidable                 []Avoidable    `json:"avoidable"`
	Cancelled                 int            `json:"cancelled"`
	LeastLeftSeconds          report.Seconds `json:"leastLeftSeconds"`
	Forgotten                 int            `json:"forgotten"`
	ForgottenLeastLeftSeconds report.Seconds `json:"forgottenLeastLeftSeconds"`
}

type Avoidable struct {
	Pod          string         `json:"pod"`
	Node         string         `json:"node"`
	LaterSeconds report.Seconds `json:"laterSeconds"`
}

type Measure struct {
	Name       string         `json:"name"`
	Is         string         `json:"is"`
	Count      int            `json:"count"`
	MinSeconds report.Seconds `json:"minSeconds"`
	P50Seconds report.Seconds `json:"p50Seconds"`
	P95Seconds report.Seconds `json:"p95Seconds"`
	MaxSeconds report.Seconds `json:"maxSeconds"`
	Open       int            `json:"open"`
}

type WhatIf struct {
	Refused      *string       `json:"refused"`
	Writes       *int          `json:"writes"`
	Reproduced   *int          `json:"reproduced"`
	NodesTainted *int          `json:"nodesTainted"`
	PodsDeleted  *int          `json:"podsDeleted"`
	PodsLater    *int          `json:"podsLater"`
	Graces       []WhatIfGrace `json:"graces"`
}

type WhatIfGrace struct {
	GraceSeconds report.Seconds  `json:"graceSeconds"`
	NodesTainted report.Between  `json:"nodesTainted"`
	PodsDeleted  *report.Between `json:"podsDeleted"`
	Later        *report.Between `json:"later"`
	Spared       *report.PodSet  `json:"spared"`
	Lost         *report.PodSet  `json:"additional"`
	Open         *int            `json:"open"`
}

type Standing struct {
	At          report.Stamp   `json:"at"`
	Nodes       []StandingNode `json:"nodes"`
	Stuck       []StuckPod     `json:"stuck"`
	Exits       []string       `json:"exits"`
	StillMarked []MarkedPod    `json:"stillMarked"`
	Actors      []report.Actor `json:"actors"`
	Clocks      Clocks         `json:"clocks"`
	report.Caveats
	Coming *report.Evictions `json:"coming"`
}

type StandingNode struct {
	Node           string          `json:"node"`
	Zone           *string         `json:"zone"`
	Is             []string        `json:"is"`
	LastKnownSince report.Stamp    `json:"lastKnownSince"`
	Checks         []StandingCheck `json:"checks"`
}

type StandingCheck struct {
	Says    string  `json:"text"`
	Answer  string  `json:"answer"`
	Command *string `json:"command"`
}

type MarkedPod struct {
	Pod   string       `json:"pod"`
	Node  string       `json:"node"`
	Since report.Stamp `json:"since"`
}

type StuckPod struct {
	Pod   string       `json:"pod"`
	Node  string       `json:"node"`
	Since report.Stamp `json:"since"`
	Heard bool         `json:"renewing"`
}

type Clocks struct {
	Known    int        `json:"known"`
	NotKnown int        `json:"notKnown"`
	Off      []ClockOff `json:"off"`
}

type ClockOff struct {
	Node    string         `json:"node"`
	Seconds report.Seconds `json:"seconds"`
}

type Unknown struct {
	What  string `json:"what"`
	Why   string `json:"why"`
	Tells string `json:"capture"`
}
