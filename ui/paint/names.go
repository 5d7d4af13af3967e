package paint

// Shorten is how names that stand in one column are cut to w cells: out of what they have in
// common, so that two that differ are not made the same as long as there is room for what tells
// them apart. What remains at the end is at least what tells a pod from others of its owner.
func (p *Painter) Shorten(names []string, w int) func(string) string {
	tail, long := max((w-1)/2, 0), make([]string, 0, len(names))
	for _, name := range names {
		if Width(name) > w {
			tail, long = max(tail, min(own(name), w-3)), append(long, name)
		}
	}
	tail = apart(long, w, tail)
	return func(name string) string {
		if Width(name) <= w || w < 5 || !isASCII(name) {
			return p.Truncate(name, w)
		}
		return name[:w-1-tail] + p.Glyphs.Ellipsis + name[len(name)-tail:]
	}
}

// apart is how much of the end remains: at least that much, or less where the names differ near their beginnings
// only, as those of machines in one domain do. Where nothing keeps them apart it is as it was.
func apart(names []string, w, least int) int {
	for tail := least; tail <= w-3; tail++ {
		if !alike(names, w-1-tail, tail) {
			return tail
		}
	}
	for tail := min(least, w-3) - 1; tail >= 0; tail-- {
		if !alike(names, w-1-tail, tail) {
			return tail
		}
	}
	return least
}

// own is how long the end of a pod's name is that it does not share with others of its owner: the
// random part, the ordinal, and before a random part the hash of the template.
func own(name string) int {
	const random, hash = 5, 10
	n := 0
	for i := len(name) - 1; i > 0; i-- {
		if name[i] != '-' {
			continue
		}
		part := len(name) - n - i - 1
		if n > 0 && part > hash || n == 0 && part > random {
			break
		}
		if n = len(name) - i; part != random {
			break
		}
	}
	return n
}

// alike says that two names that differ have the same head and tail.
func alike(names []string, head, tail int) bool {
	seen := make(map[string]string, len(names))
	for _, name := range names {
		key := name[:head] + name[len(name)-tail:]
		if other, there := seen[key]; there && other != name {
			return true
		}
		seen[key] = name
	}
	return false
}
