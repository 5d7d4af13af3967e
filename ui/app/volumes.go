package app

import (
	"kardia/model"
	"kardia/model/explain/volumes"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/words"
)

// mostForeseen limits the rows of volumes of pods that are predicted to be deleted.
const mostForeseen = 12

// foreseenVolumes are rows of volumes of silent nodes that may be force-detached until a time. All pods that hold them
// are predicted to be deleted. rest counts those without a row.
func (w *whyPage) foreseenVolumes(until model.Instant) (list []comesNext, rest string) {
	is := w.s.Outlook()
	if is.Forecast == nil || is.State == nil || w.s.Cluster == nil {
		return nil, ""
	}
	more, nodes := 0, map[string]bool{}
	for _, x := range volumes.Foresee(w.s.Cluster, is.Forecast, func(node string) bool { return forecast.Silent(is.State, node) }, until) {
		if len(list) == mostForeseen {
			more, nodes[x.Node] = more+len(x.Volumes), true
			continue
		}
		whom := x.Volumes[0].Called()
		if n := len(x.Volumes); n > 1 {
			whom = words.Of("count.volumes", "n", n).In(w.p)
		}
		list = append(list, comesNext{x.Detached, []paint.Row{
			screen.Ahead(w.s.From(), x.Detached, whom, words.Of("why.may-detach", "node", w.p.Text(x.Node)).In(w.p), "", themes.Predicted, w.p, w.width)}})
	}
	if more > 0 {
		rest = words.Of("why.volumes-later", "volumes", words.Of("count.volumes", "n", more), "nodes", words.Of("count.nodes", "n", len(nodes)), "first", mostForeseen).In(w.p)
	}
	return list, rest
}
