package entriestest

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Structured are the shapes of klog's logs in which lines are taken apart.
var Structured = []Shape{
	{Name: "klog's own JSON", Of: eachLine(func(l Line) string {
		p := parted(l.Text)
		out := map[string]any{"ts": float64(l.At.UnixMicro()) / 1000, "caller": "x/" + p.file + ":" + p.number, "msg": p.message, "v": 2}
		for _, a := range p.attributes {
			out[a[0]] = a[1]
			if ns, name, ok := strings.Cut(a[1], "/"); ok && a[0] == "pod" {
				out[a[0]] = map[string]any{"namespace": ns, "name": name}
			}
		}
		return text(out)
	})},
	{Name: "GKE, entries", Of: eachLine(entry)},
	{Name: "GKE, gcloud logging read", Of: func(lines []Line) []byte {
		var all []string
		for _, l := range lines {
			all = append(all, entry(l))
		}
		return indented("[" + strings.Join(all, ",") + "]")
	}},
}

// entry is a line in Google Cloud Logging's form: without its head, and some without the first quote of the rest.
func entry(l Line) string {
	p := parted(l.Text)
	message := p.behind
	if p.number == "948" {
		message = strings.TrimPrefix(message, `"`)
	}
	return text(map[string]any{"jsonPayload": map[string]any{"message": message, "pid": "1"}, "severity": "INFO",
		"sourceLocation": map[string]any{"file": p.file, "line": p.number}, "timestamp": l.At.Format(time.RFC3339Nano), "insertId": "1",
		"logName":  "projects/p/logs/container.googleapis.com%2Fcontroller-manager",
		"resource": map[string]any{"type": "k8s_control_plane_component", "labels": map[string]any{"cluster_name": "c", "component_name": "controller-manager"}}})
}

// parts are the parts of a line: its place in the code, the text behind its head, its message and attributes.
type parts struct {
	file, number, behind, message string
	attributes                    [][2]string
}

var klogHead = regexp.MustCompile(`^[IWEF]\d{4} [\d:.]+ +\d+ ([^ :]+):(\d+)\] `)

func parted(line string) (p parts) {
	head := klogHead.FindStringSubmatch(line)
	if head == nil {
		return parts{message: line, behind: line}
	}
	p.file, p.number, p.behind = head[1], head[2], line[len(head[0]):]
	p.message = p.behind
	rest := p.behind
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return p
	}
	p.message, _ = strconv.Unquote(quoted)
	for rest = strings.TrimLeft(rest[len(quoted):], " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		key, after, _ := strings.Cut(rest, "=")
		value := ""
		if quoted, err := strconv.QuotedPrefix(after); err == nil {
			value, _ = strconv.Unquote(quoted)
			rest = after[len(quoted):]
		} else {
			value, rest, _ = strings.Cut(after, " ")
		}
		p.attributes = append(p.attributes, [2]string{key, value})
	}
	return p
}
