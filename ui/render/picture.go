package render

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"kardia/model"
	"kardia/ui/doc"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// The picture's measures, in pixels.
const (
	pictureWidth = 1200.0
	laneLeft     = 190.0
	laneRight    = pictureWidth - 15
	laneHeight   = 20.0
	laneTop      = 78.0
)

// pictureStyle is light and dark, by what the reader's screen is; states differ in shape, too.
const pictureStyle = `.tl-paper{fill:#ffffff}.tl-text{fill:#1c2024}.tl-dim{fill:#5b636b}.tl-grid{stroke:#d4d9de}.tl-heard{stroke:#2f8f5b}.tl-silent{fill:#e8b23a}.tl-unknown{fill:#c2483d}.tl-hatch{stroke:#ffffff}.tl-taint{stroke:#1c2024;fill:#ffffff}.tl-delete{stroke:#1c2024}.tl-Normal{fill:#dcefe4}.tl-Partial{fill:#f0cf8a}.tl-Full{fill:#e5a39d}.tl-gap{fill:#9aa3ab}.tl-mark{stroke:#0b5cad}.tl-marktext,.tl-act{fill:#0b5cad}
@media (prefers-color-scheme:dark){.tl-paper{fill:#14171a}.tl-text{fill:#e3e6e9}.tl-dim{fill:#9aa3ab}.tl-grid{stroke:#343a40}.tl-heard{stroke:#5cc48c}.tl-silent{fill:#b98a24}.tl-unknown{fill:#d2655a}.tl-hatch{stroke:#14171a}.tl-taint{stroke:#e3e6e9;fill:#14171a}.tl-delete{stroke:#e3e6e9}.tl-Normal{fill:#1f3a2b}.tl-Partial{fill:#6b5320}.tl-Full{fill:#6e2f2a}.tl-gap{fill:#5b636b}.tl-mark{stroke:#7db8f0}.tl-marktext,.tl-act{fill:#7db8f0}}
@media print{.tl-paper{fill:#ffffff}.tl-text,.tl-marktext,.tl-act{fill:#000000}.tl-dim{fill:#444444}.tl-grid{stroke:#bbbbbb}.tl-taint{stroke:#000000;fill:#ffffff}.tl-delete,.tl-mark{stroke:#000000}.tl-Normal{fill:#dcefe4}.tl-Partial{fill:#f0cf8a}.tl-Full{fill:#e5a39d}.tl-hatch{stroke:#ffffff}}`

// drawing draws lanes over time.
type drawing struct {
	strings.Builder
	*doc.Picture
	y float64
}

// SVG writes a picture; nil says that there is nothing to draw.
func SVG(w io.Writer, p *doc.Picture) error {
	text := drawn(p)
	if p == nil {
		text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 40" width="600" height="40"><title>` + words.Of("page.timeline").String() +
			`</title><text x="10" y="25" font-family="sans-serif" font-size="14" fill="#808080">` + words.Of("page.no-picture").String() + "</text></svg>\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// drawn is a picture as text; "" for none.
func drawn(p *doc.Picture) string {
	if p == nil {
		return ""
	}
	d := &drawing{Picture: p, y: laneTop}
	for i := range p.Lanes {
		d.lane(&p.Lanes[i])
	}
	bottom := d.y
	d.legend()
	height := d.y + 10
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="system-ui,'DejaVu Sans',sans-serif" font-size="12" role="img">`+"\n", pictureWidth, height, pictureWidth, height)
	fmt.Fprintf(&b, "<title>%s</title>\n<desc>%s</desc>\n<style>%s</style>\n", plain(p.Title), plain(p.Desc), pictureStyle)
	b.WriteString(`<defs><pattern id="tl-lines" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="6" class="tl-hatch" stroke-width="2"/></pattern></defs>` + "\n")
	fmt.Fprintf(&b, `<rect width="%.0f" height="%.0f" class="tl-paper"/>`+"\n", pictureWidth, height)
	d.axis(&b, bottom)
	b.WriteString(d.String())
	b.WriteString("</svg>\n")
	return b.String()
}

// plain is foreign text in a picture.
func plain(s words.Say) string { return html.EscapeString(paint.Clean(s.String())) }

func (d *drawing) x(at model.Instant) float64 {
	at = min(max(at, d.From), d.To)
	return laneLeft + (laneRight-laneLeft)*float64(at.Sub(d.From))/float64(d.To.Sub(d.From))
}

// lane draws one row: its name, its line, its stretches and its marks.
func (d *drawing) lane(l *doc.Lane) {
	const room = 27
	name, shown := html.EscapeString(paint.Clean(l.Name)), paint.Clean(l.Name)
	if runes := []rune(shown); len(runes) > room {
		shown = string(runes[:room/2]) + "…" + string(runes[len(runes)-room/2:])
	}
	fmt.Fprintf(d, `<text x="%.0f" y="%.1f" text-anchor="end" class="tl-text"><title>%s</title>%s</text>`+"\n", laneLeft-8, d.y+14, name, html.EscapeString(shown))
	if l.Line {
		fmt.Fprintf(d, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="tl-heard" stroke-width="2"/>`+"\n", laneLeft, d.y+laneHeight/2, laneRight, d.y+laneHeight/2)
	}
	for i := range l.Spans {
		d.stretch(&l.Spans[i])
	}
	for i := range l.Marks {
		m := &l.Marks[i]
		fmt.Fprintf(d, `<g transform="translate(%.1f %.1f)">%s<title>%s</title></g>`+"\n", d.x(m.At)-11, d.y+4, shapes[m.Shape], plain(m.Is))
	}
	d.y += laneHeight
}

func (d *drawing) stretch(s *doc.Stretch) {
	if s.To < d.From || s.From > d.To || s.To < s.From {
		return
	}
	x, width := d.x(s.From), max(d.x(s.To)-d.x(s.From), 1)
	fmt.Fprintf(d, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="tl-%s"><title>%s</title></rect>`+"\n", x, d.y+4, width, laneHeight-8, s.Shape, plain(s.Is))
	if s.Shape == doc.Unknown {
		fmt.Fprintf(d, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="url(#tl-lines)" pointer-events="none"/>`+"\n", x, d.y+4, width, laneHeight-8)
	}
	if word := s.Word.String(); word != "" && width > 10+5.6*float64(utf8.RuneCountInString(word)) {
		fmt.Fprintf(d, `<text x="%.1f" y="%.1f" font-size="10" class="tl-text">%s</text>`+"\n", x+4, d.y+14, plain(s.Word))
	}
}

// steps are the distances of ticks on the axis.
var steps = []time.Duration{time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 6 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour}

// axis draws the title, the ticks, and what goes across all lanes down to the bottom.
func (d *drawing) axis(b *strings.Builder, bottom float64) {
	const mostTicks = 12
	step := steps[len(steps)-1]
	for _, s := range steps {
		if d.To.Sub(d.From)/s <= mostTicks {
			step = s
			break
		}
	}
	format := "15:04:05Z"
	if step >= 24*time.Hour {
		format = "2006-01-02"
	}
	for at := d.From.Truncate(step).Add(step); at <= d.To && at.Bounded(); at = at.Add(step) {
		x := d.x(at)
		fmt.Fprintf(b, `<line x1="%.1f" y1="%.0f" x2="%.1f" y2="%.0f" class="tl-grid"/><text x="%.1f" y="%.0f" text-anchor="middle" class="tl-dim">%s</text>`+"\n", x, laneTop-6, x, bottom, x, laneTop-12, at.Time().Format(format))
	}
	fmt.Fprintf(b, `<text x="12" y="22" font-size="15" font-weight="bold" class="tl-text">%s</text><text x="12" y="40" class="tl-dim">%s</text>`+"\n", plain(d.Title), plain(d.Span))
	for i := range d.Marks {
		m := &d.Marks[i]
		x := d.x(m.At)
		if m.To.Known() {
			fmt.Fprintf(b, `<rect x="%.1f" y="%.0f" width="%.1f" height="%.0f" class="tl-%s" opacity="0.35"><title>%s</title></rect>`+"\n", x, laneTop-4, max(d.x(m.To)-x, 1), bottom-laneTop+4, m.Shape, plain(m.Is))
			continue
		}
		fmt.Fprintf(b, `<line x1="%.1f" y1="%.0f" x2="%.1f" y2="%.0f" class="tl-mark" stroke-dasharray="3 3"><title>%s</title></line>`+"\n", x, laneTop-6, x, bottom, plain(m.Is))
		sign, word := cmp.Or(flags[m.Shape], "⚑"), html.EscapeString(paint.Clean(brief(m.Word.String())))
		fmt.Fprintf(b, `<text x="%.1f" y="%.0f" class="tl-marktext">%s %s</text>`+"\n", x-4, bottom+12, sign, word)
	}
}

func brief(s string) string {
	if r := []rune(s); len(r) > 24 {
		return string(r[:23]) + "…"
	}
	return s
}

// flags are the signs of marks that go across, but for notes.
var flags = map[doc.Shape]string{doc.Restart: "↻", doc.Act: "●", doc.Removed: "✕"}

// shapes are drawn in a field of 22 by 12.
var shapes = map[doc.Shape]string{
	doc.Heard:   `<line x1="0" y1="6" x2="22" y2="6" class="tl-heard" stroke-width="2"/>`,
	doc.Silent:  `<rect width="22" height="12" class="tl-silent"/>`,
	doc.Unknown: `<rect width="22" height="12" class="tl-unknown"/><rect width="22" height="12" fill="url(#tl-lines)"/>`,
	doc.Tainted: `<path d="M11 2l4 7h-8z" class="tl-taint"/>`,
	doc.Deleted: `<path d="M7.5 2.5l7 7m0 -7l-7 7" class="tl-delete" stroke-width="2" fill="none"/>`,
	doc.Removed: `<path d="M6.5 1.5h9v9h-9zM6.5 1.5l9 9m0 -9l-9 9" class="tl-taint"/>`,
	doc.Act:     `<circle cx="11" cy="6" r="4.5" class="tl-act"/>`,
	doc.Restart: `<line x1="11" y1="0" x2="11" y2="12" class="tl-mark" stroke-dasharray="3 3"/><text x="11" y="10" text-anchor="middle" class="tl-marktext">↻</text>`,
	doc.Partial: `<rect width="22" height="12" class="tl-Partial"/>`,
	doc.Full:    `<rect width="22" height="12" class="tl-Full"/>`,
}

// legend says what the shapes mean.
func (d *drawing) legend() {
	d.y += 26
	x := laneLeft
	for _, key := range d.Legend {
		text := key.Is.String()
		width := 42 + 6.6*float64(utf8.RuneCountInString(text))
		if x+width > laneRight {
			x, d.y = laneLeft, d.y+18
		}
		fmt.Fprintf(d, `<g transform="translate(%.0f %.1f)">%s<text x="28" y="10" class="tl-dim">%s</text></g>`+"\n", x, d.y, shapes[key.Shape], plain(key.Is))
		x += width
	}
	d.y += 16
	if !d.More.Missing() {
		fmt.Fprintf(d, `<text x="%.0f" y="%.1f" class="tl-dim">%s</text>`+"\n", laneLeft, d.y+14, plain(d.More))
		d.y += 20
	}
}
