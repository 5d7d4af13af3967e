package open

import (
	"kardia/model"
	"kardia/model/history"
)

// VersionAtMost is the newest possible version of the API server. The oldest kubelet may be three minor versions older,
// or two before 1.25. ok is false without a kubelet's version.
// Source: kubernetes: the version skew policy.
func (o *Opened) VersionAtMost() (most model.Version, ok bool) {
	end, err := history.StateAt(o.History, o.History.Coverage().Latest)
	if err != nil {
		return most, false
	}
	var oldest model.Version
	for row := range end.Nodes {
		if row.Node == nil {
			continue
		}
		if v, known := model.ParseVersion(row.Node.KubeletVersion); known && (!ok || v.Major == oldest.Major && v.Minor < oldest.Minor) {
			oldest, ok = v, true
		}
	}
	if most = oldest; most.Minor >= 25 {
		most.Minor += 3
	} else {
		most.Minor += 2
	}
	return most, ok
}
