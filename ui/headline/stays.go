package headline

import (
	"slices"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/ui/words"
)

// stays words the pods that were to be deleted and still exist; missing for none.
type stays struct {
	lost   words.Say // whose deletion was lost
	unseen words.Say // possibly deleted in a gap
	stuck  words.Say // Terminating: stuck on silent nodes, ended by the kubelet on others
	brief  words.Say // the short form of stuck
}

func (t *tally) stays() (is stays) {
	silent, ending, never, due := 0, 0, 0, 0 // pods
	for i := range t.nodes.Entries {
		node := t.outlook.Node(t.nodes.Entries[i].Row.Name)
		if node == nil {
			continue
		}
		never, due = never+node.Lost, due+node.Count[forecast.Unseen]
		for _, e := range node.Evictions {
			switch {
			case e.State == forecast.Stuck && !e.Lost, e.State == forecast.Terminating && e.Window.Earliest == model.FarFuture:
				silent++
			case e.State == forecast.Terminating:
				ending++
			}
		}
	}
	if due > 0 {
		is.unseen = words.Of("headline.due-in-gap", "n", due)
	}
	if never > 0 {
		is.lost = words.Of("headline.lost", "n", never)
	}
	switch {
	case silent > 0 && ending > 0:
		is.stuck = words.Of("headline.terminating-both", "stuck", words.Of("headline.terminating-stuck", "n", silent), "n", ending)
	case silent > 0:
		is.stuck = words.Of("headline.terminating-stuck", "n", silent)
	case ending > 0:
		is.stuck = words.Of("headline.terminating-ends", "n", ending)
	default:
		return is
	}
	is.brief = words.Of("headline.terminating", "n", silent+ending)
	return is
}

// stuck is stays in one phrase, and its short form.
func (t *tally) stuck() (text, brief words.Say) {
	is := t.stays()
	return listed(is.lost, is.unseen, is.stuck), listed(is.lost, is.unseen, is.brief)
}

func listed(list ...words.Say) words.Say {
	return joined("; ", slices.DeleteFunc(list, words.Say.Missing)...)
}
