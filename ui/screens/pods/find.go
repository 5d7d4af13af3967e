package pods

import (
	"errors"

	"kardia/model"
	"kardia/model/explain/departure"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Find implements screen.Finder: pods, by namespace and name.
func (v *View) Find(s *screen.Snapshot, search *screen.Search) {
	if s.Cluster == nil {
		return
	}
	for p := range s.Cluster.EachPod {
		search.Offer(p.Key.String(), "", func() screen.Found {
			var state words.Say
			switch k := departure.Of(p); {
			case k != departure.Stays:
				state = words.Text(topics.DepartureWord(p))
			case p.Ready != model.StatusTrue:
				state = words.Of("pods.unready")
			}
			says := words.Join(", ", words.Of("pods.on", "node", p.Node).If(p.Node != "").Or(words.Of("pods.on-none")), state).String()
			return screen.Found{Name: p.Key.String(), Kind: "pod", Says: says, Subject: screen.Subject{Kind: screen.PodSubject, Pod: p.Key, Node: p.Node}}
		})
	}
}

// Open implements screen.Opener: the cursor goes to a pod, whatever hid it before.
func (v *View) Open(about screen.Subject, s *screen.Snapshot) error {
	if v.Reveal(about.Pod, s) {
		return nil
	}
	if v.All = true; v.Reveal(about.Pod, s) { // it is well
		return nil
	}
	return errors.New(s.AbsentPod().String())
}
