package klog

import (
	"bytes"
	"path"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/sources/read/unwrap"
)

// line is one line of a log: klog's head, and the message behind it.
type line struct {
	severity byte
	// shown is the wall clock's time in the year 2000, since klog writes none. exact is the instant if the line has it,
	// as klog's own JSON does.
	shown time.Time
	exact model.Instant
	// wrapped is when the log shipper read the line, if shown.
	wrapped model.Instant
	// beside is the system log's time, without year and time zone: of the year 2000, or zero.
	beside  time.Time
	process int
	file    string // that wrote it, without its folder: node_lifecycle_controller.go
	message string
	attrs   string // key="value" … behind the message
	// json are the attributes of klog's own JSON; else nil.
	json func(key string) string
	// unit and host are of the journal: kubelet, and the machine's name.
	unit, host string
}

func parse(text []byte) (l line, ok bool) {
	if l, ok = head(text); ok {
		return l, true
	}
	limit := min(len(text), unwrap.MaxPrefix)
	for at := 1; at < limit; at++ {
		before := text[at-1]
		if !bytes.ContainsRune([]byte(" \t]|,\""), rune(before)) {
			continue
		}
		from := text[at:]
		if before == '"' { // a cell of a table, in which each quote is doubled
			from = cell(from)
		}
		if l, ok = head(from); ok {
			l.prefix(string(text[:at]))
			return l, true
		}
	}
	return line{}, false
}

// cell is the content of a quoted cell of a table, from behind its first quote.
func cell(text []byte) (out []byte) {
	for i := 0; i < len(text); i++ {
		if text[i] == '"' {
			if i+1 == len(text) || text[i+1] != '"' {
				return out
			}
			i++
		}
		out = append(out, text[i])
	}
	return out
}

// head reads Lmmdd hh:mm:ss.uuuuuu threadid file:line], and the rest.
// Source: kubernetes: k8s.io/klog/v2, internal/buffer, FormatHeader.
func head(text []byte) (l line, ok bool) {
	const width = len("I1120 23:53:23.393794")
	if len(text) < width+8 || text[5] != ' ' || text[8] != ':' || text[11] != ':' || text[14] != '.' {
		return line{}, false
	}
	switch l.severity = text[0]; l.severity {
	case 'I', 'W', 'E', 'F':
	default:
		return line{}, false
	}
	fields := [...]struct{ from, to, most int }{{1, 3, 12}, {3, 5, 31}, {6, 8, 23}, {9, 11, 59}, {12, 14, 59}, {15, 21, 999_999}}
	var n [len(fields)]int
	for i, f := range fields {
		if n[i], ok = digits(text[f.from:f.to]); !ok || n[i] > f.most {
			return line{}, false
		}
	}
	if n[0] == 0 || n[1] == 0 {
		return line{}, false
	}
	l.shown = time.Date(2000, time.Month(n[0]), n[1], n[2], n[3], n[4], n[5]*1000, time.UTC)
	rest := bytes.TrimLeft(text[width:], " ")
	thread, rest, _ := bytes.Cut(rest, []byte(" "))
	if l.process, ok = digits(thread); !ok {
		return line{}, false
	}
	at, rest, ok := bytes.Cut(rest, []byte("] "))
	file, number, found := bytes.Cut(at, []byte(":"))
	if _, is := digits(number); !ok || !found || !is || len(at) > 128 {
		return line{}, false
	}
	l.file = path.Base(string(file))
	l.split(string(rest))
	return l, true
}

// digits is a number of at most nine digits.
func digits(text []byte) (n int, ok bool) {
	v, err := strconv.ParseUint(string(text), 10, 32)
	return int(v), err == nil && len(text) <= 9
}

// split separates a structured message from its attributes.
func (l *line) split(text string) {
	text = strings.TrimRight(text, " \r")
	if quoted, err := strconv.QuotedPrefix(text); err == nil && text[0] == '"' {
		if l.message, err = strconv.Unquote(quoted); err == nil {
			l.attrs = strings.TrimLeft(text[len(quoted):], " ")
			return
		}
	}
	l.message = text
}

func (l *line) attr(key string) string {
	if l.json != nil {
		return l.json(key)
	}
	for rest := l.attrs; rest != ""; {
		name, value, ok := strings.Cut(rest, "=")
		if !ok {
			return ""
		}
		value, rest = attrValue(value)
		if strings.TrimLeft(name, " ") == key {
			return value
		}
	}
	return ""
}

func attrValue(text string) (value, rest string) {
	if quoted, err := strconv.QuotedPrefix(text); err == nil {
		value, err = strconv.Unquote(quoted)
		if err == nil {
			return value, text[len(quoted):]
		}
	}
	value, rest, _ = strings.Cut(text, " ")
	return value, rest
}

// prefix reads the text before klog's head: a time of containerd, kubectl logs --timestamps or the journal, and the
// journal's machine and unit.
func (l *line) prefix(text string) {
	fields := strings.Fields(text)
	if len(fields) > 3 {
		l.beside, _ = time.Parse("2006 Jan 2 15:04:05", "2000 "+strings.Join(fields[:3], " "))
	}
	for i, field := range fields {
		if t, err := time.Parse(time.RFC3339Nano, field); err == nil {
			l.wrapped = model.At(t)
		} else if t, err := time.Parse("2006-01-02T15:04:05.999999-0700", field); err == nil {
			l.wrapped = model.At(t)
		}
		if name, process, ok := strings.Cut(strings.TrimSuffix(field, ":"), "["); ok && i > 0 && strings.HasSuffix(process, "]") {
			l.unit, l.host = name, fields[i-1]
		}
	}
}
