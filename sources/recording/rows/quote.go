package rows

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// appendQuoted writes a JSON string. Bytes that are no UTF-8 become \udc80 … \udcff, like Python's surrogateescape, so
// that every string is read back unchanged.
func appendQuoted(out []byte, s string) []byte {
	out = append(out, '"')
	for i := 0; i < len(s); {
		b := s[i]
		switch {
		case b == '"' || b == '\\':
			out = append(out, '\\', b)
			i++
		case b < ' ' || b == 0x7f:
			out = append(out, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&15])
			i++
		case b < utf8.RuneSelf:
			out = append(out, b)
			i++
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				out = append(out, '\\', 'u', 'd', 'c', hexDigits[b>>4], hexDigits[b&15])
			} else {
				out = append(out, s[i:i+size]...)
			}
			i += size
		}
	}
	return append(out, '"')
}

// unquote is the text of a JSON string; raw is checked JSON.
func (c *Coder) unquote(raw []byte) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		if string(raw) != "null" {
			c.fail(errJSON)
		}
		return nil
	}
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	plain := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			plain = append(plain, raw[i])
			continue
		}
		i++
		if raw[i] != 'u' {
			plain = append(plain, unescape(raw[i]))
			continue
		}
		r := hexRune(raw[i+1:])
		i += 4
		switch {
		case utf16.IsSurrogate(r) && i+6 < len(raw) && raw[i+1] == '\\' && raw[i+2] == 'u' && utf16.DecodeRune(r, hexRune(raw[i+3:])) != utf8.RuneError:
			plain = utf8.AppendRune(plain, utf16.DecodeRune(r, hexRune(raw[i+3:])))
			i += 6
		case r >= 0xdc80 && r <= 0xdcff:
			plain = append(plain, byte(r))
		default:
			plain = utf8.AppendRune(plain, r)
		}
	}
	return plain
}

// unescape is the character of a letter behind a backslash.
func unescape(b byte) byte {
	if i := strings.IndexByte("bfnrt", b); i >= 0 {
		return "\b\f\n\r\t"[i]
	}
	return b
}

// hexRune is the character of the four hexadecimal digits that text begins with.
func hexRune(text []byte) rune {
	r, _ := strconv.ParseUint(string(text[:4]), 16, 16)
	return rune(r)
}
