package screen

import (
	"time"

	"kardia/model/explain/removal"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Absent is the text for a node that does not exist at the time shown. An observed removal adds its time, its author if
// a write or an Event shows it, and the future of the pods. The text is clean.
func (s *Snapshot) Absent(p *paint.Painter, name string) string {
	text := words.Of("absent.none", "node", p.Text(name), "at", s.At).In(p)
	if s.Cluster == nil {
		return text
	}
	row := s.Cluster.Row(name)
	if row == nil || !row.Gone || !row.Written.Latest.Bounded() || row.Written.Latest > s.At {
		return text
	}
	when, by, pods := words.Of("absent.at", "at", row.Written.Latest), words.Say{}, words.Say{}
	if row.Written.Width() > time.Second {
		when = words.Of("absent.at-latest", "at", row.Written.Latest)
	}
	if r := removal.OfRow(row); r.Who() != "" || len(r.Events) > 0 {
		by = words.Of("absent.by", "by", p.Text(topics.RemovalBy(&r).In(p)))
	}
	if n := row.PodCount(); n > 0 {
		pods = words.Of("absent.pods", "n", n)
	}
	return words.Of("absent.deleted", "none", text, "for", s.From().Sub(row.Written.Latest), "when", when, "by", by, "pods", pods).In(p)
}
