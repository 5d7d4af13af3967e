package describe

import (
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/sources/read/input"
)

type page struct {
	indent   int // of its sections
	line     int
	offset   int64
	section  string // that the next lines belong to
	sections map[string]bool

	name       string
	labels     map[string]string
	lease      map[string]string
	conditions []condition
	events     []event
	pods       int

	// The parts of the object that are kept as they are.
	meta, spec, info  fields
	taints, addresses []fields
}

func newPage(indent int, line input.Line) *page {
	return &page{indent: indent, line: line.Number, offset: line.Offset, sections: map[string]bool{}, labels: map[string]string{}, lease: map[string]string{},
		meta: fields{}, spec: fields{}, info: fields{}}
}

// infoNames are the names of the machine's properties in the object.
var infoNames = map[string]string{"Machine ID": "machineID", "System UUID": "systemUUID", "Boot ID": "bootID", "Kernel Version": "kernelVersion", "OS Image": "osImage",
	"Operating System": "operatingSystem", "Architecture": "architecture", "Container Runtime Version": "containerRuntimeVersion", "Kubelet Version": "kubeletVersion"}

type condition struct {
	kind, status, reason, message string
	heartbeat, transition         time.Time
}

type event struct {
	kind, reason, component, host, message string
	last                                   age
	count                                  int
}

// order is that of sections: an earlier one starts another node.
var order = []string{"Name", "Role", "Roles", "Namespace", "Labels", "Annotations", "CreationTimestamp", "Taints", "Unschedulable", "Phase", "Lease", "Conditions", "Addresses",
	"Capacity", "Allocatable", "System Info", "PodCIDR", "PodCIDRs", "ExternalID", "ProviderID", "Non-terminated Pods", "Allocated resources", "Events"}

var (
	sectionLine = regexp.MustCompile(`^(` + strings.Join(order, "|") + `):(?:\s+(.*))?$`)
	colours     = regexp.MustCompile(`\x1b\[[0-9;?]*[ -/]*[@-~]`)
	// prompt is a line with a person's kubectl command.
	prompt    = regexp.MustCompile(`^(\S{0,80}[$#%❯>]\s+|\$\s*)?(sudo\s+)?(kubectl|oc|kubecolor|k)\s+\S`)
	tableHead = regexp.MustCompile(`^Type\s+Status\s+LastHeartbeatTime\s+LastTransitionTime`)
	pair      = regexp.MustCompile(`^([^\s=]+)=(\S*)$`)
	colon     = regexp.MustCompile(`^([A-Za-z][A-Za-z -]{1,40}?):\s+(.*)$`)
	date      = `[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:[+-]\d{4}|UTC|GMT)`
	isDate    = regexp.MustCompile(`^` + date + `$`)
	row       = regexp.MustCompile(`^(\S+)\s+(True|False|Unknown)\s+(` + date + `|<unset>)\s+(` + date + `|<unset>)(?:\s+(\S+))?\s*(.*)$`)
	isName    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,252}$`)
	podRow    = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*\s+[a-z0-9][a-z0-9.-]*\s+.*\S+$`)
)

// clean is a line without quotation marks, colours, and web entities.
func clean(data []byte) string {
	text := strings.ToValidUTF8(string(data[:min(len(data), maxLine)]), "\ufffd")
	if strings.ContainsRune(text, 0x1b) {
		text = colours.ReplaceAllString(text, "")
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\u00a0", " "), "\t", " ")
	for {
		quoted, is := strings.CutPrefix(strings.TrimLeft(text, " \ufeff"), ">")
		if !is {
			break
		}
		text = strings.TrimPrefix(quoted, " ")
	}
	if strings.Contains(text, "&") {
		text = html.UnescapeString(text)
	}
	return text
}

func header(line string) (key, value string, ok bool) {
	found := sectionLine.FindStringSubmatch(line)
	if found == nil {
		return "", "", false
	}
	return found[1], found[2], true
}

// before reports that a section comes before the present one: it is another node's.
func (p *page) before(key string) bool {
	return p.sections[key] && slices.Index(order, key) < slices.Index(order, p.section)
}

// isNode distinguishes a node from other described objects.
func (p *page) isNode() bool {
	if p.sections["Namespace"] {
		return false
	}
	for _, s := range [...]string{"Roles", "Role", "Taints", "Unschedulable", "Lease", "System Info", "Non-terminated Pods"} {
		if p.sections[s] {
			return true
		}
	}
	return len(p.conditions) > 0
}

// called is the name of the node: if the first line is cut off, it may be in other places.
func (p *page) called() string {
	for _, name := range [...]string{p.name, p.lease["HolderIdentity"], p.labels["kubernetes.io/hostname"]} {
		if isName.MatchString(name) {
			return name
		}
	}
	for _, e := range p.events {
		if rest, is := strings.CutPrefix(e.message, "Node "); is {
			if name, _, _ := strings.Cut(rest, " "); isName.MatchString(name) {
				return name
			}
		}
	}
	return ""
}

// ready reports that Ready is shown, or that all conditions are and it is none of them.
func (p *page) ready() bool {
	for _, c := range p.conditions {
		if c.kind == "Ready" {
			return true
		}
	}
	return len(p.conditions) > 0 && slices.Index(order, p.section) > slices.Index(order, "Conditions")
}

const none, unset = "<none>", "<unset>"

// begin takes the line that starts a section, within another of its lines.
func (p *page) begin(key, value string) {
	p.section, p.sections[key] = key, true
	value = strings.TrimSpace(value)
	if value == "" || value == none || value == unset {
		return
	}
	switch key {
	case "Name":
		p.name = value
	case "CreationTimestamp":
		p.meta["creationTimestamp"] = stamp(value)
	case "Unschedulable":
		p.spec["unschedulable"] = value == "true"
	case "PodCIDR":
		p.spec["podCIDR"] = value
	case "ProviderID":
		p.spec["providerID"] = value
	case "Labels", "Taints":
		p.within(value)
	}
}

func (p *page) within(line string) {
	if len(line) > maxText {
		line = strings.ToValidUTF8(line[:maxText], "")
	}
	switch p.section {
	case "Labels":
		if found := pair.FindStringSubmatch(line); found != nil {
			p.labels[found[1]] = found[2]
		}
	case "Taints":
		if key, _, ok := strings.Cut(line, ":"); ok && !strings.ContainsAny(key, " ") {
			if taint := taintOf(line); taint != nil {
				p.taints = append(p.taints, taint)
			}
		}
	case "Lease":
		if found := colon.FindStringSubmatch(line); found != nil {
			p.lease[found[1]] = strings.TrimSpace(found[2])
		}
	case "Conditions":
		if found := row.FindStringSubmatch(line); found != nil {
			p.conditions = append(p.conditions, condition{found[1], found[2], found[5], found[6], moment(found[3]), moment(found[4])})
		}
	case "Addresses":
		if found := colon.FindStringSubmatch(line); found != nil {
			p.addresses = append(p.addresses, fields{"type": found[1], "address": found[2]})
		}
	case "System Info":
		if found := colon.FindStringSubmatch(line); found != nil && infoNames[found[1]] != "" {
			p.info[infoNames[found[1]]] = strings.TrimSpace(found[2])
		}
	case "Non-terminated Pods":
		if podRow.MatchString(line) && !strings.HasPrefix(line, "-") {
			p.pods++
		}
	case "Events":
		if e, ok := eventOf(line); ok {
			p.events = append(p.events, e)
		}
	}
}

// moment reads kubectl's form of a time; zero for other text.
func moment(text string) time.Time {
	if !isDate.MatchString(text) {
		return time.Time{} // it may be cut
	}
	for _, layout := range [...]string{"Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST"} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() > 1 {
			return t
		}
	}
	return time.Time{}
}

// stamp is such a time as JSON; "" for other text.
func stamp(text string) string { return written(moment(text)) }

func written(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func numbered(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 1
	}
	return min(n, 1<<30)
}
