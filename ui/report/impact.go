package report

import (
	"fmt"
	"io"
	"strconv"

	"kardia/model"
	"kardia/model/explain/impact"
)

// NoBudget is what a person must know of deletions for a taint.
const NoBudget = "taint eviction is a plain DELETE: it asks no PodDisruptionBudget, and none is read here"

// Impact is every workload at an instant, the one that suffers most first.
type Impact struct {
	At        Stamp      `json:"at"`
	Workloads []Workload `json:"workloads"`
	// Volumes are those that hang on the nodes whose trouble it is.
	Attached
	// Assumptions is what the predictions rest on.
	Assumptions []string `json:"assumptions"`

	calm int // workloads that suffer nothing
}

// Workload is the pods of one owner.
type Workload struct {
	Namespace string `json:"namespace"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	// Pods are there and not deleted, Ready of them is how many are Ready.
	Pods  int `json:"pods"`
	Ready int `json:"ready"`
	// Deleted were deleted and are still there, Stuck of them cannot go.
	Deleted int `json:"deleted"`
	Stuck   int `json:"stuck"`
	// Going will be deleted for certain, MayGo may be; ReadyLeast and ReadyMost are Ready then.
	Going      int `json:"going"`
	MayGo      int `json:"mayGo"`
	ReadyLeast int `json:"readyLeast"`
	ReadyMost  int `json:"readyMost"`
	// Earliest and Latest are between which instants they are deleted; nil where none is.
	Earliest Stamp    `json:"earliest"`
	Latest   Stamp    `json:"latest"`
	Nodes    []string `json:"nodes"`
	Suffers  bool     `json:"suffers"`
	// Returns is what takes their place, in words.
	Returns string `json:"returns"`
}

// ImpactAt reports workloads.
func ImpactAt(at model.Instant, list []impact.Workload, assumptions []string) Impact {
	out := Impact{At: Stamp(at), Workloads: []Workload{}, Attached: Attached{Volumes: []Volume{}}, Assumptions: append([]string{NoBudget}, assumptions...)}
	for i := range list {
		w := &list[i]
		row := Workload{Namespace: w.Namespace, Kind: w.Kind, Name: w.Name, Pods: w.Pods, Ready: w.Ready, Deleted: w.Deleted, Stuck: w.Stuck,
			Going: w.Going, MayGo: w.MayGo, ReadyLeast: w.ReadyLeast, ReadyMost: w.ReadyMost, Nodes: lines(w.Nodes), Suffers: w.Suffers(), Returns: w.Returns()}
		if w.First.Known() {
			row.Earliest, row.Latest = Stamp(w.First), Stamp(w.Last)
		}
		if !row.Suffers {
			out.calm++
		}
		out.Workloads = append(out.Workloads, row)
	}
	return out
}

// WriteTable prints those that suffer for a person.
func (m Impact) WriteTable(w io.Writer) error {
	t := &table{head: []string{"WORKLOAD", "KIND", "READY", "THEN", "DELETED", "STUCK", "FROM", "UNTIL"}}
	for i := range m.Workloads {
		r := &m.Workloads[i]
		if !r.Suffers {
			continue
		}
		then := strconv.Itoa(r.ReadyLeast)
		if r.ReadyMost != r.ReadyLeast {
			then += "–" + strconv.Itoa(r.ReadyMost)
		}
		from, until := none, none
		if model.Instant(r.Earliest).Known() {
			from, until = millis(r.Earliest), millis(r.Latest)
		}
		t.add(r.Namespace+"/"+r.Name, r.Kind, strconv.Itoa(r.Ready)+"/"+strconv.Itoa(r.Pods), then, strconv.Itoa(r.Deleted), strconv.Itoa(r.Stuck), from, until)
	}
	if err := t.write(w); err != nil {
		return err
	}
	if err := writeLines(w, volumeLines(m.At, &m.Attached)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d workloads suffer nothing.  %s\n", m.calm, NoBudget)
	return err
}
