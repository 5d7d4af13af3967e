package klog

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/sources/read/entries"
	"kardia/sources/read/input"
	"kardia/sources/read/jsonscan"
	"kardia/sources/read/unwrap"
)

// maxWrappers is how many JSON objects and lists may be around a line: OTLP has seven.
const maxWrappers = 8

// Sniff reports whether klog wrote a file: a quarter of a text's lines have klog's head. In JSON that is no object of
// Kubernetes one line is enough.
func Sniff(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 {
		return false
	}
	if text[0] == '{' || text[0] == '[' {
		return !bytes.Contains(text, []byte(`"apiVersion"`)) && MayHold(text)
	}
	lines, ours := 0, 0
	for n := 0; len(text) > 0 && n < 40; n++ {
		var one []byte
		one, text, _ = bytes.Cut(text, []byte("\n"))
		if len(one) == 0 || one[0] == ' ' || one[0] == '\t' {
			continue
		}
		lines++
		if _, ok := parse(one); ok {
			ours++
		}
	}
	return ours > 0 && 4*ours >= lines
}

// MayHold reports whether an entry has a line of klog's: its head, or the members of its JSON or Google's.
func MayHold(entry []byte) bool {
	if bytes.Contains(entry, []byte(`"caller":`)) && bytes.Contains(entry, []byte(`"msg":`)) && bytes.Contains(entry, []byte(`.go:`)) {
		return true
	}
	if bytes.Contains(entry, []byte(`"sourceLocation"`)) && bytes.Contains(entry, []byte(`.go"`)) && bytes.Contains(entry, []byte(`"jsonPayload"`)) {
		return true
	}
	for from := 0; ; {
		at := bytes.Index(entry[from:], []byte(".go:"))
		if at < 0 {
			return false
		}
		from += at + 1
		begin := max(0, from-120)
		for i := begin; i < from; i++ {
			if c := entry[i]; c != 'I' && c != 'W' && c != 'E' && c != 'F' {
				continue
			}
			if _, ok := head(entry[i:]); ok {
				return true
			}
		}
	}
}

// NewLines finds the entries of a log in any form; of exports only those that may be klog's.
func NewLines(r *input.Reader) entries.Lines {
	return entries.InOrder(entries.New(r, MayHold), written)
}

// written is when an entry was written, by any clock; without a year in the year 2000.
func written(entry input.Line) model.Instant {
	lines := linesIn(entry.Data)
	switch {
	case len(lines) == 0:
		return 0
	case lines[0].exact.Known():
		return lines[0].exact
	}
	return model.At(lines[0].shown)
}

// linesIn finds klog's lines in an entry: the line itself, or JSON around it.
func linesIn(entry []byte) (lines []line) {
	entry = bytes.TrimSpace(entry)
	if len(entry) == 0 {
		return nil
	}
	if entry[0] != '{' {
		if l, ok := parse(entry); ok {
			return []line{l}
		}
		// JSON too may come after a time or the name of a pod.
		at := bytes.IndexByte(entry[:min(len(entry), unwrap.MaxPrefix)], '{')
		if at < 0 || !MayHold(entry) {
			return nil
		}
		entry = entry[at:]
	}
	if !jsonscan.Valid(entry) {
		return nil
	}
	lines = fromJSON(gjson.ParseBytes(entry), 0, 0)
	if !slices.ContainsFunc(lines, func(l line) bool { return !l.wrapped.Known() }) { // Loki answers with the newest first
		slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.wrapped, b.wrapped) })
	}
	return lines
}

// fromJSON finds lines in an object: klog's own JSON, or a member that is a line or another such object.
func fromJSON(object gjson.Result, read model.Instant, depth int) (lines []line) {
	if l, ok := ownJSON(object); ok {
		return []line{l}
	}
	if l, ok := cloudEntry(object); ok {
		return []line{l}
	}
	w := wrapper{read, strings.TrimSuffix(object.Get("_SYSTEMD_UNIT").Str, ".service"), object.Get("_HOSTNAME").Str}
	for _, name := range [...]string{"time", "timestamp", "@timestamp", "__REALTIME_TIMESTAMP", "ts", "timeUnixNano"} {
		if t := unwrap.Time(object.Get(strings.ReplaceAll(name, "@", `\@`))); t.Known() {
			w.read = t
			break
		}
	}
	object.ForEach(func(_, value gjson.Result) bool {
		lines = append(lines, w.lines(value, depth)...)
		return true
	})
	return lines
}

// wrapper is the data around a line: when it was read, and the journal's unit and machine.
type wrapper struct {
	read       model.Instant
	unit, host string
}

// lines finds lines in a member of an object, or of a list in it. Loki's lists have a time and a line.
func (w wrapper) lines(value gjson.Result, depth int) (lines []line) {
	inner, isObject := unwrap.Object(value)
	switch {
	case isObject && depth < maxWrappers:
		return fromJSON(inner, w.read, depth+1)
	case value.IsArray() && depth < maxWrappers:
		if first := value.Get("0"); first.Type == gjson.String && value.Get("#").Int() <= 3 {
			w.read = cmp.Or(unwrap.Time(first), w.read)
		}
		value.ForEach(func(_, each gjson.Result) bool {
			lines = append(lines, w.lines(each, depth+1)...)
			return true
		})
	case value.Type != gjson.String:
	default:
		for text := range strings.Lines(value.Str) {
			if l, ok := parse([]byte(strings.TrimRight(text, "\n"))); ok {
				if !l.wrapped.Known() {
					l.wrapped = w.read
				}
				if l.host == "" {
					l.unit, l.host = w.unit, w.host
				}
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// ownJSON reads klog's --logging-format=json.
// Source: kubernetes: component-base/logs/json.
func ownJSON(object gjson.Result) (l line, ok bool) {
	message, caller, ts := object.Get("msg"), object.Get("caller"), object.Get("ts")
	file, _, isFile := strings.Cut(caller.Str, ".go:")
	if message.Type != gjson.String || !isFile {
		return line{}, false
	}
	if l.exact = unwrap.Time(ts); !l.exact.Known() {
		return line{}, false
	}
	l.file, l.message, l.severity = path.Base(file)+".go", message.Str, 'I'
	if object.Get("err").Exists() {
		l.severity = 'E'
	}
	l.json = func(key string) string {
		value := object.Get(key)
		if ns := value.Get("namespace").Str; value.IsObject() && value.Get("name").Exists() {
			return strings.TrimPrefix(ns+"/"+value.Get("name").Str, "/")
		}
		return value.String()
	}
	object.ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "ts", "msg", "caller", "v":
		default:
			l.attrs += " " + name.Str + "=" + strconv.Quote(value.String())
		}
		return true
	})
	l.attrs = strings.TrimPrefix(l.attrs, " ")
	return l, true
}

// cloudEntry reads Google Cloud Logging's form of a control plane's line. Its head is in members of the entry, and the
// text may lack its first quote.
func cloudEntry(object gjson.Result) (l line, ok bool) {
	message, file, at := object.Get("jsonPayload.message"), object.Get("sourceLocation.file").Str, unwrap.Time(object.Get("timestamp"))
	if message.Type != gjson.String || !strings.HasSuffix(file, ".go") || !at.Known() {
		return line{}, false
	}
	l.exact, l.file, l.severity = at, path.Base(file), 'I'
	if severity := object.Get("severity").Str; severity != "" && severity != "INFO" && severity != "DEFAULT" {
		l.severity = severity[0] // WARNING, ERROR and the graver ones
	}
	if l.split(message.Str); l.attrs == "" && quoteMissing.MatchString(message.Str) {
		l.split(`"` + message.Str)
	}
	return l, true
}

// quoteMissing matches a structured message that has lost its first quote.
var quoteMissing = regexp.MustCompile(`^[^"]+"( \w+=|$)`)
