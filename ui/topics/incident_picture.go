package topics

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/explain/incident"
	"kardia/ui/doc"
	"kardia/ui/words"
)

// maxLanes is the number of nodes drawn; the table has more.
const maxLanes = 60

// Picture is the timeline as lanes: one for each zone, then for each declared node by zone; nil if no time passes.
func (t *Incident) Picture() *doc.Picture {
	p := &doc.Picture{From: t.From, To: t.To, Title: words.Text(t.Title()), Desc: t.Headline()}
	for i := range t.Events {
		if e := &t.Events[i]; e.At.Bounded() && e.Kind != incident.OfGap {
			p.From, p.To = min(p.From, e.At), max(p.To, e.At)
		}
	}
	if !p.From.Bounded() || !p.To.Bounded() || p.To <= p.From {
		return nil
	}
	p.Span = words.Of("incident.picture.span", "from", day(p.From), "to", day(p.To))
	p.Lanes = append(t.zoneLanes(), t.nodeLanes(p)...)
	p.Marks = t.across(p.Lanes)
	for _, shape := range [...]doc.Shape{doc.Heard, doc.Silent, doc.Unknown, doc.Tainted, doc.Deleted, doc.Removed, doc.Act, doc.Restart, doc.Partial, doc.Full} {
		p.Legend = append(p.Legend, doc.Key{Shape: shape, Is: words.Of("incident.picture.key." + string(shape))})
	}
	return p
}

func (t *Incident) zoneLanes() (lanes []doc.Lane) {
	byZone := map[string][]incident.Zone{}
	for _, z := range t.Zones {
		byZone[z.Zone.String()] = append(byZone[z.Zone.String()], z)
	}
	zones := sorted(byZone)
	for _, zone := range zones[:min(len(zones), maxLanes/3)] {
		lane := doc.Lane{Name: zone}
		if zone == "none" {
			lane.Name = words.Of("incident.picture.no-zone").String()
		}
		rows := byZone[zone]
		for k := 0; k < len(rows); {
			z, next, to := &rows[k], k+1, t.To
			for next < len(rows) && rows[next].State == z.State && rows[next].Master == z.Master {
				next++
			}
			if next < len(rows) {
				to = rows[next].At
			}
			word := words.Of("incident.picture.master", "state", z.State).If(z.Master).Or(words.Text(z.State.String()))
			shape := map[model.DisruptionState]doc.Shape{model.ZonePartial: doc.Partial, model.ZoneFull: doc.Full}[z.State]
			lane.Spans = append(lane.Spans, doc.Stretch{Shape: cmp.Or(shape, doc.Normal), From: z.At, To: to, Is: words.Of("incident.picture.at", "at", second(z.At), "what", word), Word: word})
			k = next
		}
		lanes = append(lanes, lane)
	}
	return lanes
}

func (t *Incident) nodeLanes(p *doc.Picture) (lanes []doc.Lane) {
	zones := map[string]string{}
	for i := range t.Silences {
		zones[t.Silences[i].Node] = zoneOr(t.Silences[i].Zone, "")
	}
	nodes := sorted(zones)
	slices.SortFunc(nodes, func(a, b string) int { return cmp.Or(cmp.Compare(zones[a], zones[b]), model.CompareNames(a, b)) })
	if left := len(nodes) - maxLanes; left > 0 {
		p.More = words.Of("incident.picture.more", "n", left)
		nodes = nodes[:maxLanes]
	}
	index := map[string]int{}
	for i, name := range nodes {
		index[name] = i
		lanes = append(lanes, doc.Lane{Name: name, Line: true})
	}
	for i := range t.Silences {
		s := &t.Silences[i]
		k, ok := index[s.Node]
		if !ok {
			continue
		}
		end, lane := p.To, &lanes[k]
		for _, at := range [...]model.Instant{s.ReadyAgain, s.Gone} {
			if at.Bounded() {
				end = min(end, at)
			}
		}
		if at := s.Last.At(); at.Bounded() {
			lane.Spans = append(lane.Spans, doc.Stretch{Shape: doc.Silent, From: at, To: s.At(), Is: words.Of("incident.picture.silent", "node", s.Node, "at", clock(at))})
		}
		lane.Spans = append(lane.Spans, doc.Stretch{Shape: doc.Unknown, From: s.At(), To: end, Is: words.Of("incident.picture.unknown", "node", s.Node, "at", clock(s.At()))})
	}
	for _, d := range t.Decided {
		k, ok := index[d.Node]
		if !ok {
			continue
		}
		mark := doc.Mark{Shape: doc.Tainted, At: d.Time, Is: words.Of("incident.picture.tainted", "at", clock(d.Time))}
		if incident.IsDelete(d) {
			mark.Shape, mark.Is = doc.Deleted, words.Of("incident.picture.deleted", "at", clock(d.Time), "pod", d.Pod)
		} else if d.Kind != model.TaintNoExecute || d.Outcome != model.Did {
			continue
		}
		lanes[k].Marks = append(lanes[k].Marks, mark)
	}
	return lanes
}

// across are gaps, people's notes and restarts of the controllers; on lanes also the acts of persons and deleted Node
// objects. For nodes without a lane these go across.
func (t *Incident) across(lanes []doc.Lane) (marks []doc.Mark) {
	index := map[string]int{}
	for i := range lanes {
		if lanes[i].Line {
			index[lanes[i].Name] = i
		}
	}
	for i := range t.Rows() {
		row := &t.rows[i]
		says := words.Of("incident.picture.at", "at", clock(row.At), "what", some(row.Subjects, 3)+": "+row.What)
		mark := doc.Mark{At: row.At, Is: says}
		switch {
		case row.Kind == incident.OfGap:
			mark.Shape, mark.Is, mark.To = doc.Gap, words.Text(row.What), row.At // one of no length has no window
			if row.Window.Width() > 0 {
				mark.At, mark.To = row.Window.Earliest, row.Window.Latest
			}
		case row.Kind == incident.OfMark:
			mark.Shape, mark.Is, mark.Word = doc.Note, words.Text(row.What), words.Text(row.What)
		case row.Decision != nil && row.Decision.Kind == model.ControllerStart:
			mark.Shape, mark.Word = doc.Restart, words.Of("incident.picture.key.restart")
		case row.Code == incident.NodeDeleted:
			mark.Shape = doc.Removed
		case t.ByPerson(row.Event):
			mark.Shape = doc.Act
		default:
			continue
		}
		if k, ok := index[row.Subject]; ok && row.Kind == incident.OfNode && len(row.Subjects) == 1 {
			lanes[k].Marks = append(lanes[k].Marks, mark)
		} else {
			marks = append(marks, mark)
		}
	}
	return marks
}
