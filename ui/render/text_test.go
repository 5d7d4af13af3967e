package render_test

import (
	"strings"
	"testing"

	"kardia/ui/doc"
	"kardia/ui/render"
	"kardia/ui/words"
)

// Sentences and facts are folded to the window they are printed in, below where their text begins, and to nothing else.
func TestTextIsFolded(t *testing.T) {
	var d doc.Doc
	d.Named("ASSUMED", words.Text("pods tolerate for as long as they were seen to"))
	d.Depth = 2
	d.Say(doc.Plain, words.Text("certain: shop/web-1 shop/web-2 shop/a-name-that-is-longer-than-a-window"))
	d.Depth = 0
	d.Say(doc.Plain, words.Text("short"))
	for width, want := range map[int]string{
		0:  "ASSUMED  pods tolerate for as long as they were seen to\n    certain: shop/web-1 shop/web-2 shop/a-name-that-is-longer-than-a-window\nshort\n",
		40: "ASSUMED  pods tolerate for as long as\n         they were seen to\n    certain: shop/web-1 shop/web-2\n      shop/a-name-that-is-longer-than-a-window\nshort\n",
		3:  "ASSUMED  pods tolerate for as\n         long as they were\n         seen to\n    certain: shop/web-1\n      shop/web-2\n      shop/a-name-that-is-longer-than-a-window\nshort\n",
	} {
		var out strings.Builder
		if err := render.Text(&out, d, render.Page{Width: width}); err != nil || out.String() != want {
			t.Errorf("%d cells: %v\n%s", width, err, out.String())
		}
	}
}

// A table stands apart from what is above and below it, is not folded, and may have no header.
func TestTextOfATable(t *testing.T) {
	var d doc.Doc
	d.Say(doc.Plain, words.Text("above"))
	d.Table(&doc.Grid{Head: []string{"NAME", "READY"}, Rows: [][]string{{"node-a", "True"}, {"b", "False\x1b[2J"}}})
	d.Say(doc.Plain, words.Text("below"))
	for bare, want := range map[bool]string{
		false: "above\n\nNAME     READY\nnode-a   True\nb        False␛[2J\n\nbelow\n",
		true:  "above\n\nnode-a   True\nb        False␛[2J\n\nbelow\n",
	} {
		var out strings.Builder
		if err := render.Text(&out, d, render.Page{Width: 8, NoHeaders: bare}); err != nil || out.String() != want {
			t.Errorf("no headers %v: %v\n%q", bare, err, out.String())
		}
	}
}
