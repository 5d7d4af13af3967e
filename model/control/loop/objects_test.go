package loop_test

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
)

// nodes puts nodes there that were created an hour before and posted ten seconds before.
func (s *stage) nodes(list []string, options map[string]string, excluded bool) {
	for _, name := range list {
		n := &model.Node{Created: epoch.Add(-time.Hour), Zone: zone(options), ExcludeDisruption: excluded}
		ready := "Ready=True"
		if v, ok := options["ready"]; ok {
			ready = "Ready=" + v
		}
		post(n, epoch.Add(-10*time.Second), []string{ready})
		if v, ok := options["taint"]; ok {
			n.Taints = []model.Taint{{Key: long(v), Effect: model.NoExecute, Added: epoch.Add(-time.Minute)}}
		}
		s.loop.At(epoch, func(l *loop.Loop) { l.SetNode(name, n) })
		s.names = append(s.names, name)
	}
}

// create makes a node as admission does: with a not-ready taint.
func (s *stage) create(name string, at model.Instant, conditions []string, options map[string]string) {
	n := &model.Node{Created: at, Zone: zone(options), Taints: []model.Taint{{Key: long("not-ready"), Effect: model.NoSchedule}}}
	conditions = slices.DeleteFunc(slices.Clone(conditions), func(w string) bool {
		if w == "renew" {
			s.renewals(name, at.Sub(epoch).Seconds()+2, s.until, 0)
		}
		return w == "renew"
	})
	if len(conditions) > 0 {
		post(n, at, conditions)
	}
	s.loop.At(at, func(l *loop.Loop) { l.SetNode(name, n) })
}

func (s *stage) edit(name string, at model.Instant, edit func(*model.Node)) {
	s.loop.At(at, func(l *loop.Loop) { l.EditNode(name, edit) })
}

// post is a kubelet's status post: all its conditions, with new heartbeats.
func post(n *model.Node, at model.Instant, words []string) {
	says := map[string]model.Status{"MemoryPressure": model.StatusFalse, "DiskPressure": model.StatusFalse, "PIDPressure": model.StatusFalse, "Ready": model.StatusTrue}
	for _, w := range words {
		kind, status, _ := strings.Cut(w, "=")
		says[kind] = model.ParseStatus(status)
	}
	for _, kind := range []string{"NetworkUnavailable", "MemoryPressure", "DiskPressure", "PIDPressure", "Ready"} {
		if _, ok := says[kind]; !ok {
			continue
		}
		c := n.Condition(kind)
		if c == nil {
			n.Conditions = append(n.Conditions, model.Condition{Type: kind, Transition: at})
			c = &n.Conditions[len(n.Conditions)-1]
		}
		if c.Status != says[kind] {
			c.Transition = at
		}
		c.Status, c.Reason, c.Heartbeat = says[kind], "KubeletSays", at
	}
}

// long is a taint's key in full: those of Kubernetes are written without their prefix.
func long(key string) string {
	switch key {
	case "not-ready", "unreachable", "out-of-service", "unschedulable", "memory-pressure":
		return "node.kubernetes.io/" + key
	}
	return key
}

func short(key string) string { return strings.TrimPrefix(key, "node.kubernetes.io/") }

// taint puts taints on a node, stamps them anew, or takes them off, in one update.
func (s *stage) taint(what, name string, at model.Instant, list string) {
	s.edit(name, at, func(n *model.Node) {
		for _, text := range strings.Split(list, ",") {
			text, effect, _ := strings.Cut(text, ":")
			k, value, _ := strings.Cut(text, "=")
			t := model.Taint{Key: long(k), Value: value}
			t.Effect, _ = model.ParseEffect(effect)
			same := func(have model.Taint) bool { return have.Key == t.Key && have.Effect == t.Effect }
			switch i := slices.IndexFunc(n.Taints, same); {
			case what == "untaint":
				n.Taints = slices.DeleteFunc(n.Taints, same)
			case what == "restamp":
				n.Taints[i].Added = at
			default:
				n.Taints = append(n.Taints, t)
			}
		}
	})
}

func (s *stage) pod(name, node string, options map[string]string) {
	p := &model.Pod{Key: key(name), Node: node, Phase: model.PhaseRunning, Ready: model.StatusTrue, GraceSeconds: 30, Tolerations: s.tolerations("default")}
	if v, ok := options["tolerate"]; ok {
		p.Tolerations = s.tolerations(v)
	}
	if v, ok := options["phase"]; ok {
		p.Phase, p.Ready = model.ParsePhase(v), model.StatusFalse
	}
	at := epoch
	if v, ok := options["at"]; ok {
		at = second(s.number(v))
	}
	s.loop.At(at, func(l *loop.Loop) { l.SetPod(p) })
}

// tolerations reads default, none, daemonset, mirror, or a list KEY[=VALUE]:EFFECT:SECONDS,… where
// KEY may be * (empty) and EFFECT and SECONDS may be empty.
func (s *stage) tolerations(text string) *model.Tolerations {
	switch text {
	case "default":
		text = "not-ready:NoExecute:300,unreachable:NoExecute:300"
	case "daemonset":
		text = "not-ready:NoExecute:,unreachable:NoExecute:"
	case "mirror":
		text = "*:NoExecute:"
	case "none":
		return nil
	}
	var list model.Tolerations
	for _, one := range strings.Split(text, ",") {
		parts := strings.Split(one, ":")
		if len(parts) != 3 {
			s.t.Fatalf("a toleration is KEY:EFFECT:SECONDS, got %q", one)
		}
		k, value, equal := strings.Cut(parts[0], "=")
		t := model.Toleration{Key: long(k), Operator: "Exists"}
		if equal {
			t.Operator, t.Value = "Equal", value
		}
		if k == "*" {
			t.Key = ""
		}
		t.Effect, _ = model.ParseEffect(parts[1])
		if parts[2] != "" {
			t.Seconds = model.Some(int64(s.number(parts[2])))
		}
		list = append(list, t)
	}
	return &list
}
