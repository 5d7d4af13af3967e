package nodes

import "kardia/model/explain/loss"

// Clocks is how far kubelets' clocks are off.
func (l *List) Clocks() (c loss.Clocks) {
	for i := range l.Entries {
		c.Take(l.Entries[i].Row.Name, &l.Entries[i].Ages)
	}
	c.Sort()
	return c
}
