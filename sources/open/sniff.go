package open

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"kardia/sources/read/archive"
	"kardia/sources/read/audit"
	"kardia/sources/read/describe"
	"kardia/sources/read/input"
	"kardia/sources/read/klog"
	"kardia/sources/read/prometheus"
	"kardia/sources/read/watchstream"
	"kardia/sources/recording"
	"kardia/sources/scenario"
)

// format is a format of files.
type format struct {
	sniff func(r *input.Reader, head []byte) bool
	// read reads a file of it; nil for recordings and archives, which are opened.
	read func(b *builder, f input.File, r *input.Reader, head []byte) error
	// own: it is a recording, or made into one. said: it has Statements, and is read at once, also beside recordings.
	own, said bool
	member    bool // of a bundle, that may be input
}

// The formats that are of interest by themselves.
var (
	isArchive = &format{sniff: begins(archive.Sniff)}
	isAudit   = &format{sniff: oneLine(audit.Sniff), read: (*builder).audit, member: true}
	isObjects = &format{sniff: begins(func([]byte) bool { return true }), read: (*builder).objects} // also all text that is no input
	isEmpty   = &format{read: refused("the file is empty")}                                         // or it cannot be read
)

// formats are those that are known, in the order in which they are recognised.
var formats = []*format{
	{sniff: begins(recording.Sniff), own: true},
	{sniff: begins(scenario.Sniff), own: true},
	isArchive,
	{sniff: begins(prometheus.Sniff), read: (*builder).samples, said: true, member: true},
	{sniff: func(_ *input.Reader, head []byte) bool { return !looksLikeText(head) }, read: refused("a binary file of no known format")},
	isAudit,
	{sniff: oneLine(klog.Sniff), read: (*builder).klog, said: true, member: true},
	{sniff: func(r *input.Reader, head []byte) bool {
		more, _ := r.Peek(farAhead)
		return describe.Sniff(more) && !watchstream.IsYAML(head)
	}, read: func(b *builder, f input.File, r *input.Reader, head []byte) error {
		return b.stream(f, r, head, describe.Read)
	}, member: true},
	isObjects,
}

func begins(is func([]byte) bool) func(*input.Reader, []byte) bool {
	return func(_ *input.Reader, head []byte) bool { return is(head) }
}

// oneLine is for logs, whose first line may have lost its start.
func oneLine(is func([]byte) bool) func(*input.Reader, []byte) bool {
	return func(r *input.Reader, head []byte) bool { return is(head) || is(afterCut(r, head)) }
}

// sniff detects a file's format from its beginning, or returns why that cannot be read.
func sniff(r *input.Reader) (is *format, head []byte, err error) {
	if err := r.SkipPadding(); err != nil {
		return isEmpty, nil, err
	}
	head, err = r.Peek(4096)
	switch {
	case len(head) == 0 && err != nil && !errors.Is(err, io.EOF):
		return isEmpty, nil, err
	case len(bytes.TrimSpace(head)) == 0 && err != nil:
		return isEmpty, head, nil
	}
	return formats[slices.IndexFunc(formats, func(f *format) bool { return f.sniff(r, head) })], head, nil
}

// farAhead is how far a whole line is searched.
const farAhead = 128 << 10

// afterCut is the start of the second line if the first has lost its own, in a log copied from the middle.
func afterCut(r *input.Reader, head []byte) []byte {
	if head[0] == '{' || head[0] == '[' {
		return nil
	}
	more, _ := r.Peek(farAhead)
	_, second, _ := bytes.Cut(more, []byte("\n"))
	return second
}

func looksLikeText(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	invalid := 0
	for rest := head; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 {
			invalid++
		}
		rest = rest[n:]
	}
	return invalid*20 < len(head)+20
}

// ours reports whether a member of an archive may be input: most of a bundle are logs of other programs.
func ours(r *input.Reader) bool {
	is, head, err := sniff(r)
	switch {
	case err != nil:
		return true // its error is reported where it is read
	case is != isObjects:
		return is.member
	}
	text := bytes.TrimLeft(head, " \t\r\n")
	return len(text) > 0 && (text[0] == '{' || text[0] == '[') || bytes.Contains(head, []byte("apiVersion:")) || bytes.Contains(head, []byte("metadata:"))
}

// shows reports whether a file's beginning is meant to be objects of Kubernetes, or at least JSON or YAML.
func shows(head []byte) (kubernetes, structured bool) {
	kubernetes = bytes.Contains(head, []byte("apiVersion")) && bytes.Contains(head, []byte("kind"))
	text := bytes.TrimLeft(head, " \t\r\n\ufeff")
	return kubernetes, kubernetes || len(text) > 0 && (text[0] == '{' || text[0] == '[')
}
