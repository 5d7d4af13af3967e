package paint

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxClean is the most bytes of foreign text on the screen, maxMarks the most combining marks on one letter.
const (
	maxClean = 2048
	maxMarks = 2
)

// Clean makes text from a cluster or a file fit for a terminal. It is the only sanitiser: no escape sequence, control,
// bidirectional or invisible character passes. A replaced character stays visible, as a control picture (␛ ␀) or as
// U+FFFD. It cuts very long text, and changes nothing when applied twice.
func Clean(s string) string {
	if len(s) <= maxClean && strings.IndexFunc(s, func(r rune) bool { return r < 0x20 || r > 0x7e }) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(min(len(s), maxClean) + 8)
	marks := maxMarks                               // a mark at the start has no letter to sit on
	for _, r := range s[:min(len(s), 4*maxClean)] { // invalid bytes come as U+FFFD
		r, marks = cleanRune(r, marks)
		b.WriteRune(r)
	}
	if b.Len() <= maxClean {
		return b.String()
	}
	out := b.String()
	end := maxClean - len("…")
	for !utf8.RuneStart(out[end]) {
		end--
	}
	return out[:end] + "…"
}

// cleanRune is the visible form of r, and the number of marks on its letter.
func cleanRune(r rune, marks int) (rune, int) {
	switch {
	case r < 0x20:
		return 0x2400 + r, 0 // control pictures: NUL is ␀, ESC is ␛
	case r == 0x7f:
		return 0x2421, 0
	case r < 0x7f:
		return r, 0
	case unicode.Is(unicode.Zs, r):
		return ' ', 0
	case unicode.IsMark(r) && !invisible(r):
		if marks >= maxMarks {
			return 0xfffd, maxMarks
		}
		return r, marks + 1
	case !unicode.IsPrint(r) || invisible(r):
		return 0xfffd, maxMarks
	}
	return r, 0
}

// invisible reports whether a printable rune of Unicode shows nothing, or joins its neighbours into another width.
func invisible(r rune) bool {
	switch {
	case unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Regional_Indicator):
		return true
	case r == 0x2800, // blank braille
		r >= 0x1100 && r <= 0x11ff, r >= 0xa960 && r <= 0xa97f, r >= 0xd7b0 && r <= 0xd7ff, // conjoining Jamo
		r >= 0x1f3fb && r <= 0x1f3ff, // skin tones
		r == 0x20e3:                  // keycap
		return true
	}
	return false
}
