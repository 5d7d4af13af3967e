package randomhistory

import (
	"time"

	"pgregory.net/rapid"

	"kardia/model"
)

// Hostile are Changes that no source should produce: without objects, with versions that go back, repeat or are
// unknown, of objects never seen or recreated. They are about nodes a and b, their leases, and pod p in namespace n.
func Hostile(t *rapid.T, from model.Instant) []model.Change {
	uids := [...]model.UID{{}, model.UUID([16]byte{1}), model.UUID([16]byte{2}), model.UUID([16]byte{3})}
	var out []model.Change
	first := rapid.IntRange(0, 1).Draw(t, "first") // half of them without OpBaseline
	for i := range rapid.IntRange(1, 60).Draw(t, "length") {
		at := from.Add(time.Duration(i) * time.Second)
		pick := func(n int, what string) int { return rapid.IntRange(0, n-1).Draw(t, what) }
		ch := model.Change{
			Kind: [...]model.Kind{model.KindNode, model.KindNodeLease, model.KindPod, model.KindEvent, model.KindLeaderLease, model.KindVolumeAttachment}[pick(6, "kind")],
			Op:   model.Op(first + pick(8-first, "op")), Writer: model.Writer(pick(9, "writer")),
			UID: uids[pick(4, "uid")], Version: uint64(pick(12, "version")), Time: model.Exactly(at), At: at,
		}
		node := [...]string{"a", "b"}[pick(2, "node")]
		shown := pick(4, "shown") > 0
		ch.Key = model.Key{Name: node}
		switch ch.Kind {
		case model.KindNode:
			if shown {
				ch.Node = &model.Node{UID: ch.UID, Created: at, Zone: model.ZoneKey{Zone: node}, Conditions: []model.Condition{
					{Type: "Ready", Status: model.Status(1 + pick(3, "ready")), Reason: "NodeStatusUnknown", Transition: at, Heartbeat: at}}}
				if pick(2, "tainted") == 0 {
					ch.Node.Taints = []model.Taint{{Key: model.TaintUnreachable, Effect: model.NoExecute, Added: at}}
				}
			}
		case model.KindPod:
			ch.Key = model.Key{Namespace: "n", Name: "p"}
			if shown {
				ch.Pod = &model.Pod{Key: ch.Key, UID: ch.UID, Node: node, Created: at}
				if pick(2, "deleting") == 0 {
					ch.Pod.Deletion = at
				}
				ch.Pod.Details = [...]model.Details{"", "claim data=d", "claim data=d\nrunning=false"}[pick(3, "details")]
			}
		case model.KindVolumeAttachment:
			if shown {
				ch.Related = &model.Related{UID: ch.UID, Created: at, Details: "attached=true\nnode=" + model.Details(node) + "\nvolume=v"}
			}
		default:
			if ch.Key.Namespace = "kube-node-lease"; shown {
				ch.Lease = model.Lease{UID: ch.UID, Renewed: at, Holder: node}
			}
		}
		out = append(out, ch)
	}
	return out
}
