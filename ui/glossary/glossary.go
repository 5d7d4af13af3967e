// Package glossary has the meanings of the words on the screens.
package glossary

import (
	"regexp"
	"strings"

	"kardia/model"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Term is a word and its meaning in the language spoken. Own is the word in that language, if it is another than Name.
type Term struct{ Name, Own, Meaning string }

// Title is the word in both languages.
func (t *Term) Title() string {
	if t.Own == "" {
		return t.Name
	}
	return t.Own + " (" + t.Name + ")"
}

// In reports whether a text has the word, as a whole word; a capital matches a small letter. Korean writes its endings
// close to a word, which is still that word.
func (t *Term) In(text string) bool {
	capital := strings.ToUpper(t.Name[:1]) + t.Name[1:]
	pattern := `(^|[^-0-9A-Za-z])(` + regexp.QuoteMeta(t.Name) + `|` + regexp.QuoteMeta(capital) + `)([^-0-9A-Za-z]|$)`
	if t.Own != "" {
		pattern += `|(^|[^\p{L}])` + regexp.QuoteMeta(t.Own)
	}
	return regexp.MustCompile(pattern).MatchString(text)
}

type term struct {
	name    string
	meaning words.Say
}

// said are terms in the language spoken.
func said(list []term) []Term {
	all := make([]Term, len(list))
	for i := range list {
		all[i] = list[i].said()
	}
	return all
}

func (t *term) said() Term {
	is := Term{Name: t.name, Meaning: t.meaning.String()}
	if own := words.Label(t.name); own != t.name {
		is.Own = own
	}
	return is
}

// Words are states, taints, conditions, zone states, and how a thing is known.
func Words() []Term { return append(said(terms), said(marks)...) }

// Rules are the rules of the controllers.
func Rules() (list []Term) {
	for _, r := range model.Rules() {
		rule := term{r.String(), topics.Rule(r)}
		list = append(list, rule.said())
	}
	return list
}

var terms = []term{
	{"Ready", words.Of("glossary.ready")},
	{"Unknown", words.Of("glossary.unknown")},
	{"NotReady", words.Of("glossary.not-ready")},
	{"NoStatus", words.Of("glossary.no-status")},
	{"lease-only", words.Of("glossary.lease-only")},
	{"silent", words.Of("glossary.silent")},
	{"late", words.Of("glossary.late")},
	{"grace", words.Of("glossary.grace")},
	{"cordoned", words.Of("glossary.cordoned")},
	{"PodDisruptionBudget", words.Of("glossary.disruption-budget")},
	{"Eviction API", words.Of("glossary.eviction-api")},
	{"node.kubernetes.io/unreachable", words.Of("glossary.taint-unreachable")},
	{"node.kubernetes.io/not-ready", words.Of("glossary.taint-not-ready")},
	{"node.kubernetes.io/unschedulable", words.Of("glossary.taint-unschedulable")},
	{"node.kubernetes.io/memory-pressure", words.Of("glossary.taint-memory-pressure")},
	{"node.kubernetes.io/disk-pressure", words.Of("glossary.taint-disk-pressure")},
	{"node.kubernetes.io/pid-pressure", words.Of("glossary.taint-pid-pressure")},
	{"node.kubernetes.io/network-unavailable", words.Of("glossary.taint-network-unavailable")},
	{"node.kubernetes.io/out-of-service", words.Of("glossary.taint-out-of-service")},
	{"NoExecute", words.Of("glossary.no-execute")},
	{"NoSchedule", words.Of("glossary.no-schedule")},
	{"tolerates", words.Of("glossary.tolerates")},
	{"stuck", words.Of("glossary.stuck")},
	{"due", words.Of("glossary.due")},
	{"ending", words.Of("glossary.ending")},
	{"blocked", words.Of("glossary.blocked")},
	{"stays", words.Of("glossary.stays")},
	{"deleted?", words.Of("glossary.deleted-in-gap")},
	{"stopped", words.Of("glossary.stopped")},
	{"wait", words.Of("glossary.wait")},
	{"token", words.Of("glossary.token")},
	{"1/10s", words.Of("glossary.rate")},
	{"Normal", words.Of("glossary.normal")},
	{"Partial", words.Of("glossary.partial")},
	{"Full", words.Of("glossary.full")},
	{"master disruption", words.Of("glossary.master-disruption")},
	{"pass", words.Of("glossary.pass")},
	{"observed", words.Of("glossary.observed")},
	{"inferred", words.Of("glossary.inferred")},
	{"predicted", words.Of("glossary.predicted")},
	{"m:ss", words.Of("glossary.time-left")},
	{"later", words.Of("glossary.later")},
	{"skew", words.Of("glossary.skew")},
	{"reconstructed", words.Of("glossary.reconstructed")},
	{"last known", words.Of("glossary.last-known")},
	{"last seen", words.Of("glossary.last-seen")},
	{"gap", words.Of("glossary.gap")},
}
