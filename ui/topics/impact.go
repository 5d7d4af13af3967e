package topics

import (
	"cmp"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/explain/impact"
	"kardia/ui/words"
)

// Marked is that n pods still show not Ready though their nodes are Ready again: see impact.Marked.
func Marked(n int) words.Say { return words.Of("impact.marked", "n", n) }

// returns are the codes of the replacements of deleted pods, by the kind of their owner.
var returns = map[string]string{"Deployment": "elsewhere", "ReplicaSet": "elsewhere", "ReplicationController": "elsewhere",
	"StatefulSet": "after-object", "DaemonSet": "same-node", "Job": "job", "Pod": "nothing", "Node": "static"}

// Returns is what comes in the place of a workload's pods that are deleted.
func Returns(w *impact.Workload) words.Say {
	return words.Of("impact.returns." + cmp.Or(returns[w.Kind], "unknown"))
}

// Service is what becomes of the pods behind a Service.
func Service(s *impact.Service) words.Say {
	code := "some"
	switch {
	case s.Endpoints == 0:
		code = "empty"
	case s.Ready == 0:
		code = "none"
	case s.ReadyMost == 0:
		code = "none-then"
	case s.ReadyLeast == 0:
		code = "possibly-none"
	}
	return words.Of("impact.service." + code)
}

// ServiceThen is how many endpoints of a Service are ready now and then, with what becomes of it.
func ServiceThen(name model.Key, c *impact.Crowd, endpoints int, becomes words.Say) words.Say {
	return words.Of("impact.service-then", "name", name, "ready", c.Ready, "endpoints", endpoints, "then", words.Between{Least: c.ReadyLeast, Most: c.ReadyMost}, "becomes", becomes)
}

// Budget is the pods that a PodDisruptionBudget has and requires.
func Budget(b *impact.Budget) words.Say {
	number := func(n int) string {
		if n < 0 {
			return "?"
		}
		return strconv.Itoa(n)
	}
	var of words.Say
	switch b.Selector {
	case "":
	case model.SelectsAll:
		of = words.Of("impact.budget-all")
	default:
		of = words.Of("impact.budget-of", "selector", b.Selector)
	}
	return words.Of("impact.budget", "healthy", number(b.Healthy), "expected", number(b.Expected), "desired", number(b.Desired), "allowed", number(b.Allowed), "of", of)
}

// Room is whether the nodes have room for the pods that must be placed.
func Room(r *impact.Room) words.Say {
	if r.Need.Pods == 0 {
		return words.Of("room.none")
	}
	var all, asks, left words.Say
	var parts []string
	for _, part := range []struct {
		n     int
		which words.Say
	}{{r.Waiting, words.Of("room.waiting")}, {r.Going, words.Of("room.going")}, {r.MayGo, words.Of("room.may-go")}} {
		switch part.n {
		case 0:
		case r.Need.Pods: // the number has been printed
			all = words.Of("room.all", "which", part.which)
		default:
			parts = append(parts, words.Of("room.part", "n", part.n, "which", part.which).String())
		}
	}
	if len(parts) > 0 {
		all = words.Of("room.some", "parts", strings.Join(parts, ", "))
	}
	if r.Unshown == 0 {
		asks = words.Of("room.asks", "amount", amount(r.Need))
	}
	if r.Unsized == 0 && r.Nodes > 0 {
		left = words.Of("room.left", "amount", leftAmount(r.Free), "zones", roomByZone(r))
	}
	return words.Of("room.says", "need", words.Of("room.need", "n", r.Need.Pods, "how", all), "asks", asks,
		"nodes", words.Of("room.nodes", "n", r.Nodes, "left", left), "verdict", roomVerdict(r))
}

// roomByZone is the zones that have room; empty for one zone, or for more than fit in a sentence.
func roomByZone(r *impact.Room) words.Say {
	const most = 4
	if len(r.Zones) < 2 || len(r.Zones) > most {
		return words.Say{}
	}
	parts := make([]string, len(r.Zones))
	for i := range r.Zones {
		zone := cmp.Or(r.Zones[i].Zone.Zone, words.Of("room.no-zone").String())
		parts[i] = words.Of("room.zone", "amount", leftAmount(r.Zones[i].Free), "zone", zone).String()
	}
	return words.Of("room.zones", "parts", strings.Join(parts, "; "))
}

func roomVerdict(r *impact.Room) words.Say {
	switch r.Verdict() {
	case impact.TooLittle:
		short := r.Short()
		var lacks []string
		if short.CPU > 0 {
			lacks = append(lacks, words.Of("room.cpu", "cpu", short.CPU.Cores()).String())
		}
		if short.Memory > 0 {
			lacks = append(lacks, short.Memory.Bytes())
		}
		if short.Pods > 0 {
			lacks = append(lacks, words.Of("room.places", "n", short.Pods).String())
		}
		return words.Of("room.unfit", "n", r.Unfit).If(len(lacks) == 0).Or(words.Of("room.short", "lacks", words.Listed(lacks)))
	case impact.NotKnown:
		return words.Of("room.unknown-nodes", "n", r.Unsized).If(r.Unsized > 0).Or(words.Of("room.unknown-pods", "n", r.Unshown))
	case impact.Tight:
		return words.Of("room.tight", "n", r.Left)
	}
	return words.Of("room.enough")
}

func amount(a impact.Amount) words.Say {
	return words.Of("room.amount", "cpu", a.CPU.Cores(), "memory", a.Memory.Bytes())
}

func leftAmount(a impact.Amount) words.Say {
	return words.Of("room.left-amount", "amount", amount(a), "places", words.Of("room.places", "n", a.Pods))
}
