package model

import (
	"strings"
	"testing"
)

func TestDetails(t *testing.T) {
	d := Details(PackDetails([]Detail{{DetailLabel + "b", "2"}, {DetailOSImage, "Flatcar = 1\nand more"}, {DetailLabel + "a", ""}, {DetailKernel, ""}, {"x=y", "no"}}, nil))
	var names []string
	for name := range d.All {
		names = append(names, name)
	}
	if got := strings.Join(names, "|"); got != "label a|label b|osImage" {
		t.Errorf("names %q", got)
	}
	if v, ok := d.Get(DetailOSImage); !ok || v != "Flatcar = 1 and more" {
		t.Errorf("image %q", v)
	}
	if v, ok := d.Get(DetailLabel + "a"); !ok || v != "" {
		t.Errorf("an empty label is one: %q %v", v, ok)
	}
	if _, ok := d.Get("label"); ok {
		t.Error("part of a name is no name")
	}
	if _, ok := Details("").Get(""); ok {
		t.Error("nothing has no details")
	}
	if long := PackDetails([]Detail{{"a", strings.Repeat("x", 1<<20)}, {"b", "kept"}}, nil); string(long) != "b=kept" {
		t.Errorf("%d bytes", len(long))
	}
}
