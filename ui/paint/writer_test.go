package paint

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTheWriterLetsNothingHarmfulThrough(t *testing.T) {
	for in, want := range map[string]string{
		"a\tb\n":                          "a\tb\n",
		"\x1b]52;c;eA==\a":                "␛]52;c;eA==␇",
		"\x1b[31mred\x1b[0m":              "␛[31mred␛[0m",
		"\u009b31m\u202e\u200b\x00\r\x7f": "\uFFFD31m\uFFFD\uFFFD␀␍␡",
		"raw \x9b31m":                     "raw \uFFFD31m",
		"é 日本 ▁▂ ⠿":                       "é 日本 ▁▂ ⠿",
		"a\u0301\u0301\u0301\u0301":       "a\u0301\u0301\u0301\u0301",
	} {
		var out bytes.Buffer
		if _, err := NewWriter(&out).Write([]byte(in)); err != nil || out.String() != want {
			t.Errorf("%q comes out as %q, %v", in, out.String(), err)
		}
	}
}

// Frames have colours, and nothing else that acts.
func TestStylesLetsColoursThrough(t *testing.T) {
	var out bytes.Buffer
	w := Styles(NewWriter(&out))
	for _, part := range []string{"\x1b[1;38;5;9mred\x1b[", "0m \x1b]0;x\a \x1b[2J\xe6\x97", "\xa5"} {
		if _, err := w.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := out.String(), "\x1b[1;38;5;9mred\x1b[0m ␛]0;x␇ ␛[2J日"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// In whatever pieces a text is written, it comes out the same, and has nothing harmful.
func TestPiecesMakeNoDifference(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.SliceOf(rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte("\x1b[0m日\x9b\u202e")))).Draw(r, "text")
		var whole, pieces bytes.Buffer
		_, _ = Styles(NewWriter(&whole)).Write(text)
		w := Styles(NewWriter(&pieces))
		for rest := text; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(r, "n")
			_, _ = w.Write(rest[:n])
			rest = rest[n:]
		}
		if whole.String() != pieces.String() {
			r.Fatalf("%q: %q, in pieces %q", text, whole.String(), pieces.String())
		}
		for _, c := range style.ReplaceAllString(strings.ReplaceAll(whole.String(), "\x1b[0m", ""), "") {
			if c != '\n' && c != '\t' && c != '\x1b' && Harmful(c) {
				r.Fatalf("%q has %U", whole.String(), c)
			}
		}
	})
}

// JSON keeps its values, and prints as it is.
func TestJSONIsHarmlessAndTheSame(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		value := rapid.String().Draw(r, "value") + rapid.SampledFrom([]string{"", "\u202e", "\u009b", "\x7f", "\ufe0f", "\U000e0100"}).Draw(r, "end")
		text, err := json.MarshalIndent(map[string]string{"key": value}, "", "  ")
		if err != nil {
			r.Fatal(err)
		}
		escaped := JSON(text)
		var back map[string]string
		if err := json.Unmarshal(escaped, &back); err != nil || back["key"] != strings.ToValidUTF8(value, "\uFFFD") {
			r.Fatalf("%q is %q, %v", value, back["key"], err)
		}
		var out bytes.Buffer
		if _, _ = NewWriter(&out).Write(escaped); !bytes.Equal(out.Bytes(), escaped) {
			r.Fatalf("the writer changes %q", escaped)
		}
	})
}
