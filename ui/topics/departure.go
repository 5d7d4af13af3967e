package topics

import (
	"strings"

	"kardia/model"
	"kardia/model/explain/departure"
	"kardia/ui/words"
)

// DepartureWord is what takes a pod away, in a word or two, with what its node was low on.
func DepartureWord(p *model.Pod) string {
	k := departure.Of(p)
	e, _ := p.Ending()
	if k != departure.Pressure || e.Named == "" {
		return k.String()
	}
	low := e.Named
	switch low {
	case "ephemeral-storage", "nodefs", "imagefs", "disk":
		low = "disk"
	case "nodefsInodes", "imagefsInodes":
		low = "inodes"
	}
	return words.Of("departure.low", "on", low).String()
}

// Departure is what takes a pod away, with what its own status shows of it.
func Departure(p *model.Pod) words.Say {
	k := departure.Of(p)
	kind := words.Of("departure.kind." + k.String())
	e, known := p.Ending()
	switch {
	case k == departure.Pressure && e.Named != "":
		return words.Of("departure.low-on", "on", e.Named)
	case k == departure.Refused && e.By == model.EndedForCondition:
		return words.Of("departure.refused-for", "kind", kind, "conditions", strings.ReplaceAll(e.Named, "/", " and "))
	case k == departure.Refused:
		return words.Of("departure.refused-with", "kind", kind, "reason", e.Reason)
	case k == departure.Failed && known:
		return words.Of("departure.failed-with", "reason", e.Reason)
	}
	// Kubelets end pods by ranges of priority, lower ones first. The API shows only the two default ranges.
	switch priority, known := p.Priority(); {
	case k != departure.Shutdown || !known:
		return kind
	case priority >= model.SystemCritical:
		return words.Of("departure.shutdown-last", "kind", kind, "priority", priority)
	default:
		return words.Of("departure.shutdown-before", "kind", kind, "priority", priority)
	}
}
