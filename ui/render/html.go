package render

import (
	_ "embed"
	"html/template"
	"io"
	"strconv"
	"strings"

	"kardia/ui/doc"
	"kardia/ui/paint"
	"kardia/ui/words"
)

//go:embed page.html
var pageText string

// page is the whole page. Foreign text goes through html/template's escaping, and through Clean before.
var page = template.Must(template.New("page").Funcs(template.FuncMap{"short": short}).Parse(pageText))

// short says that a cell is a name or a word or two, which is not broken at its hyphens.
func short(cell string) bool { return len(cell) <= 24 && strings.Contains(cell, "-") }

// htmlPage is what the page is made of.
type htmlPage struct {
	Title, Hint string
	Chapters    []htmlChapter
}

type htmlChapter struct {
	ID, Title string
	Blocks    []htmlBlock
}

// htmlBlock is a block; one of its fields is set, or two of facts.
type htmlBlock struct {
	Text, Code string
	List       []string
	Facts      [][2]string
	Head       []string
	Rows       [][]string
	Picture    template.HTML
}

// HTML writes a doc as one page without anything from elsewhere: no script, no font, no link.
func HTML(w io.Writer, title string, d doc.Doc) error {
	p := htmlPage{Title: paint.Clean(title), Hint: words.Of("page.scroll").String()}
	for i := range d.Blocks {
		is := &d.Blocks[i]
		if is.Kind == doc.Head || len(p.Chapters) == 0 {
			p.Chapters = append(p.Chapters, htmlChapter{ID: "c" + strconv.Itoa(len(p.Chapters)+1)})
		}
		c := &p.Chapters[len(p.Chapters)-1]
		switch {
		case is.Kind == doc.Head:
			c.Title = paint.Clean(is.Text.String())
		case is.Kind == doc.Fact && i > 0 && d.Blocks[i-1].Kind == doc.Fact:
			last := &c.Blocks[len(c.Blocks)-1]
			last.Facts = append(last.Facts, htmlFact(is))
		default:
			c.Blocks = append(c.Blocks, htmlBlockOf(is))
		}
	}
	return page.Execute(w, p)
}

func htmlFact(is *doc.Block) [2]string {
	return [2]string{paint.Clean(is.Text.String()), paint.Clean(is.Beside.String())}
}

func htmlBlockOf(is *doc.Block) (b htmlBlock) {
	switch is.Kind {
	case doc.Fact:
		b.Facts = [][2]string{htmlFact(is)}
	case doc.Drawing:
		b.Picture = template.HTML(drawn(is.Picture)) // our own drawing, in which foreign text was escaped
	case doc.Table:
		b.Head = is.Grid.Head
		for _, row := range is.Grid.Rows {
			b.Rows = append(b.Rows, cleaned(row))
		}
	case doc.List:
		for _, item := range is.Items {
			b.List = append(b.List, paint.Clean(item.String()))
		}
	case doc.Code, doc.Command:
		b.Code = lines(is.Text.String())
	default:
		b.Text = paint.Clean(is.Text.String())
	}
	return b
}

func cleaned(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = paint.Clean(s)
	}
	return out
}
