package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/simulate/courses"
)

// addNodes reads "a-001..a-010 zone=a region=r label:KEY=VALUE taint=KEY:EFFECT room=110 cpu=4 memory=8Gi".
func (p *parser) addNodes(s *statement) error {
	if len(s.words) == 0 {
		return errors.New("expected names, such as a-1 or a-001..a-010")
	}
	template := Node{Room: 110}
	template.Zone.Zone, _ = s.take("zone")
	template.Zone.Region, _ = s.take("region")
	if err := cmp.Or(
		given(s, "room", &template.Room, count(10_000)),
		template.Gives.take(s),
		given(s, "taint", &template.Taints, func(text string) ([]model.Taint, error) {
			taint, err := parseTaint(text)
			return []model.Taint{taint}, err
		}),
	); err != nil {
		return err
	}
	s.options = slices.DeleteFunc(s.options, func(o option) bool {
		label, ok := strings.CutPrefix(o.name, "label:")
		if ok {
			template.Labels = append(template.Labels, model.Detail{Name: model.DetailLabel + label, Value: o.value})
		}
		return ok
	})
	for _, word := range s.words {
		names, err := expand(word)
		if err != nil {
			return err
		}
		for _, name := range names {
			switch _, double := p.nodes[name]; {
			case double:
				return fmt.Errorf("node %s is there already", name)
			case len(p.s.Nodes) >= maxNodes:
				return fmt.Errorf("more than %d nodes", maxNodes)
			case !plain(name):
				return fmt.Errorf("a node cannot be called %q: use lower-case letters, digits, dots and hyphens", name)
			}
			node := template
			node.Name = name
			p.nodes[name] = len(p.s.Nodes)
			p.s.Nodes = append(p.s.Nodes, node)
		}
	}
	return nil
}

func plain(name string) bool {
	return name != "" && len(name) <= 253 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") == "" && !strings.ContainsAny(name[:1], "-.")
}

// expand reads a name, or a range: a-001..a-010 are ten.
func expand(word string) ([]string, error) {
	first, last, ok := strings.Cut(word, "..")
	if !ok {
		return []string{word}, nil
	}
	digits := len(first) - len(strings.TrimRight(first, "0123456789"))
	prefix := first[:len(first)-digits]
	from, err1 := strconv.Atoi(first[len(prefix):])
	rest, same := strings.CutPrefix(last, prefix)
	to, err2 := strconv.Atoi(rest)
	if err1 != nil || err2 != nil || !same || to < from || to-from >= maxNodes {
		return nil, fmt.Errorf("expected a range such as a-001..a-010, found %q", word)
	}
	var names []string
	for n := from; n <= to; n++ {
		names = append(names, fmt.Sprintf("%s%0*d", prefix, digits, n))
	}
	return names, nil
}

// parseTaint reads KEY[=VALUE]:EFFECT.
func parseTaint(text string) (model.Taint, error) {
	at := strings.LastIndexByte(text, ':')
	if at > 0 {
		key, value, _ := strings.Cut(text[:at], "=")
		if effect, ok := model.ParseEffect(text[at+1:]); ok && effect != model.EffectAny {
			return model.Taint{Key: key, Value: value, Effect: effect}, nil
		}
	}
	return model.Taint{}, fmt.Errorf("expected a taint such as key=value:NoExecute, found %q", text)
}

var workloadKinds = map[string]string{"deployment": "Deployment", "statefulset": "StatefulSet", "daemonset": "DaemonSet", "job": "Job", "pod": "Pod"}

func workloadKey(text string) model.Key {
	if namespace, name, ok := strings.Cut(text, "/"); ok {
		return model.Key{Namespace: namespace, Name: name}
	}
	return model.Key{Namespace: "default", Name: text}
}

// DefaultToleration is how long a pod without its own toleration tolerates not-ready and unreachable.
// Source: kubernetes: plugin/pkg/admission/defaulttolerationseconds, --default-unreachable-toleration-seconds.
const DefaultToleration = 300 * time.Second

// addWorkload reads "shop/web replicas=12 tolerate=300s tolerates=KEY:EFFECT/FOR cpu=500m grace=30 zone=a node=a-001".
func (p *parser) addWorkload(word string, s *statement) error {
	volume := slices.Contains(s.words, "volume")
	s.words = slices.DeleteFunc(s.words, func(word string) bool { return word == "volume" })
	if len(s.words) != 1 {
		return errors.New("expected one name, such as shop/web")
	}
	if volume && word != "statefulset" && word != "deployment" && word != "pod" {
		return errors.New("a volume is for a statefulset, a deployment or a pod")
	}
	w := Workload{Volume: volume, Kind: workloadKinds[word], Key: workloadKey(s.words[0]), Replicas: 1, Grace: 30 * time.Second, Tolerations: tolerating(DefaultToleration)}
	if !plain(w.Key.Name) || !plain(w.Key.Namespace) {
		return fmt.Errorf("a workload cannot be called %q", s.words[0])
	}
	if _, double := p.workloads[w.Key]; double {
		return fmt.Errorf("%s is there already", w.Key)
	}
	if w.Kind == "DaemonSet" {
		w.Tolerations = &model.Tolerations{{Operator: "Exists"}}
	}
	if err := w.options(s); err != nil {
		return err
	}
	if w.Node != "" {
		if _, ok := p.nodes[w.Node]; !ok {
			return p.noNode(w.Node)
		}
	}
	if w.Zone != "" && !slices.ContainsFunc(p.s.Nodes, func(n Node) bool { return n.Zone.Zone == w.Zone }) {
		return fmt.Errorf("no node is in zone %q", w.Zone)
	}
	p.workloads[w.Key] = len(p.s.Workloads)
	p.s.Workloads = append(p.s.Workloads, w)
	return nil
}

func (w *Workload) options(s *statement) error {
	replicas := count(maxPods)
	if w.Kind == "DaemonSet" || w.Kind == "Pod" {
		replicas = func(string) (int, error) { return 0, errors.New("it has no replicas") }
	}
	if err := cmp.Or(
		given(s, "replicas", &w.Replicas, replicas),
		given(s, "grace", &w.Grace, duration),
		given(s, "ends", &w.Ends, duration),
		given(s, "priority", &w.Priority, func(text string) (int64, error) { return strconv.ParseInt(text, 10, 32) }),
		given(s, "tolerate", &w.Tolerations, parseTolerate),
	); err != nil {
		return err
	}
	for text, ok := s.take("tolerates"); ok; text, ok = s.take("tolerates") {
		t, err := parseToleration(text)
		if err != nil {
			return err
		}
		list := append(slices.Clone(w.Tolerations.List()), t)
		w.Tolerations = (*model.Tolerations)(&list)
	}
	w.Zone, _ = s.take("zone")
	w.Node, _ = s.take("node")
	return w.Requests.take(s)
}

// parseTolerate reads a duration, forever or none.
func parseTolerate(text string) (*model.Tolerations, error) {
	switch text {
	case "forever":
		return &model.Tolerations{{Operator: "Exists", Effect: model.NoExecute}}, nil
	case "none":
		return nil, nil
	}
	d, err := duration(text)
	if err != nil {
		return nil, fmt.Errorf("tolerate: %w, or forever, or none", err)
	}
	return tolerating(d), nil
}

// tolerating is the tolerations that the API server gives every pod without its own.
func tolerating(d time.Duration) *model.Tolerations {
	return courses.Tolerating(nil, model.Some(int64(d.Seconds())))
}

func (p *parser) noNode(name string) error {
	names := slices.Sorted(maps.Keys(p.nodes))
	if len(names) == 0 {
		return fmt.Errorf("no node is called %q: there are none above this line", name)
	}
	return fmt.Errorf("no node is called %q: they are %s to %s", name, names[0], names[len(names)-1])
}
