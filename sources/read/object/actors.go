package object

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"kardia/model"
)

func selector(s gjson.Result) string {
	if !s.IsObject() {
		return ""
	}
	var list []model.Requirement
	members(s.Get("matchLabels"), func(name string, value gjson.Result) {
		list = append(list, model.Requirement{Key: name, Operator: "In", Values: []string{value.String()}})
	})
	slices.SortFunc(list, func(a, b model.Requirement) int { return strings.Compare(a.Key, b.Key) })
	items(s.Get("matchExpressions"), func(e gjson.Result) {
		r := model.Requirement{Key: e.Get("key").String(), Operator: e.Get("operator").String()}
		for _, v := range e.Get("values").Array() {
			r.Values = append(r.Values, v.String())
		}
		list = append(list, r)
	})
	return model.WriteSelector(list)
}

// endpoints are the pods of an EndpointSlice, and whether each is ready; if not shown, it is.
func endpoints(list []model.Detail, meta *metadata, p *Parts) []model.Detail {
	list = append(list, model.Detail{Name: model.DetailService, Value: meta.labels.Get(`kubernetes\.io/service-name`).String()})
	items(p.Whole.Get("endpoints"), func(e gjson.Result) {
		if of := e.Get("targetRef"); of.Get("kind").String() == "Pod" {
			ready := "true"
			if r := e.Get("conditions.ready"); r.Exists() && r.Type == gjson.False {
				ready = "false"
			}
			list = append(list, model.Detail{Name: model.DetailEndpoint + of.Get("namespace").String() + "/" + of.Get("name").String(), Value: ready})
		}
	})
	return list
}

// conditionDetails are the conditions of an object that is none of Kubernetes' own.
func conditionDetails(list []model.Detail, status gjson.Result) []model.Detail {
	items(status.Get("conditions"), func(c gjson.Result) {
		list = append(list, model.Detail{Name: model.DetailCondition + c.Get("type").String(),
			Value: c.Get("status").String() + " " + strings.ReplaceAll(c.Get("reason").String(), " ", "") + " " + c.Get("lastTransitionTime").String()})
	})
	return list
}

// healthCheck is what a NodeHealthCheck of medik8s waits for, and the nodes it remediates.
// Source: medik8s/node-healthcheck-operator: api/v1alpha1.
func healthCheck(list []model.Detail, p *Parts) []model.Detail {
	list = append(list, model.Detail{Name: model.DetailPhase, Value: p.Status.Get("phase").String()},
		model.Detail{Name: model.DetailReason, Value: p.Status.Get("reason").String()})
	items(p.Spec.Get("unhealthyConditions"), func(c gjson.Result) {
		list = append(list, model.Detail{Name: model.DetailWaits + c.Get("type").String() + " " + c.Get("status").String(), Value: c.Get("duration").String()})
	})
	items(p.Status.Get("unhealthyNodes"), func(n gjson.Result) {
		began := ""
		for _, r := range n.Get("remediations").Array() {
			if t := r.Get("started").String(); began == "" || t < began {
				began = t
			}
		}
		list = append(list, model.Detail{Name: model.DetailUnhealthy + n.Get("name").String(), Value: cmp.Or(began, "-")})
	})
	return conditionDetails(list, p.Status)
}

// autoscaler is the cluster autoscaler's own status: YAML from 1.30 on, lines of words before.
// Source: kubernetes/autoscaler: cluster-autoscaler/clusterstate/api, and clusterstate/utils for 1.29.
func autoscaler(list []model.Detail, status string) []model.Detail {
	section, part := "", ""
	put := func(name, value string) {
		if !slices.ContainsFunc(list, func(d model.Detail) bool { return d.Name == name }) {
			list = append(list, model.Detail{Name: name, Value: value})
		}
	}
	for line := range strings.Lines(status) {
		text := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		key, value, _ := strings.Cut(text, ":")
		value = strings.TrimSpace(value)
		if indent == 0 {
			section, part = strings.ToLower(strings.ReplaceAll(key, "-", "")), ""
		}
		if rest, old := strings.CutPrefix(text, "Cluster-autoscaler status at "); old {
			put(model.DetailProbed, strings.TrimSuffix(rest, ":"))
		}
		switch {
		case section == "time" && indent == 0:
			put(model.DetailProbed, value)
		case section == "autoscalerstatus":
			put(model.DetailRuns, value)
		case section != "clusterwide":
		case value == "" && indent > 0 && indent <= 4:
			part = key
		case part == "" && key == "Health" && value != "": // up to 1.29
			put(model.DetailHealth, first(value))
		case part == "" && key == "ScaleDown" && value != "":
			put(model.DetailScaleDown, first(value))
		case part == "health" && key == "status":
			put(model.DetailHealth, value)
		case part == "scaleDown" && key == "status":
			put(model.DetailScaleDown, value)
		}
	}
	return list
}

func first(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}
