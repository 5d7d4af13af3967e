package paint

import "strings"

// Shorten cuts the names of one column to w cells. It cuts their common parts, so that different names stay different
// while there is room. A pod's name keeps its workload and its own end; other names keep as much of the end as of the
// beginning. A machine loses its domain first.
func (p *Painter) Shorten(names []string, w int) func(string) string {
	of := map[string]string{} // by machine; "" if two have the name
	for _, name := range names {
		if m, ok := machine(name); ok {
			if other, there := of[m]; there && other != name {
				name = ""
			}
			of[m] = name
		}
	}
	without := func(name string) string {
		if m, ok := machine(name); ok && of[m] == name {
			return m
		}
		return name
	}
	tail, long := 0, make([]string, 0, len(names))
	for _, name := range names {
		if name = without(name); Width(name) > w {
			tail, long = max(tail, min(own(name, max((w-1)/2, 0)), w-3)), append(long, name)
		}
	}
	tail = apart(long, w, tail)
	return func(name string) string {
		if Width(name) <= w {
			return p.Truncate(name, w)
		}
		if name = without(name); Width(name) <= w || w < 5 || !isASCII(name) {
			return p.Truncate(name, w)
		}
		return name[:w-1-tail] + p.Glyphs.Ellipsis + name[len(name)-tail:]
	}
}

// machine is the name of a machine without its domain; ok is false without one.
func machine(name string) (head string, ok bool) {
	head, domain, found := strings.Cut(name, ".")
	letters := func(s string) bool { return strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz") }
	return head, found && letters(head) && letters(domain) && !strings.Contains(name, "/")
}

// apart is how much of the end remains, at least least. It is less if the names differ only near their beginnings, like
// machines of one domain. If nothing keeps them apart it is least.
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

// own is the length of the random end of a pod's name, which no other pod of its owner has; otherwise without one.
func own(name string, otherwise int) int {
	const random = 5
	if i := strings.LastIndexByte(name, '-'); i > 0 && len(name)-i-1 == random {
		return len(name) - i
	}
	return otherwise
}

// alike reports whether two different names have the same head and tail.
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
