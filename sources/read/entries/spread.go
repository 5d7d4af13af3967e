package entries

import (
	"bytes"

	"kardia/sources/read/input"
	"kardia/sources/read/jsonscan"
)

// isSpread reports whether a file has JSON objects over many lines: its first line is a brace.
func isSpread(head []byte) bool {
	first, _, more := bytes.Cut(bytes.TrimLeft(head, " \t\r\n\ufeff"), []byte("\n"))
	return more && string(bytes.TrimSpace(first)) == "{"
}

// spread reads JSON objects over many lines, as from jq. A brace in the first column starts an object, the next closing
// brace there ends it. An object on one line is one too. Other text is handed out line by line.
type spread struct {
	lines *input.Lines
	entry []byte
	next  *input.Line // read already, if an object without an end came before it
	err   error       // behind next
}

func (s *spread) Next() (input.Line, error) {
	first, err := s.line()
	data := bytes.TrimPrefix(first.Data, []byte("\ufeff"))
	if err != nil || !bytes.HasPrefix(data, []byte("{")) || first.TooLong || jsonscan.Valid(data) {
		return first, err
	}
	s.entry = append(s.entry[:0], data...)
	entry := first
	for {
		line, err := s.line()
		opens := bytes.HasPrefix(line.Data, []byte("{"))
		if err != nil && len(line.Data) == 0 || opens {
			s.next, s.err = &line, err
			entry.Data, entry.Unended = s.entry, !opens
			return entry, nil
		}
		if room := input.MaxLine - len(s.entry); len(line.Data) >= room {
			entry.TooLong = true
		} else {
			s.entry = append(append(s.entry, '\n'), line.Data...)
		}
		if bytes.HasPrefix(line.Data, []byte("}")) || err != nil {
			s.err = err
			entry.Data, entry.Unended = s.entry, err != nil
			return entry, nil
		}
	}
}

func (s *spread) line() (input.Line, error) {
	if s.next != nil {
		line := *s.next
		s.next = nil
		return line, s.err
	}
	if s.err != nil {
		return input.Line{}, s.err
	}
	return s.lines.Next()
}
