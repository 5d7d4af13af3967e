package why

import (
	"slices"
	"sort"

	"kardia/model"
)

// lookAhead is among how many later decisions effects are looked for: most are near their cause.
const lookAhead = 2000

// Effects are the first decisions that have a decision among their causes, at most so many, and how many more there are.
// all is in order of time.
func Effects(d *model.Decision, all []model.Decision, most int) (effects []*model.Decision, more int) {
	later := after(d, all)
	for i := range later[:min(len(later), lookAhead)] {
		switch {
		case !slices.Contains(later[i].Causes, d.ID):
		case len(effects) < most:
			effects = append(effects, &later[i])
		default:
			more++
		}
	}
	return effects, more
}

// after is the part of a list behind a decision; empty if that is not in it.
func after(d *model.Decision, all []model.Decision) []model.Decision {
	for i := sort.Search(len(all), func(i int) bool { return all[i].Time >= d.Time }); i < len(all) && all[i].Time == d.Time; i++ {
		if all[i].ID == d.ID {
			return all[i+1:]
		}
	}
	return nil
}
