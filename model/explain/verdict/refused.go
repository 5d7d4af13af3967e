package verdict

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/command"
)

// answers are the API server's refusals of a sender's writes since the last accepted one.
type answers struct {
	model.Refusal // the last
	at            model.Instant
	times         int
}

func (a *answers) take(r model.Refusal, at model.Instant) { *a = answers{r, at, a.times + 1} }

// alive is how long an answer shows that its sender lives: senders retry every ten seconds.
const alive = 40 * time.Second

func (a *answers) sign(at model.Instant) (s sign) {
	if a.current(at) {
		s.excludes = []Part{Machine, Network, Process}
		if a.Admitted() {
			s.excludes = append(s.excludes, Credentials)
		}
	}
	switch {
	case a.By == model.RefusedCredentials:
		s.Code, s.shows = "answers-401", []Part{Credentials}
	case a.By == model.RefusedRights:
		s.Code, s.shows = "answers-403", []Part{Credentials}
	case a.fails() && a.current(at):
		s.Fact, s.shows = a.says(1), []Part{Server}
	case a.Code == 403:
		s.Code, s.hints = "answers-403-unnamed", []Part{Credentials}
	default:
		s.Fact = Fact{Code: "answers-code", Of: int(a.Code)}
	}
	return s
}

func (a *answers) current(at model.Instant) bool { return at.Sub(a.at) <= alive }

// fails reports whether the answer names a part of the control plane that refuses.
func (a *answers) fails() bool {
	switch a.By {
	case model.RefusedWebhook, model.RefusedNoWebhook, model.RefusedPolicy, model.RefusedEtcd, model.RefusedOverload:
		return true
	}
	return false
}

func (a *answers) says(nodes int) Fact {
	code := Code("refuses-writes")
	switch a.By {
	case model.RefusedNoWebhook:
		code = "webhook-gone"
	case model.RefusedOverload:
		code = "server-overloaded"
	}
	return Fact{Code: code, By: a.By, Name: a.Name, N: nodes}
}

func (a *answers) check() Fact {
	switch a.By {
	case model.RefusedWebhook, model.RefusedNoWebhook:
		return a.named("kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml")
	case model.RefusedPolicy:
		return a.named("kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings -o yaml")
	case model.RefusedOverload:
		return askPriorities
	}
	return askReady
}

func (a *answers) named(line string) Fact {
	if !command.Fit(a.Name) {
		return run(line)
	}
	return Fact{Code: "look-for", Text: line, Name: a.Name}
}

// refused adds to a verdict its nodes' refused writes, by refusing component. One that refuses all is part of it.
func (v *Verdict) refused(e *Evidence, about []*node) {
	type group struct {
		answers
		nodes []string
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
			v.check(&l.answers, Fact{Node: l.name})
		}
	}
	for _, g := range groups {
		of := Fact{Node: g.nodes[0]}
		if n := len(g.nodes); n > 1 {
			of = Fact{Nodes: n}
		}
		v.check(&g.answers, of)
		if g.fails() && len(g.nodes) == len(silent) && g.current(e.At) {
			v.Says = append(v.Says, g.says(len(g.nodes)))
		}
	}
}

func (v *Verdict) check(a *answers, of Fact) {
	by := a.By
	if by == model.RefusedNoWebhook { // it could not be called, so it did not refuse
		by = model.RefusedUnnamed
	}
	v.For = append(v.For, Fact{Code: "refused-writes", Node: of.Node, Nodes: of.Nodes, By: by, Name: a.Name, N: a.times, At: a.at, Text: a.Says()})
	if a.fails() {
		v.Do = append([]Fact{a.check()}, slices.DeleteFunc(v.Do, func(is Fact) bool { return is == a.check() })...)
	}
}
