package audit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/sources/read/entries"
	"kardia/sources/read/jsonscan"
	"kardia/sources/read/unwrap"
)

const (
	// legacyMark is in each line of --audit-log-format=legacy.
	legacyMark = "AUDIT: id="
	// cloudMark is the type of Google Cloud Logging's audit entries.
	cloudMark = "type.googleapis.com/google.cloud.audit.AuditLog"
	// maxWrappers is how many JSON objects may be around an event.
	maxWrappers = 3
)

// strip removes white space, padding, and a log shipper's prefix from a line's JSON. data is nil for an empty rest.
func (r *Reader) strip(line []byte) (data []byte, err error) {
	data = bytes.Trim(line, " \t\r")
	if len(data) > 0 && data[0] == 0 {
		padded := len(data)
		data = bytes.TrimLeft(data, "\x00")
		err = fmt.Errorf("expected text, found %d NUL bytes; used what follows them", padded-len(data))
	}
	switch {
	case len(data) == 0:
		return nil, err
	case data[0] == '{':
		return data, err
	case data[0] == '[':
		if data = withoutPod(data); data[0] == '[' {
			return nil, both(err, errArray(data))
		}
	}
	if bytes.Contains(data[:min(len(data), unwrap.MaxPrefix)], []byte(legacyMark)) {
		return nil, errors.New("expected JSON, found the legacy text format (--audit-log-format=legacy), which holds no objects; the line is not used")
	}
	data, tooLong := r.pieces.Join(data)
	if tooLong != nil {
		return nil, both(err, errors.New("expected an audit event of at most 16 MiB, found a longer one in pieces; it is not used"))
	}
	if len(data) == 0 {
		return nil, err
	}
	head := data[:min(len(data), unwrap.MaxPrefix)]
	// A time or a host's name, as kubectl's and the cloud's exporters put before it.
	at := bytes.IndexByte(head, '{')
	if at < 0 || bytes.IndexByte(head[:at], '"') >= 0 {
		return nil, both(err, fmt.Errorf("expected a JSON object, found %s; the line is not used", excerpt(data)))
	}
	return data[at:], err
}

// withoutPod removes the pod's name that kubectl logs --prefix puts before a line.
func withoutPod(line []byte) []byte {
	if pod, rest, ok := bytes.Cut(line, []byte("] ")); ok && len(rest) > 0 && len(pod) < unwrap.MaxPrefix && bytes.HasPrefix(pod, []byte("[pod/")) {
		return rest
	}
	return line
}

// errArray refuses a document with many entries, and shows how to get one a line.
func errArray(document []byte) error {
	return fmt.Errorf("expected one audit event a line, found a list of several, which is not used "+
		"(write one event a line: jq -c '%s')", cmp.Or(entries.ListPath(document), "…[]"))
}

// inside finds the audit event in a log shipper's JSON object: a member with an auditID, an object or a string.
func (r *Reader) inside(raw string, depth int) (*model.Change, error) {
	e, inner, err := findEvent(raw, depth)
	switch {
	case errors.Is(err, errList):
		return nil, errArray([]byte(raw))
	case err != nil:
		return nil, err
	case e == nil:
		return r.event([]byte(inner), maxWrappers)
	}
	if r.observe(e, nil); e.foreign() {
		return nil, nil
	}
	return r.change(e, []byte(raw))
}

// findEvent finds an event, or converts one of another form.
func findEvent(raw string, depth int) (e *event, inner string, err error) {
	if depth >= maxWrappers {
		return nil, "", errNoEvent
	}
	if row := gjson.Parse(raw); row.Get(analyticsID).Exists() {
		e, err = fromAnalytics(row)
		return e, "", err
	}
	err = errNoEvent
	gjson.Parse(raw).ForEach(func(_, value gjson.Result) bool {
		candidate := value.Raw
		if value.Type == gjson.String {
			candidate = strings.TrimSpace(value.Str)
		}
		if !strings.HasPrefix(candidate, "{") && !strings.HasPrefix(candidate, "[") ||
			!strings.Contains(candidate, "audit") || !jsonscan.Valid([]byte(candidate)) {
			return true
		}
		switch {
		case candidate[0] == '[':
			if strings.Contains(candidate, "auditID") {
				err = errList
			}
			return true
		case gjson.Get(candidate, "auditID").Exists():
			inner, err = candidate, nil
			return false
		case gjson.Get(candidate, "@type").Str == cloudMark:
			e, err = fromCloud(raw)
			return false
		}
		made, found, deeper := findEvent(candidate, depth+1)
		if deeper == nil {
			e, inner, err = made, found, nil
			return false
		}
		if !errors.Is(deeper, errNoEvent) {
			err = deeper
		}
		return true
	})
	return e, inner, err
}

var (
	errNoEvent = errors.New("expected an audit event (kind Event with an auditID), or one wrapped in this object; the line is not used")
	errList    = errors.New("a list of several events")
)
