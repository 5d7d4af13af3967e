package verdict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/command"
)

// answers is how the API server answered a sender's writes since the last that it took: the zero value is that it refused none.
type answers struct {
	model.Refusal // the last
	at            model.Instant
	times         int
}

// take notes a refusal.
func (a *answers) take(r model.Refusal, at model.Instant) { *a = answers{r, at, a.times + 1} }

// alive is for how long an answer shows that its sender lives: it tries again every ten seconds.
const alive = 40 * time.Second

// sign is what the answer to a node's writes tells of why it is silent.
func (a *answers) sign(at model.Instant) (s sign) {
	if a.current(at) {
		s.excludes = []Part{Machine, Network, Process}
		if a.Admitted() {
			s.excludes = append(s.excludes, Credentials)
		}
	}
	switch {
	case a.By == model.RefusedCredentials:
		s.text, s.shows = "the API server answers its writes with 401 Unauthorized: it is reachable, but does not accept the credentials", []Part{Credentials}
	case a.By == model.RefusedRights:
		s.text, s.shows = "the API server answers its writes with 403 Forbidden: it is reachable, but does not allow them", []Part{Credentials}
	case a.fails() && a.current(at):
		s.text, s.shows = a.says("its writes"), []Part{Server}
	case a.Code == 403:
		s.text, s.hints = "the API server answers its writes with 403 Forbidden: it is reachable; rights or an admission plugin: the answer does not name it", []Part{Credentials}
	default:
		s.text = fmt.Sprintf("the API server answers its writes with %d: it is reachable", a.Code)
	}
	return s
}

// current says that an answer shows how it is at an instant.
func (a *answers) current(at model.Instant) bool { return at.Sub(a.at) <= alive }

// fails says that the answer names a part of the control plane that refuses.
func (a *answers) fails() bool {
	switch a.By {
	case model.RefusedWebhook, model.RefusedNoWebhook, model.RefusedPolicy, model.RefusedEtcd, model.RefusedOverload:
		return true
	}
	return false
}

// says is who refuses writes.
func (a *answers) says(whose string) string {
	switch a.By {
	case model.RefusedNoWebhook:
		return a.Who() + " cannot be called, so " + whose + " are refused"
	case model.RefusedOverload:
		return "the API server has too many requests, and refuses " + whose
	}
	return a.Who() + " refuses " + whose
}

// check is how a person looks at what refuses.
func (a *answers) check() string {
	switch a.By {
	case model.RefusedWebhook, model.RefusedNoWebhook:
		return "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml" + a.named()
	case model.RefusedPolicy:
		return "kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings -o yaml" + a.named()
	case model.RefusedOverload:
		return "kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels"
	}
	return "kubectl get --raw '/readyz?verbose'"
}

func (a *answers) named() string {
	if !command.Fit(a.Name) {
		return ""
	}
	return "  # look for " + a.Name
}

// refused adds to a verdict which of the writes of its nodes were refused, by whom and with which words; of nodes that are all
// refused by the same, it is the verdict's, too.
func (v *Verdict) refused(e *Evidence, about []*node) {
	type group struct {
		answers
		nodes, others []string
	}
	var groups []*group
	add := func(a answers) *group {
		at := slices.IndexFunc(groups, func(g *group) bool {
			return g.By == a.By && g.Name == a.Name && (g.By != model.RefusedUnnamed || g.Code == a.Code)
		})
		if at < 0 {
			groups, at = append(groups, &group{}), len(groups)
		}
		g := groups[at]
		a.times += g.times
		if g.at > a.at {
			a.Refusal, a.at = g.Refusal, g.at
		}
		g.answers = a
		return g
	}
	silent := those(about, (*node).silent)
	for _, n := range silent {
		if n.answers.times > 0 {
			g := add(n.answers)
			g.nodes = append(g.nodes, n.name)
		}
	}
	for _, l := range e.leaders {
		if v.Rule == ControlPlane && l.answers.times > 0 {
			g := add(l.answers)
			g.others = append(g.others, l.name)
		}
	}
	for _, g := range groups {
		senders, whose := g.others, "their writes"
		switch n := len(g.nodes); {
		case n == 1:
			senders, whose = slices.Insert(senders, 0, g.nodes[0]), "its writes"
		case n > 1:
			senders = slices.Insert(senders, 0, model.Counted(n, "node", "nodes"))
		}
		v.For = append(v.For, fmt.Sprintf("%s refused %s of %s, the last at %s: %s", g.by(), model.Counted(g.times, "write", "writes"), strings.Join(senders, " and "), g.at.Clock(), g.Says()))
		if g.fails() {
			v.Do = append([]string{g.check()}, slices.DeleteFunc(v.Do, func(s string) bool { return s == g.check() })...)
			if len(g.nodes) == len(silent) && g.current(e.At) {
				v.Says += "; " + g.says(whose)
			}
		}
	}
}

// by is who refused, as far as the answer names it: a webhook that cannot be called refuses nothing.
func (a *answers) by() string {
	if a.By == model.RefusedNoWebhook {
		return "the API server"
	}
	return a.Who()
}
