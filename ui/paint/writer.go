package paint

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Writer is how all commands print, and checks again behind Clean. No escape sequence, control, bidirectional or
// invisible character passes, except line ends and tabs. Our own sequences go through Styles and EraseLine.
type Writer struct {
	to     io.Writer
	styles bool

	mu   sync.Mutex // messages come from several goroutines
	rest []byte     // the beginning of a rune or of a sequence, whose end has not come yet
	out  []byte
}

// NewWriter prints to a stream.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// Styles is a Writer's stream for frames, which have colours: it lets those through too.
func Styles(w io.Writer) io.Writer {
	if is, ok := w.(*Writer); ok {
		return &Writer{to: is.to, styles: true}
	}
	return w
}

// EraseLine takes back the last line on a terminal.
func EraseLine(w io.Writer) {
	if is, ok := w.(*Writer); ok {
		w = is.to
	}
	_, _ = io.WriteString(w, "\r\x1b[K") // a write to the line below it finds whether that is possible
}

// style is a sequence for a colour or a face of letters; styleBegins the beginning of one.
var style, styleBegins = regexp.MustCompile("^\x1b\\[[0-9;:]{0,64}m"), regexp.MustCompile("^\x1b(\\[[0-9;:]{0,64})?$")

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := p
	if len(w.rest) > 0 {
		text = append(w.rest, p...)
		w.rest = nil
	}
	w.out = w.out[:0]
	for len(text) > 0 {
		n := w.next(text)
		if n == 0 {
			w.rest = bytes.Clone(text)
			break
		}
		text = text[n:]
	}
	if _, err := w.to.Write(w.out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// next writes the first unit of text, and returns its length in bytes; 0 if it is incomplete.
func (w *Writer) next(text []byte) int {
	n := 0
	for n < len(text) && (text[n] >= 0x20 && text[n] < 0x7f || text[n] == '\n' || text[n] == '\t') {
		n++
	}
	if n > 0 {
		w.out = append(w.out, text[:n]...)
		return n
	}
	if w.styles && text[0] == '\x1b' {
		if found := style.Find(text); found != nil {
			w.out = append(w.out, found...)
			return len(found)
		}
		if styleBegins.Match(text) {
			return 0
		}
	}
	if !utf8.FullRune(text) {
		return 0
	}
	r, size := utf8.DecodeRune(text)
	if Harmful(r) {
		r, _ = cleanRune(r, 0)
	}
	w.out = utf8.AppendRune(w.out, r)
	return size
}

// Harmful reports whether a rune is not plain text to a terminal: it controls it, turns the text, or is invisible.
func Harmful(r rune) bool {
	clean, _ := cleanRune(r, 0)
	return clean != r && !unicode.Is(unicode.Zs, r)
}

// JSON escapes characters in JSON that are harmful on a terminal, without changing values. Harmful runes are within
// strings only, except line ends.
func JSON(text []byte) []byte {
	if bytes.IndexFunc(text, func(r rune) bool { return r != '\n' && Harmful(r) }) < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r != '\n' && Harmful(r) {
			for _, unit := range utf16.AppendRune(nil, r) { // two for a rune beyond the first plane
				out = fmt.Appendf(out, "\\u%04x", unit)
			}
		} else {
			out = append(out, text[:size]...)
		}
		text = text[size:]
	}
	return out
}
