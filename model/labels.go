package model

import (
	"slices"
	"strings"
)

// DetailUnlabelled is a detail of pods: true for one that was shown, and has no label. Of one with neither it nor
// a label none are known.
const DetailUnlabelled = "unlabelled"

// SelectsAll is the selector of every object.
const SelectsAll = "*"

// namesOne says that a label tells pods of one workload apart. It is not kept, for without it all pods of one
// template share their labels.
func namesOne(label string) bool {
	switch label {
	case "statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index", "batch.kubernetes.io/job-completion-index":
		return true
	}
	return false
}

// WithLabels adds the labels of a pod to its details. Where they are too many to keep all, none is kept: nothing
// can be said by some of them.
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

// Labels are those of the pod that are kept; known is false where they were not shown.
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

// WithoutLabels are the details of a pod of which the labels are not known.
func (d Details) WithoutLabels() Details {
	return d.without(func(name string) bool { return name == DetailUnlabelled || strings.HasPrefix(name, DetailLabel) })
}

// WithoutRequests are the details of a pod of which the requests are not known.
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

// Requirement is one of the things that a label selector asks for.
type Requirement struct {
	Key string
	// Operator is In, NotIn, Exists or DoesNotExist.
	Operator string
	Values   []string
}

// WriteSelector is a label selector as text, near to what kubectl prints: SelectsAll where it asks for nothing,
// and "" where it holds what is no label.
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

// Selected says whether a selector, as WriteSelector writes it, selects the pod: StatusUnknown where its labels
// are not known, or not the one that the selector asks for, and where the selector is none.
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

// meets says whether labels meet one requirement of a selector.
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
