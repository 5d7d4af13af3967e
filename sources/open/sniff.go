package open

import (
	"bytes"
	"errors"
	"io"
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

type format int

const (
	isObjects format = iota // all other text: kubectl's tables, and files that are no input
	isAudit
	isKlog
	isSamples
	isDescribed // by kubectl, for people
	isRecording
	isScenario
	isArchive
	isBinary
	isEmpty // or it cannot be read
)

// sniff detects a file's format from its beginning, or returns why that cannot be read.
func sniff(r *input.Reader) (is format, head []byte, err error) {
	if err := r.SkipPadding(); err != nil {
		return isEmpty, nil, err
	}
	head, err = r.Peek(4096)
	switch {
	case len(head) == 0 && err != nil && !errors.Is(err, io.EOF):
		return isEmpty, nil, err
	case len(bytes.TrimSpace(head)) == 0 && err != nil:
		return isEmpty, head, nil
	case recording.Sniff(head):
		return isRecording, head, nil
	case scenario.Sniff(head):
		return isScenario, head, nil
	case archive.Sniff(head):
		return isArchive, head, nil
	case prometheus.Sniff(head):
		return isSamples, head, nil
	case !looksLikeText(head):
		return isBinary, head, nil
	case audit.Sniff(head) || audit.Sniff(afterCut(r, head)):
		return isAudit, head, nil
	case klog.Sniff(head) || klog.Sniff(afterCut(r, head)):
		return isKlog, head, nil
	}
	if more, _ := r.Peek(farAhead); describe.Sniff(more) && !watchstream.IsYAML(head) {
		return isDescribed, head, nil
	}
	return isObjects, head, nil
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
		return is < isScenario
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
