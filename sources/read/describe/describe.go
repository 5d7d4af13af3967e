// Package describe reads the output of `kubectl describe node`, as people keep and paste it: one node or many, alone or
// in the text of an issue. It may be quoted, indented, coloured or cut. For each node it makes the Node, the Lease and
// the Events, as far as the text shows them. For
//
//	Name:               alpha-1
//	Taints:             node.kubernetes.io/unreachable:NoExecute
//	Lease:
//	  RenewTime:       Mon, 05 Jan 2026 18:54:49 +0900
//	Conditions:
//	  Type    Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message
//	  Ready   Unknown   Mon, 05 Jan 2026 18:51:08 +0900   Mon, 05 Jan 2026 18:55:30 +0900   NodeStatusUnknown   Kubelet stopped …
//
// that is a Node alpha-1 that is Unknown since 09:55:30Z, with a taint, and its Lease, renewed at 09:54:49Z.
//
// The text lacks other nodes, when a taint was added, and of pods all but names, so pods are not used. Ages are
// relative to a time that it does not show; see ages.go.
// Source: kubernetes: staging/src/k8s.io/kubectl/pkg/describe, describeNode and DescribeEvents.
package describe

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"kardia/model"
	"kardia/sources/read/entries"
	"kardia/sources/read/input"
	"kardia/sources/read/object"
	"kardia/sources/read/watchstream"
)

// lead may come before a line of a paste: marks of a quotation and white space.
const lead = `(?m)^[> \t\x{a0}]*`

// begins finds the start of a node, or else of a table or a section that only a node has.
var begins = regexp.MustCompile(lead + `Name:[ \t\x{a0}]+\S+\s*\r?\n[> \t\x{a0}]*Roles?:|` +
	lead + `Type\s+Status\s+LastHeartbeatTime\s+LastTransitionTime|` + lead + `(Non-terminated Pods|HolderIdentity):`)

// Sniff reports whether a text, or its beginning, has the output of `kubectl describe node`.
func Sniff(head []byte) bool {
	text := bytes.TrimLeft(head, " \t\r\n\ufeff")
	if len(text) == 0 || text[0] == '{' || text[0] == '[' {
		return false
	}
	return begins.Match(colours.ReplaceAll(head, nil))
}

const (
	maxNodes  = 100_000
	maxEvents = 200_000
	// maxLine limits a line, maxText a kept cell.
	maxLine, maxText = 64 << 10, 4 << 10
)

type reader struct {
	in      *input.Reader
	decoder *object.Decoder
	source  int32
	report  func(line int, offset int64, what string)
	out     watchstream.Stream

	page   *page           // being read; nil between nodes
	seen   map[string]bool // nodes of this round
	nodes  int
	events int
	pods   int
	after  model.Instant // of this round
}

// Read reads a file to its end. It reports unusable parts and continues; the error is the file's own.
func Read(r *input.Reader, decoder *object.Decoder, source int32, report func(line int, offset int64, what string)) (watchstream.Stream, error) {
	rd := &reader{in: r, decoder: decoder, source: source, report: report, seen: map[string]bool{}}
	rd.out.Described, rd.out.After = true, map[int]model.Instant{}
	end, err := entries.Each(input.NewLines(r), rd.line)
	if err != nil {
		rd.line(end)
	}
	rd.end()
	rd.note()
	return rd.out, err
}

func (rd *reader) line(line input.Line) {
	text := clean(line.Data)
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "", line.TooLong:
	case strings.HasPrefix(trimmed, "```"), prompt.MatchString(trimmed):
		rd.end()
	default:
		rd.take(text, trimmed, line)
	}
}

func (rd *reader) take(text, trimmed string, line input.Line) {
	indent := len(text) - len(strings.TrimLeft(text, " "))
	key, value, headed := header(trimmed)
	if headed && rd.page != nil && indent > rd.page.indent {
		headed = false // an annotation may have any name
	}
	if headed && (key == "Name" || rd.page == nil || rd.page.before(key)) {
		rd.end()
		rd.page = newPage(indent, line)
	}
	if rd.page == nil {
		if !tableHead.MatchString(trimmed) {
			return // sentences around it
		}
		rd.page = newPage(indent, line)
		rd.page.begin("Conditions", "")
	}
	if headed {
		rd.page.begin(key, value)
		return
	}
	rd.page.within(trimmed)
}

func (rd *reader) end() {
	p := rd.page
	if rd.page = nil; p == nil || !p.isNode() {
		return
	}
	name := p.called()
	if name == "" {
		rd.report(p.line, p.offset, "a part of what 'kubectl describe node' prints does not show which node it is of; it was skipped")
		return
	}
	if rd.nodes++; rd.nodes > maxNodes {
		rd.in.Stop(watchstream.ErrTooMany)
	}
	rd.pods += p.pods
	if rd.seen[name] {
		rd.out.Rounds = append(rd.out.Rounds, len(rd.out.Sightings))
		clear(rd.seen)
		rd.after = 0
	}
	rd.seen[name] = true
	rd.add(p, name)
	if after := p.taken(); after.Known() && (!rd.after.Known() || after.Earliest < rd.after) {
		rd.after = after.Earliest
		rd.out.After[len(rd.out.Rounds)] = rd.after
	}
	rd.missing(p, name)
}

// missing reports the parts of a node that a judgement needs and the text does not show.
func (rd *reader) missing(p *page, name string) {
	var parts []string
	if !p.ready() {
		parts = append(parts, "its Ready condition")
	}
	if !p.sections["Labels"] {
		parts = append(parts, "its labels, so that its zone is not known")
	}
	if !p.sections["Taints"] {
		parts = append(parts, "its taints")
	}
	if len(parts) > 0 {
		rd.report(p.line, p.offset, fmt.Sprintf("the text of node %s is cut and does not show %s; the rest was used", name, strings.Join(parts, " and ")))
	}
}

func (rd *reader) note() {
	if rd.nodes == 0 {
		return
	}
	text := "it is what 'kubectl describe' prints: other nodes may exist, taints show no time, and Events only ages"
	if rd.pods > 0 {
		text += fmt.Sprintf("; it names %s without tolerations and readiness, which were not used", model.Counted(rd.pods, "pod", "pods"))
	}
	rd.out.Notes = append(rd.out.Notes, text+"; capture all with: kubectl get nodes,leases,pods,events -A -o json")
}
