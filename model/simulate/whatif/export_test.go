package whatif

// EveryBeat lets every beat be played, also those of calm kubelets, and says how many kubelets those are.
func (b *Base) EveryBeat() (calm int) {
	calm = len(b.world.calm)
	b.world.calm, b.world.lively = nil, len(b.world.events)
	b.unchanged = b.courses(b.Unchanged(), 0)
	return calm
}
