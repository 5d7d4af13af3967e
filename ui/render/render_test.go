package render

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/ui/doc"
	"kardia/ui/words"
)

// Foreign text stands for itself: in Markdown, and in a spreadsheet.
func TestForeignTextIsHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"a_b*c|d":                  `a\_b\*c\|d`,
		"<img src=x>":              `\<img src=x\>`,
		"ask @team in #12":         "` ask @team in #12 `",
		"https://evil.example|`x`": "`` https://evil.example\\|`x` ``",
		"line\nbreak":              "line␊break",
	} {
		if got := escape(text); got != want || strings.Contains(got, "\n") {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"=1+1": "'=1+1", "-2": "'-2", "@x": "'@x", "＝1": "'＝1", "a=1": "a=1", "": "",
		"007": "'007", "1e5": "'1e5", "3-1": "'3-1", "10.0": "'10.0", "1234567890123456": "'1234567890123456", "2": "2", "b-003": "b-003", "0a": "0a", "10.0.0.1": "10.0.0.1"} {
		if got := cell(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

// Facts one behind the other are one table, of a column each; a number is no foreign text.
func TestFactsAndNumbers(t *testing.T) {
	var d doc.Doc
	d.Head(words.Text("Part"))
	d.Fact(words.Text("Nodes"), doc.Plain, words.Text("3"))
	d.Fact(words.Text("Pods"), doc.Plain, words.Text("5"))
	var b strings.Builder
	if err := Markdown(&b, "Title", d); err != nil || b.String() != "# Title\n\n## Part\n\n| Nodes | Pods |\n| --- | --- |\n| 3 | 5 |\n" {
		t.Error(b.String(), err)
	}
	b.Reset()
	if err := CSV(&b, &doc.Grid{Head: []string{"a", "b"}, Rows: [][]string{{"-1", "-1"}}}, 0); err != nil || b.String() != "a,b\n-1,'-1\n" {
		t.Error(b.String(), err)
	}
}

// A picture draws names as text, and what lies outside of its time not at all.
func TestPicture(t *testing.T) {
	from := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	p := &doc.Picture{From: from, To: from.Add(time.Minute), Title: words.Text("<b>"), Lanes: []doc.Lane{{Name: "<script>", Line: true,
		Spans: []doc.Stretch{{Shape: doc.Silent, From: from.Add(-2 * time.Minute), To: from.Add(-time.Minute), Is: words.Text("long ago")}},
		Marks: []doc.Mark{{Shape: doc.Act, At: from.Add(time.Second), Is: words.Text("cordoned")}}}}}
	got := drawn(p)
	if strings.Contains(got, "<script>") || strings.Contains(got, "<b>") || strings.Contains(got, "long ago") || !strings.Contains(got, "cordoned") {
		t.Error(got)
	}
	if drawn(nil) != "" {
		t.Error("there is nothing to draw")
	}
}
