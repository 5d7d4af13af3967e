package postmortem

import (
	_ "embed"
	"html/template"
	"io"
	"strconv"
	"strings"

	"kardia/ui/paint"
)

//go:embed page.html
var pageText string

// page is the whole page. Foreign text goes through html/template's escaping, and through Clean before.
var page = template.Must(template.New("page").Funcs(template.FuncMap{"short": short}).Parse(pageText))

// short says that a cell is a name or a word or two, which is not broken at its hyphens.
func short(cell string) bool { return len(cell) <= 24 && strings.Contains(cell, "-") }

// htmlPage is what the page is made of.
type htmlPage struct {
	Title    string
	Chapters []htmlChapter
}

type htmlChapter struct {
	ID, Title string
	Blocks    []htmlBlock
}

// htmlBlock is a block; one of its fields is set.
type htmlBlock struct {
	Text, Code string
	List       []string
	Head       []string
	Rows       [][]string
	Picture    template.HTML
}

// HTML writes the report as one page without anything from elsewhere: no script, no font, no link.
func HTML(w io.Writer, r *Report) error { return htmlDocument(w, r.title(), r.chaptersOf(), r.picture) }

// htmlDocument writes chapters as one page. picture is drawn where one has it, if there is anything to draw.
func htmlDocument(w io.Writer, title string, chapters []chapter, picture func() string) error {
	p := htmlPage{Title: paint.Clean(title)}
	for i, c := range chapters {
		is := htmlChapter{ID: "c" + strconv.Itoa(i+1), Title: paint.Clean(c.title)}
		for k := range c.blocks {
			if b, ok := htmlBlockOf(&c.blocks[k], picture); ok {
				is.Blocks = append(is.Blocks, b)
			}
		}
		p.Chapters = append(p.Chapters, is)
	}
	return page.Execute(w, p)
}

func htmlBlockOf(is *block, draw func() string) (b htmlBlock, ok bool) {
	switch {
	case is.picture:
		picture := draw()
		// It is our own drawing, in which foreign text was escaped.
		return htmlBlock{Picture: template.HTML(picture)}, picture != ""
	case is.table != nil:
		b.Head = is.table.head
		for _, row := range is.table.rows {
			b.Rows = append(b.Rows, cleaned(row))
		}
	case is.list != nil:
		b.List = cleaned(is.list)
	case is.code != "":
		b.Code = lines(is.code)
	default:
		b.Text = paint.Clean(is.text)
	}
	return b, true
}

func cleaned(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = paint.Clean(s)
	}
	return out
}
