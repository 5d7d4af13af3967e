package model_test

import (
	"maps"
	"testing"

	"pgregory.net/rapid"

	"kardia/model"
)

// TestNodeDetailsAreTheDetails: in two parts they say what one text says, in its order; and of nodes that are alike
// one part is the same.
func TestNodeDetailsAreTheDetails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{model.DetailBootID, model.DetailOSImage, model.DetailLabel + "a", model.DetailLabel + "kubernetes.io/hostname", model.DetailAddress + "InternalIP", model.DetailCapacity + "cpu",
			model.DetailCapacity + "memory", model.DetailWriter + "kubelet", model.DetailOwner}
		var list []model.Detail
		for range rapid.IntRange(0, 12).Draw(t, "details") {
			name := rapid.OneOf(rapid.SampledFrom(names), rapid.StringMatching(`[a-c ]{1,3}`)).Draw(t, "name")
			list = append(list, model.Detail{Name: name, Value: rapid.StringMatching(`[a-b=\n]{0,2}`).Draw(t, "value")})
		}
		one := model.Details(model.PackDetails(list, nil))
		two := model.PackNode(list...)
		if got := two.Text(); got != one {
			t.Fatalf("%q and %q are %q, not %q", two.Common, two.Own, got, one)
		}
		for name, value := range maps.Collect(one.All) {
			if got, ok := two.Get(name); !ok || list == nil || got != value && got != first(one, name) {
				t.Fatalf("%q is %q, %t, not %q", name, got, ok, value)
			}
		}
	})
	a, b := model.SplitDetails(managedDetails(1), text), model.SplitDetails(managedDetails(2), text)
	if a.Common != b.Common || a.Own == b.Own || len(a.Common) < len(a.Own) {
		t.Errorf("of two nodes of one kind %q and %q are in common, %q and %q their own", a.Common, b.Common, a.Own, b.Own)
	}
}

func text(b []byte) string { return string(b) }

func first(d model.Details, name string) string {
	value, _ := d.Get(name)
	return value
}
