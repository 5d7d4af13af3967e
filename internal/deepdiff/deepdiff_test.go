package deepdiff

import "testing"

type leaf struct {
	value   int
	scratch int
}

type tree struct {
	name   string
	leaf   *leaf
	list   []*leaf
	byName map[string]*leaf
	any    any
	parent *tree
	run    func()
}

func grown() *tree {
	t := &tree{name: "a", leaf: &leaf{1, 2}, list: []*leaf{{3, 4}}, byName: map[string]*leaf{"x": {5, 6}}, any: &leaf{7, 8}, run: func() {}}
	t.parent = t
	return t
}

// TestFirst: values that were made twice are the same; whatever is changed, however deep, is found.
func TestFirst(t *testing.T) {
	if found := First(grown(), grown()); found != "" {
		t.Errorf("made twice, and %s", found)
	}
	for want, change := range map[string]func(*tree){
		".name: a and b":            func(x *tree) { x.name = "b" },
		".leaf.value: 1 and 9":      func(x *tree) { x.leaf.value = 9 },
		".list[0].scratch: 4 and 9": func(x *tree) { x.list[0].scratch = 9 },
		"len(.list): 1 and 2":       func(x *tree) { x.list = append(x.list, nil) },
		".byName[x].value: 5 and 9": func(x *tree) { x.byName["x"].value = 9 },
		"len(.byName): 1 and 2":     func(x *tree) { x.byName["y"] = nil },
		".any.value: 7 and 9":       func(x *tree) { x.any = &leaf{9, 8} },
		".parent.name: a and b":     func(x *tree) { x.parent = &tree{name: "b"} },
	} {
		other := grown()
		change(other)
		if got := First(grown(), other); got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}
	other := grown()
	other.run = nil
	if First(grown(), other) == "" {
		t.Error("a function that is missing is not found")
	}
}

// TestLeavingOut: what is left out is left out wherever it stands, and nothing else.
func TestLeavingOut(t *testing.T) {
	other := grown()
	other.leaf.scratch, other.list[0].scratch = 0, 0
	if found := First(grown(), other, "deepdiff.leaf.scratch"); found != "" {
		t.Error(found)
	}
	other.leaf.value = 0
	if First(grown(), other, "deepdiff.leaf.scratch") == "" {
		t.Error("a field that is not left out is not found")
	}
}
