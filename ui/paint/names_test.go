package paint

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/themes"
)

// Names are cut in what they have in common, never where two differ.
func TestShorten(t *testing.T) {
	p := New(themes.NoColour(), themes.Unicode(), time.UTC)
	for _, c := range []struct {
		names []string
		w     int
		want  []string
	}{
		{[]string{"shop/cart-7d9c8f6b5d-x2lq9", "shop/cart-7d9c8f6b5d-q0pdk"}, 20, []string{"shop/cart-7d9…-x2lq9", "shop/cart-7d9…-q0pdk"}},
		{[]string{"shop/cart-7d9c8f6b5d-x2lq9", "shop/cart-55fd97c6b8-x2lq9"}, 20, []string{"shop/cart-7d9…-x2lq9", "shop/cart-55f…-x2lq9"}},
		{[]string{"default/payments-database-0", "default/payments-database-1"}, 16, []string{"default/…abase-0", "default/…abase-1"}},
		{[]string{"ip-10-1-17-140.internal", "ip-10-2-17-140.internal"}, 20, []string{"ip-10-1-17-140", "ip-10-2-17-140"}},
		{[]string{"ip-10-0-14-7.eu-west-1.internal", "ip-10-0-14-71.eu-west-1.internal"}, 12, []string{"ip-10-0-14-7", "ip-10-…14-71"}},
		{[]string{"node-1.eu-west-1.internal", "node-1.eu-west-2.internal"}, 16, []string{"node-…1.internal", "node-…2.internal"}},
		{[]string{"10.0.14.71", "node.kubernetes.io/unreachable"}, 9, []string{"10.0…4.71", "node…able"}},
		{[]string{"short"}, 16, []string{"short"}},
	} {
		short := p.Shorten(c.names, c.w)
		for i, name := range c.names {
			if got := short(name); Width(got) > c.w || got != c.want[i] {
				t.Errorf("%q is cut to %q, want %q", name, got, c.want[i])
			}
		}
	}
}

// Whatever the names are, they fit, and two that differ stay apart where any cut keeps them apart.
func TestShortenedNamesStayApart(t *testing.T) {
	p := New(themes.NoColour(), themes.Unicode(), time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfDistinct(rapid.StringMatching(`[ab]{1,3}(-[ab0]{1,6}){0,5}`), rapid.ID[string]).Draw(t, "names")
		w := rapid.IntRange(5, 30).Draw(t, "w")
		short := p.Shorten(names, w)
		ends := map[string]string{}
		for _, name := range names {
			cut := short(name)
			if Width(cut) > w {
				t.Fatalf("%q has no room in %d", cut, w)
			}
			if len(name) <= w {
				continue
			}
			if other, same := ends[cut]; same && other[len(other)-(w-3):] != name[len(name)-(w-3):] {
				t.Fatalf("%q and %q are both %q, though their ends differ", other, name, cut)
			}
			ends[cut] = name
		}
	})
}
