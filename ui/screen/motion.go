package screen

// Motion is the number of rows an action moves in a list with page rows in sight; ok is false for other actions.
func (a Action) Motion(page int) (by int, ok bool) {
	const far = 1 << 30
	switch a {
	case Up:
		return -1, true
	case Down:
		return 1, true
	case HalfUp:
		return -max(page/2, 1), true
	case HalfDown:
		return max(page/2, 1), true
	case PageUp:
		return -max(page, 1), true
	case PageDown:
		return max(page, 1), true
	case First:
		return -far, true
	case Last:
		return far, true
	}
	return 0, false
}

// RowMotion is Motion in a list of which every row is a hit of the filter.
func (a Action) RowMotion(page int) (by int, ok bool) {
	switch a {
	case PreviousHit:
		a = Up
	case NextHit:
		a = Down
	}
	return a.Motion(page)
}
