package redact

import (
	"fmt"
	"net/netip"
	"reflect"
	"regexp"
	"strings"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording"
)

// Finding is something that must not be in a redacted recording: its place and sort, never the text itself.
type Finding struct {
	// Where is the place: "change 17 (Event), field Event.Message".
	Where string
	// What is the sort: "an IP address".
	What string
}

func (f Finding) String() string { return f.What + " in " + f.Where }

// maxFindings limits the findings; one is enough to refuse.
const maxFindings = 10

type scanner struct {
	level    Level
	original map[string]string // names that were replaced
	kept     map[string]bool   // texts that may stay whatever they hold
	clean    map[string]bool   // a cache of texts found clean, of at most maxClean
	findings []Finding
}

const maxClean = 1 << 18

func scannerFor(r *Redactor) *scanner {
	return &scanner{level: r.level, original: r.names, kept: map[string]bool{}, clean: map[string]bool{}}
}

func (r *Redactor) scan(f *recording.File) ([]Finding, error) {
	s := scannerFor(r)
	meta := f.Meta()
	s.walk(reflect.ValueOf(meta), func() string { return "the metadata" }, "")
	for _, m := range f.Marks() {
		s.walk(reflect.ValueOf(m), func() string { return "a mark" }, "")
	}
	for _, g := range f.Gaps() {
		s.walk(reflect.ValueOf(g), func() string { return "a gap" }, "")
	}
	for _, said := range f.Statements() {
		if said.Zone.Known && s.level == Share {
			s.kept[said.Zone.Value.Region], s.kept[said.Zone.Value.Zone] = true, true
		}
		s.walk(reflect.ValueOf(said), func() string { return "a statement of a log" }, "")
	}
	page := history.Condensed{Full: true}
	for position, end := f.Span(); position < end && len(s.findings) < maxFindings; position = page.End {
		if err := f.Read(f.PageAt(position), &page); err != nil {
			return nil, err
		}
		for i := range page.Changes {
			s.change(page.Start+i, &page.Changes[i])
		}
	}
	err := f.Stored(func(what any) {
		s.walk(reflect.ValueOf(what), func() string { return "a keyframe or the dictionary" }, "")
	})
	return s.findings, err
}

// change searches a Change. Renewals, which are nearly all, have few texts.
func (s *scanner) change(position int, ch *model.Change) {
	where := func() string { return fmt.Sprintf("change %d (%v)", position, ch.Kind) }
	if ch.Node != nil && s.level == Share {
		s.kept[ch.Node.Zone.Region], s.kept[ch.Node.Zone.Zone] = true, true
	}
	if ch.Kind != model.KindNodeLease {
		s.walk(reflect.ValueOf(ch).Elem(), where, "")
		return
	}
	s.text(ch.Key.Namespace, where, "Key.Namespace")
	s.text(ch.Key.Name, where, "Key.Name")
	s.text(ch.Lease.Holder, where, "Lease.Holder")
	s.text(ch.Note, where, "Note")
	s.text(string(ch.Patch), where, "Patch")
	s.walk(reflect.ValueOf(ch.Requester), where, "Requester")
	s.walk(reflect.ValueOf(ch.UID), where, "UID")
	s.walk(reflect.ValueOf(ch.Lease.UID), where, "Lease.UID")
}

// walk finds every text in a value, however deep.
func (s *scanner) walk(v reflect.Value, where func() string, field string) {
	switch v.Kind() {
	case reflect.String:
		s.text(v.String(), where, field)
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			s.walk(v.Elem(), where, field)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			s.walk(v.Field(i), where, join(field, v.Type().Field(i).Name))
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			if v.Kind() == reflect.Slice {
				s.text(string(v.Bytes()), where, field)
			}
			return
		}
		for i := range v.Len() {
			s.walk(v.Index(i), where, field)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			s.walk(it.Key(), where, field)
			s.walk(it.Value(), where, field)
		}
	}
}

func join(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}

func (s *scanner) text(text string, where func() string, field string) {
	if text == "" || s.clean[text] || len(s.findings) >= maxFindings {
		return
	}
	if what := s.search(text); what != "" {
		at := where()
		if field != "" {
			at += ", field " + field
		}
		s.findings = append(s.findings, Finding{Where: at, What: what})
		return
	}
	if len(s.clean) >= maxClean {
		clear(s.clean)
	}
	s.clean[text] = true
}

var secrets = []struct {
	what    string
	pattern *regexp.Regexp
}{
	{"a JSON web token", regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}`)},
	{"an AWS access key", regexp.MustCompile(`\b(AKIA|ASIA)[A-Z0-9]{12,}`)},
	{"a PEM block", regexp.MustCompile(`-----BEGIN `)},
	{"a password in a URL", regexp.MustCompile(`://[^/\s:@]*:[^/\s@]+@`)},
}

var (
	email        = regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z]`)
	address      = regexp.MustCompile(`[0-9A-Fa-f:.]*[:.][0-9A-Fa-f:.]+`)
	alphanumeric = regexp.MustCompile(`[0-9A-Za-z\x{80}-\x{10ffff}]+`)
)

// search is the fault of a text; "" if there is none.
func (s *scanner) search(text string) string {
	for i := range secrets {
		if secrets[i].pattern.MatchString(text) {
			return secrets[i].what
		}
	}
	if s.level == Slim {
		return ""
	}
	if email.MatchString(text) {
		return "an e-mail address"
	}
	for _, found := range address.FindAllString(text, -1) {
		if isAddress(found) {
			return "an IP address"
		}
	}
	if s.holdsName(text) {
		return "a name that was to be replaced"
	}
	return ""
}

// isAddress: an address, alone or with a port.
func isAddress(s string) bool {
	s = strings.Trim(s, ".")
	if _, err := netip.ParseAddr(s); err == nil {
		return true
	}
	s = strings.TrimRight(s, ":")
	if _, err := netip.ParseAddr(s); err == nil {
		return true
	}
	_, err := netip.ParseAddrPort(s)
	return err == nil
}

// holdsName searches a replaced name: the whole text, or any run of its parts. Kubernetes' own words may stay even if a
// person used one as a name.
func (s *scanner) holdsName(text string) bool {
	if s.mayStay(text) {
		return false
	}
	if _, ok := s.original[text]; ok {
		return true
	}
	parts := alphanumeric.FindAllStringIndex(text, -1)
	for i := range parts {
		for _, last := range parts[i:min(i+maxParts, len(parts))] { // no name has more parts; texts are longer
			part := text[parts[i][0]:last[1]]
			if _, ok := s.original[part]; ok && len(part) >= minPart && !s.mayStay(part) {
				return true
			}
		}
	}
	return false
}

const (
	// maxParts limits the parts of a text that are joined: a name of 253 bytes has 127.
	maxParts = 128
	// minPart is the shortest name that is searched within a text: the 3 of v1.36.3 is no node.
	minPart = 3
)

// mayStay: redacting keeps the text.
func (s *scanner) mayStay(text string) bool {
	return words[text] || namespaces[text] || leaders[text] || ours[text] || kept[text] || s.kept[text]
}

// kept are whole texts without a name, those of the metadata, and the parts of both.
var kept = func() map[string]bool {
	m := set("slim", "share", "public", "full", "names", "patches", "texts", "problems", "provider ids", "instance types", "changes too large")
	for _, t := range texts {
		m[t] = true
		for _, word := range strings.Split(t, " ") {
			m[word] = true
			m[strings.Trim(word, ".()")] = true
		}
	}
	for word := range words {
		for _, part := range strings.FieldsFunc(word, func(r rune) bool { return r == '.' || r == '/' || r == '-' }) {
			m[part] = true
		}
	}
	return m
}()

var _ history.History = (*recording.File)(nil)
