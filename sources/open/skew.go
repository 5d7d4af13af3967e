package open

import (
	"kardia/model"
	"kardia/model/history"
)

// VersionAtMost is the newest possible version of the API server by its kubelets. It is at most three minor versions
// newer than the oldest of them, two if that is older than 1.25. ok is false if no node shows its kubelet's version.
// Source: kubernetes: the version skew policy.
func (o *Opened) VersionAtMost() (most model.Version, ok bool) {
	cursor := history.NewCursor(o.History)
	if cursor.Seek(o.History.Coverage().Latest) != nil {
		return most, false
	}
	var oldest model.Version
	for row := range cursor.State().Nodes {
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
