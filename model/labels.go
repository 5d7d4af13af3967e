package model

import (
	"slices"
	"strings"
)

// DetailUnlabelled is "true" for a pod shown to have no label. Without it and without labels, the labels are unknown.
const DetailUnlabelled = "unlabelled"

// SelectsAll is the selector of every object.
const SelectsAll = "*"

// namesOne reports whether a label differs between pods of one workload. It is dropped, so that pods share labels.
func namesOne(label string) bool {
	switch label {
	case "statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index", "batch.kubernetes.io/job-completion-index":
		return true
	}
	return false
}

// WithLabels adds the labels of a pod to its details: all, or none if they are too many to keep.
func WithLabels(list []Detail, labels func(yield func(key, value string) bool)) []Detail {
	from, size := len(list), 0
	for _, d := range list {
		size += len(d.Name) + len(d.Value) + 2
	}
	for key, value := range labels {
		if namesOne(key) {
			continue
		}
		list = append(list, Detail{DetailLabel + key, value})
		size += len(DetailLabel) + len(key) + len(value) + 2
	}
	switch {
	case size > maxDetails:
		return list[:from]
	case len(list) == from:
		list = append(list, Detail{DetailUnlabelled, "true"})
	}
	return list
}

// Labels are the kept labels of the pod; known is false if they were not shown.
func (p *Pod) Labels() (labels map[string]string, known bool) {
	labels = map[string]string{}
	for name, value := range p.Details.All {
		if label, ok := strings.CutPrefix(name, DetailLabel); ok {
			labels[label], known = value, true
		}
		known = known || name == DetailUnlabelled
	}
	return labels, known
}

// WithoutLabels are the details of a pod with unknown labels.
func (d Details) WithoutLabels() Details {
	return d.without(func(name string) bool { return name == DetailUnlabelled || strings.HasPrefix(name, DetailLabel) })
}

// WithoutRequests are the details of a pod with unknown requests.
func (d Details) WithoutRequests() Details {
	return d.without(func(name string) bool { return name == DetailRequests })
}

func (d Details) without(drop func(name string) bool) Details {
	var kept []Detail
	for name, value := range d.All {
		if !drop(name) {
			kept = append(kept, Detail{name, value})
		}
	}
	return Details(PackDetails(kept, nil))
}

// Requirement is one requirement of a label selector.
type Requirement struct {
	Key      string
	Operator string
	Values   []string
}

// WriteSelector is a label selector as text, similar to kubectl's: SelectsAll for an empty one, "" if it is invalid.
func WriteSelector(list []Requirement) string {
	parts := make([]string, len(list))
	for i, r := range list {
		for _, text := range append([]string{r.Key, r.Operator}, r.Values...) {
			if strings.ContainsAny(text, ",|= \n") {
				return ""
			}
		}
		if r.Operator == "In" && len(r.Values) == 1 {
			parts[i] = r.Key + "=" + r.Values[0]
			continue
		}
		parts[i] = strings.TrimSpace(r.Key + " " + r.Operator + " " + strings.Join(r.Values, "|"))
	}
	if len(parts) == 0 {
		return SelectsAll
	}
	return strings.Join(parts, ",")
}

// Selected reports whether a selector of WriteSelector selects the pod; StatusUnknown if it or the labels are missing.
// Source: k8s.io/apimachinery: pkg/labels, Requirement.Matches.
func (p *Pod) Selected(selector string) Status {
	if selector == SelectsAll {
		return StatusTrue
	}
	labels, known := p.Labels()
	if !known || selector == "" {
		return StatusUnknown
	}
	answer := StatusTrue
	for part := range strings.SplitSeq(selector, ",") {
		switch meets(labels, part) {
		case StatusFalse:
			return StatusFalse
		case StatusUnknown:
			answer = StatusUnknown
		}
	}
	return answer
}

func meets(labels map[string]string, part string) Status {
	key, value, equal := strings.Cut(part, "=")
	operator, values := "In", []string{value}
	if !equal {
		words := strings.SplitN(part, " ", 3)
		if len(words) < 2 {
			return StatusUnknown
		}
		key, operator, values = words[0], words[1], nil
		if len(words) == 3 {
			values = strings.Split(words[2], "|")
		}
	}
	if namesOne(key) {
		return StatusUnknown
	}
	have, ok := labels[key]
	switch in := slices.Contains(values, have); operator {
	case "In":
		ok = ok && in
	case "NotIn":
		ok = !ok || !in
	case "Exists":
	case "DoesNotExist":
		ok = !ok
	default:
		return StatusUnknown
	}
	if ok {
		return StatusTrue
	}
	return StatusFalse
}
