package app

import (
	"slices"

	"kardia/ui/config"
	"kardia/ui/screen"
	"kardia/ui/screens"
	"kardia/ui/words"
)

// UsualKeys are all actions, in the order of help: those of every screen, then those of some.
func UsualKeys() (list []config.Keys) {
	all := screens.All()
	add := func(b *screen.Binding) { list = append(list, config.Keys{Action: string(b.Action), Keys: b.Keys}) }
	for _, b := range table(all) {
		add(&b.Binding)
	}
	for i := range all {
		for k := range all[i].Keys {
			add(&all[i].Keys[k])
		}
	}
	return list
}

// rebind gives actions a person's own keys.
func rebind(b *screen.Binding, keys map[string][]string) {
	if own, ok := keys[string(b.Action)]; ok {
		b.Keys = own
	}
}

// CheckKeys lists the keys that would have two meanings on a screen, if a person had them so.
func CheckKeys(keys map[string][]string) (problems []string) {
	a := &App{options: Options{Keys: keys}}
	a.openScreens()
	for _, a.at = range a.screens {
		means := map[string]screen.Action{}
		for _, b := range a.active() {
			for _, k := range b.Keys {
				have, taken := means[k]
				text := words.Of("cannot.two-actions", "key", k, "one", have, "other", b.Action).String()
				if taken && !slices.Contains(problems, text) {
					problems = append(problems, text)
				}
				means[k] = b.Action
			}
		}
	}
	return problems
}
