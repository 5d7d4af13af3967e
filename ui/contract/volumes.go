package contract

import (
	"slices"

	"kardia/model"
	"kardia/model/explain/volumes"
	"kardia/ui/doc"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Volume is a volume attached to a node, and when the attach-detach controller detaches it.
type Volume struct {
	// Attachment is the VolumeAttachment's name, Volume its PersistentVolume's.
	Attachment string  `json:"attachment"`
	Node       string  `json:"node"`
	Volume     *string `json:"volume"`
	Driver     *string `json:"driver"`
	// Claim is namespace/name; nil if the PersistentVolume was not read.
	Claim *string `json:"claim"`
	// State is in use, held, counting, overdue, unmounting, at once, detach asked, attaching or unclear.
	State string `json:"state"`
	// Pods are those that use it, or may if the state is unclear.
	Pods []string `json:"pods"`
	// Since Released no pod uses it. At Detach it is detached by force if nothing changes; null if that is not ahead.
	ReleasedEarliest Stamp `json:"releasedEarliest"`
	ReleasedLatest   Stamp `json:"releasedLatest"`
	DetachEarliest   Stamp `json:"detachEarliest"`
	DetachLatest     Stamp `json:"detachLatest"`
	Asked            Stamp `json:"asked"`
	// Failed is why attaching or detaching it failed last.
	Failed *string `json:"failed"`
	Why    string  `json:"why"`

	called string
}

// Attached are volumes, or why nothing is known of them.
type Attached struct {
	Volumes []Volume `json:"volumes"`
	// Unread is nil if VolumeAttachments were read.
	Unread *string `json:"volumesUnread"`
}

// VolumesUnread is no volumes, and why nothing is known of them.
func VolumesUnread(why string) Attached { return Attached{Volumes: []Volume{}, Unread: &why} }

// VolumesOf are the volumes attached to nodes, by node.
func VolumesOf(c *model.Cluster, at model.Instant, nodes []string) Attached {
	out, all := []Volume{}, volumes.All(c, at)
	slices.Sort(nodes)
	for _, node := range slices.Compact(nodes) {
		for i := range all[node] {
			v := &all[node][i]
			row := Volume{Attachment: v.Attachment, Node: node, Volume: text(v.Name), Driver: text(v.Driver), State: v.State.String(), Pods: each(v.By, func(p *model.Pod) string { return p.Key.String() }), Why: topics.VolumeState(v).String(),
				ReleasedEarliest: Stamp(v.Released.Earliest), ReleasedLatest: Stamp(v.Released.Latest), DetachEarliest: Stamp(v.Detached.Earliest), DetachLatest: Stamp(v.Detached.Latest),
				Asked: Stamp(v.Asked), Failed: text(v.Failed), called: v.Called()}
			row.Claim = known(v.Claim != model.Key{}, v.Claim.String())
			out = append(out, row)
		}
	}
	return Attached{Volumes: out}
}

func (a *Attached) put(d *doc.Doc, now Stamp) {
	for i := range a.Volumes {
		v := &a.Volumes[i]
		when := words.Say{}
		if model.Instant(v.DetachLatest).Known() {
			when = words.Text(": " + words.To(ahead(now, v.DetachEarliest), ahead(now, v.DetachLatest)))
		}
		d.Say(doc.Plain, words.Of("volume.on", "name", v.called, "node", v.Node, "state", v.Why, "when", when))
	}
}
