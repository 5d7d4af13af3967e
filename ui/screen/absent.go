package screen

import (
	"time"

	"kardia/model"
	"kardia/model/explain/removal"
	"kardia/ui/paint"
	"kardia/ui/topics"
)

// Absent is the text for a node that does not exist at the instant shown. If its removal was seen it has since when, by
// whom as far as the write or an Event shows, and the future of its pods. It is clean text.
func (s *Snapshot) Absent(p *paint.Painter, name string) string {
	text := "no node " + p.Text(name) + " exists at " + p.Clock(s.At)
	if s.Cluster == nil {
		return text
	}
	row := s.Cluster.Row(name)
	if row == nil || !row.Gone || !row.Written.Latest.Bounded() || row.Written.Latest > s.At {
		return text
	}
	at := "at "
	if row.Written.Width() > time.Second {
		at = "at the latest "
	}
	text += ": its Node was deleted " + paint.Duration(s.From().Sub(row.Written.Latest)) + " ago, " + at + p.Clock(row.Written.Latest)
	if by := removal.OfRow(row); by.Who() != "" || len(by.Events) > 0 {
		text += ", " + p.Text(topics.RemovalBy(&by).In(p))
	}
	if n := row.PodCount(); n > 0 {
		text += ". " + model.Counted(n, "pod is", "pods are") + " left of it: the pod garbage collector removes them, 40 to 80 s after the Node went"
	}
	return text + ". u goes to the write and says who made it, as far as is known"
}
