package verdict

import (
	"time"

	"kardia/model"
)

// Code names what a Fact means. Its sentence is verdict.fact.CODE of ui/words/en.yaml.
type Code string

// Fact is one finding or one advice of a verdict. Without a Code it is its Text: a command, or a foreign message.
type Fact struct {
	Code Code
	// Node shows it, or Nodes how many do; neither if it is about all nodes of a verdict.
	Node  string
	Nodes int
	// Name is its subject: a node, a zone, a component, a trait. Text is foreign: a message, a command.
	Name, Text string
	Said       model.Said
	By         model.RefusedBy
	// N of Of is a number, mostly of nodes; Others of OthersOf counts the remaining ones.
	N, Of, Others, OthersOf int
	At, To                  model.Instant
	For                     time.Duration
}

func factOf(code Code, nodes []*node) Fact {
	f := Fact{Code: code, N: len(nodes)}
	if f.N == 1 {
		f.Name = nodes[0].name
	}
	return f
}

func run(line string) Fact { return Fact{Text: line} }

// The commands of several rules.
var (
	askReady      = run("kubectl get --raw '/readyz?verbose'")
	askPriorities = run("kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels")
	askLeader     = run("kubectl get lease -n " + model.SystemNamespace + " " + model.ControllerManager + " -o yaml")
	askZones      = run("kubectl get nodes -L " + model.LabelZone)
)
