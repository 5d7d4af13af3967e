package postmortem

import (
	"fmt"
	"html"
	"io"
	"strings"
	"time"

	"kardia/model"
	"kardia/ui/paint"
)

// The picture's measures, in pixels.
const (
	pictureWidth = 1200.0
	laneLeft     = 190.0
	laneRight    = pictureWidth - 15
	laneHeight   = 20.0
	laneTop      = 78.0
	// maxLanes bounds the nodes that are drawn; the table has more.
	maxLanes = 60
)

// pictureStyle is light and dark, by what the reader's screen is; states differ in shape, too.
const pictureStyle = `.tl-paper{fill:#ffffff}.tl-text{fill:#1c2024}.tl-dim{fill:#5b636b}.tl-grid{stroke:#d4d9de}.tl-heard{stroke:#2f8f5b}.tl-silent{fill:#e8b23a}.tl-unknown{fill:#c2483d}.tl-hatch{stroke:#ffffff}.tl-taint{stroke:#1c2024;fill:#ffffff}.tl-delete{stroke:#1c2024}.tl-Normal{fill:#dcefe4}.tl-Partial{fill:#f0cf8a}.tl-Full{fill:#e5a39d}.tl-gap{fill:#9aa3ab}.tl-mark{stroke:#0b5cad}.tl-marktext{fill:#0b5cad}
@media (prefers-color-scheme:dark){.tl-paper{fill:#14171a}.tl-text{fill:#e3e6e9}.tl-dim{fill:#9aa3ab}.tl-grid{stroke:#343a40}.tl-heard{stroke:#5cc48c}.tl-silent{fill:#b98a24}.tl-unknown{fill:#d2655a}.tl-hatch{stroke:#14171a}.tl-taint{stroke:#e3e6e9;fill:#14171a}.tl-delete{stroke:#e3e6e9}.tl-Normal{fill:#1f3a2b}.tl-Partial{fill:#6b5320}.tl-Full{fill:#6e2f2a}.tl-gap{fill:#5b636b}.tl-mark{stroke:#7db8f0}.tl-marktext{fill:#7db8f0}}
@media print{.tl-paper{fill:#ffffff}.tl-text,.tl-marktext{fill:#000000}.tl-dim{fill:#444444}.tl-grid{stroke:#bbbbbb}.tl-taint{stroke:#000000;fill:#ffffff}.tl-delete,.tl-mark{stroke:#000000}.tl-Normal{fill:#dcefe4}.tl-Partial{fill:#f0cf8a}.tl-Full{fill:#e5a39d}.tl-hatch{stroke:#ffffff}}`

// drawing draws lanes over time.
type drawing struct {
	strings.Builder
	from, to model.Instant
	y        float64
	byNode   byNode // what is drawn of each
}

// SVG writes the timeline as a picture of its own.
func SVG(w io.Writer, r *Report) error {
	picture := r.picture()
	if picture == "" {
		picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 40" width="600" height="40"><title>Timeline</title><text x="10" y="25" font-family="sans-serif" font-size="14" fill="#808080">No time passes in what the report covers: there is nothing to draw.</text></svg>` + "\n"
	}
	_, err := io.WriteString(w, picture)
	return err
}

// picture is the timeline: a lane for each zone and each node that was declared; "" where no time
// passes.
func (r *Report) picture() string {
	d := &drawing{y: laneTop}
	d.from, d.to = r.drawn()
	if !d.from.Bounded() || !d.to.Bounded() || d.to <= d.from {
		return ""
	}
	r.drawZones(d)
	left := r.drawNodes(d)
	d.legend(left)
	height := d.y + 10
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="system-ui,'DejaVu Sans',sans-serif" font-size="12" role="img">`+"\n", pictureWidth, height, pictureWidth, height)
	fmt.Fprintf(&b, "<title>%s</title>\n<desc>%s</desc>\n<style>%s</style>\n", plain("Timeline of "+r.Name), plain(strings.Join(r.Summary, " ")), pictureStyle)
	b.WriteString(`<defs><pattern id="tl-lines" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="6" class="tl-hatch" stroke-width="2"/></pattern></defs>` + "\n")
	fmt.Fprintf(&b, `<rect width="%.0f" height="%.0f" class="tl-paper"/>`+"\n", pictureWidth, height)
	r.drawAxis(&b, d)
	b.WriteString(d.String())
	b.WriteString("</svg>\n")
	return b.String()
}

// drawn is the time that is drawn: what the report covers, and what is told of before.
func (r *Report) drawn() (from, to model.Instant) {
	from, to = model.Instant(r.From), model.Instant(r.To)
	for i := range r.Timeline {
		if at := r.Timeline[i].at; at.Bounded() && r.Timeline[i].Kind != "gap" {
			from, to = min(from, at), max(to, at)
		}
	}
	return from, to
}

// plain is foreign text in a picture.
func plain(s string) string { return html.EscapeString(paint.Clean(s)) }

func (d *drawing) x(at model.Instant) float64 {
	at = min(max(at, d.from), d.to)
	return laneLeft + (laneRight-laneLeft)*float64(at.Sub(d.from))/float64(d.to.Sub(d.from))
}

func (d *drawing) label(text string) {
	const room = 27
	short := paint.Clean(text)
	if runes := []rune(short); len(runes) > room {
		short = string(runes[:room/2]) + "…" + string(runes[len(runes)-room/2:])
	}
	fmt.Fprintf(d, `<text x="%.0f" y="%.1f" text-anchor="end" class="tl-text"><title>%s</title>%s</text>`+"\n", laneLeft-8, d.y+14, plain(text), html.EscapeString(short))
}

// bar is a stretch of time, with what it is for who asks.
func (d *drawing) bar(from, to model.Instant, class, what string) {
	if to < d.from || from > d.to || to < from {
		return
	}
	fmt.Fprintf(d, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="%s"><title>%s</title></rect>`+"\n", d.x(from), d.y+4, max(d.x(to)-d.x(from), 1), laneHeight-8, class, plain(what))
}

// steps are the distances of ticks on the axis.
var steps = []time.Duration{time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 6 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour}

func (r *Report) drawAxis(b *strings.Builder, d *drawing) {
	const mostTicks = 12
	step := steps[len(steps)-1]
	for _, s := range steps {
		if d.to.Sub(d.from)/s <= mostTicks {
			step = s
			break
		}
	}
	format := "15:04:05Z"
	if step >= 24*time.Hour {
		format = "2006-01-02"
	}
	bottom := d.y - 30
	for at := d.from.Truncate(step).Add(step); at <= d.to && at.Bounded(); at = at.Add(step) {
		x := d.x(at)
		fmt.Fprintf(b, `<line x1="%.1f" y1="%.0f" x2="%.1f" y2="%.0f" class="tl-grid"/><text x="%.1f" y="%.0f" text-anchor="middle" class="tl-dim">%s</text>`+"\n", x, laneTop-6, x, bottom, x, laneTop-12, at.Time().Format(format))
	}
	fmt.Fprintf(b, `<text x="12" y="22" font-size="15" font-weight="bold" class="tl-text">%s</text><text x="12" y="40" class="tl-dim">%s, UTC</text>`+"\n", plain(r.title()),
		plain(stamp(d.from)+" to "+stamp(d.to)))
	for i := range r.Timeline {
		row := &r.Timeline[i]
		switch row.Kind {
		case "gap":
			from, to := row.at, row.at // a gap of no length has no window
			if w := row.Window; w != nil {
				from, to = model.Instant(w.Earliest), model.Instant(w.Latest)
			}
			fmt.Fprintf(b, `<rect x="%.1f" y="%.0f" width="%.1f" height="%.0f" class="tl-gap" opacity="0.35"><title>%s</title></rect>`+"\n", d.x(from), laneTop-4, max(d.x(to)-d.x(from), 1), bottom-laneTop+4, plain(row.What))
		case "mark":
			x := d.x(row.at)
			fmt.Fprintf(b, `<line x1="%.1f" y1="%.0f" x2="%.1f" y2="%.0f" class="tl-mark" stroke-dasharray="3 3"><title>%s</title></line><text x="%.1f" y="%.0f" class="tl-marktext">⚑ %s</text>`+"\n", x, laneTop-6, x, bottom, plain(row.What), x+3, bottom+2, plain(brief(row.What)))
		}
	}
}

func brief(s string) string {
	if r := []rune(s); len(r) > 24 {
		return string(r[:23]) + "…"
	}
	return s
}

// drawZones draws what state each zone had when.
func (r *Report) drawZones(d *drawing) {
	byZone := map[string][]ZoneRow{}
	var order []string
	for _, z := range r.Zones {
		if byZone[z.Zone] == nil {
			order = append(order, z.Zone)
		}
		byZone[z.Zone] = append(byZone[z.Zone], z)
	}
	for i, zone := range order {
		if i == maxLanes/3 {
			break
		}
		d.label(strings.Replace(zone, "none", "no zone label", 1))
		rows := byZone[zone]
		for k := 0; k < len(rows); {
			z, next := &rows[k], k+1
			for next < len(rows) && rows[next].State == z.State && rows[next].MasterDisruption == z.MasterDisruption {
				next++
			}
			to := model.Instant(r.To)
			if next < len(rows) {
				to = model.Instant(rows[next].Time)
			}
			d.zone(z, to)
			k = next
		}
		d.y += laneHeight
	}
}

// zone is a zone that has one state until an instant.
func (d *drawing) zone(z *ZoneRow, to model.Instant) {
	from, word := model.Instant(z.Time), z.State
	if z.MasterDisruption {
		word += ", every zone dark: halted"
	}
	d.bar(from, to, "tl-"+strings.TrimSuffix(z.State, "Disruption"), coarse(from)+": "+word)
	if d.x(to)-d.x(from) > 10+5.6*float64(len(word)) {
		fmt.Fprintf(d, `<text x="%.1f" y="%.1f" font-size="10" class="tl-text">%s</text>`+"\n", d.x(from)+4, d.y+14, plain(word))
	}
}

// drawNodes draws a lane for each node that was declared, and returns how many it left out.
func (r *Report) drawNodes(d *drawing) (left int) {
	lanes := map[string]bool{}
	for i := range r.Silences {
		name := r.Silences[i].Node
		if lanes[name] {
			continue
		}
		if lanes[name] = true; len(lanes) > maxLanes {
			left++
			continue
		}
		d.label(name)
		fmt.Fprintf(d, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="tl-heard" stroke-width="2"/>`+"\n", laneLeft, d.y+laneHeight/2, laneRight, d.y+laneHeight/2)
		for k := i; k < len(r.Silences); k++ {
			if r.Silences[k].Node == name {
				r.drawSilence(d, &r.Silences[k])
			}
		}
		r.drawDecisions(d, name)
		d.y += laneHeight
	}
	return left
}

func (r *Report) drawSilence(d *drawing, s *Silence) {
	declared, end := model.Instant(s.Declared), d.to
	for _, at := range []model.Instant{s.ready, model.Instant(s.Gone)} {
		if at.Bounded() {
			end = min(end, at)
		}
	}
	if at := s.last.At(); at.Bounded() {
		d.bar(at, declared, "tl-silent", s.Node+": heard last at "+clock(at))
	}
	d.bar(declared, end, "tl-unknown", s.Node+": declared Unknown at "+clock(declared))
	fmt.Fprintf(d, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="url(#tl-lines)" pointer-events="none"/>`+"\n", d.x(declared), d.y+4, max(d.x(end)-d.x(declared), 1), laneHeight-8)
}

// drawDecisions draws when a node was tainted and its pods were deleted.
func (r *Report) drawDecisions(d *drawing, node string) {
	if d.byNode == nil {
		d.byNode = map[string][]*model.Decision{}
		for _, is := range r.decided {
			if is.Kind == model.TaintNoExecute && is.Outcome == model.Did || isDelete(is) {
				d.byNode[is.Node] = append(d.byNode[is.Node], is)
			}
		}
	}
	for _, is := range d.byNode[node] {
		x, y := d.x(is.Time), d.y+laneHeight/2
		if is.Kind == model.TaintNoExecute {
			fmt.Fprintf(d, `<path d="M%.1f %.1fl4 7h-8z" class="tl-taint"><title>%s</title></path>`+"\n", x, y-4, plain(clock(is.Time)+" tainted NoExecute"))
			continue
		}
		fmt.Fprintf(d, `<path d="M%.1f %.1fl7 7m0 -7l-7 7" class="tl-delete" stroke-width="2" fill="none"><title>%s</title></path>`+"\n", x-3.5, y-3.5, plain(clock(is.Time)+" "+is.Pod.String()+" deleted"))
	}
}

// legend says what the shapes mean.
func (d *drawing) legend(left int) {
	d.y += 14
	x := laneLeft
	say := func(shape, text string) {
		fmt.Fprintf(d, `<g transform="translate(%.0f %.1f)">%s<text x="28" y="10" class="tl-dim">%s</text></g>`+"\n", x, d.y, shape, text)
		x += 42 + 6.6*float64(len(text))
	}
	say(`<line x1="0" y1="6" x2="22" y2="6" class="tl-heard" stroke-width="2"/>`, "heard")
	say(`<rect width="22" height="12" class="tl-silent"/>`, "silent")
	say(`<rect width="22" height="12" class="tl-unknown"/><rect width="22" height="12" fill="url(#tl-lines)"/>`, "Unknown")
	say(`<path d="M11 2l4 7h-8z" class="tl-taint"/>`, "tainted NoExecute")
	say(`<path d="M8 2l7 7m0 -7l-7 7" class="tl-delete" stroke-width="2" fill="none"/>`, "pod deleted")
	say(`<rect width="22" height="12" class="tl-Partial"/>`, "PartialDisruption")
	say(`<rect width="22" height="12" class="tl-Full"/>`, "FullDisruption")
	d.y += 16
	if left > 0 {
		fmt.Fprintf(d, `<text x="%.0f" y="%.1f" class="tl-dim">%s more are in the table.</text>`+"\n", laneLeft, d.y+14, counted(left, "node"))
		d.y += 20
	}
}
