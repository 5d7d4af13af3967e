package remedy

import (
	"slices"

	"kardia/model"
	"kardia/model/explain/actors"
	"kardia/model/explain/command"
	"kardia/model/explain/recovery"
	"kardia/ui/paint"
	"kardia/ui/render"
	"kardia/ui/screen"
	"kardia/ui/topics"
)

// Recovery are a node's stuck pods, the ways to remove them, volumes, and the checks before it is out of service.
func Recovery(s *screen.Snapshot, p *paint.Painter, row *model.NodeRow, width int) []paint.Row {
	r := topic(s, row)
	return render.Terminal(r.Doc(), p, width-1)
}

// Actors is who else acts on a node, and when, in a width.
func Actors(s *screen.Snapshot, p *paint.Painter, row *model.NodeRow, width int) []paint.Row {
	o := topics.Actors{List: actors.Of(s.Cluster, row, s.From(), actors.ShareOf(s.Cluster)), At: s.From()}
	if why := s.Unread(model.KindEvent); why != "" {
		o.Unread = append(o.Unread, topics.Unread{Kind: model.KindEvent, Why: why})
	}
	for _, kind := range screen.Acting {
		if kind == model.KindPodDisruptionBudget && (row.Node == nil || !row.Node.Unschedulable) {
			continue
		}
		if why := s.Lacks(kind); why != "" {
			o.Unread = append(o.Unread, topics.Unread{Kind: kind, Why: why})
		}
	}
	return render.Terminal(o.Doc(), p, width-1)
}

func assess(s *screen.Snapshot, row *model.NodeRow) recovery.Assessment {
	return recovery.Of(row, s.ReadAsOf(s.From()), s.From(), s.Params, s.Attached(row.Name))
}

func topic(s *screen.Snapshot, row *model.NodeRow) topics.Recovery {
	r := topics.Recovery{Assessment: assess(s, row), At: s.From(), PodsUnread: s.Unread(model.KindPod)}
	if n := s.Outlook().Node(row.Name); n != nil {
		r.Ahead = n.Ahead
	}
	if len(r.Stuck) == 0 && r.PodsUnread == "" {
		r.Elsewhere, r.On = stuckElsewhere(s)
	}
	return r
}

// Commands are those that Recovery names, to be copied.
func Commands(s *screen.Snapshot, row *model.NodeRow) (list []string) {
	o := assess(s, row)
	for _, c := range o.Checks {
		list = append(list, topics.CheckCommand(&c))
	}
	for _, e := range o.Exits {
		list = append(list, e.Commands...)
	}
	return slices.DeleteFunc(append(list, o.Untaint), func(line string) bool { return !command.Is(line) })
}

// stuckElsewhere is how many pods of the cluster were deleted and still exist past their grace, and on which nodes.
func stuckElsewhere(s *screen.Snapshot) (n int, nodes []string) {
	for row := range s.Cluster.Nodes {
		before := n
		for _, p := range row.Pods() {
			if recovery.PastGrace(p, s.From()) {
				n++
			}
		}
		if n > before {
			nodes = append(nodes, row.Name)
		}
	}
	return n, nodes
}
