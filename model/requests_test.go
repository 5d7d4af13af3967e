package model

import "testing"

func TestQuantities(t *testing.T) {
	for text, want := range map[string]Quantity{
		"500m": 500, "4": 4_000, "+4": 4_000, "1.5": 1_500, "0": 0, "100u": 1, "1n": 1, "16331752Ki": 16331752 << 10 * 1000, "1.5Gi": 3 << 29 * 1000, "128M": 128_000_000_000,
		"1e3": 1_000_000, "1E3": 1_000_000, "2e-3": 2, "110": 110_000, "8Pi": 8 << 50 * 1000, ".5": 500,
	} {
		if q, ok := ParseQuantity(text); q != want || !ok {
			t.Errorf("%q is %d, %v; want %d", text, q, ok, want)
		}
	}
	for _, text := range []string{"", "m", "-1", "1x", "1KiB", "NaN", "Inf", "0x10", "1e", "1e400", "10Ei", "1_0", "1 m", "--1", "1.2.3"} {
		if q, ok := ParseQuantity(text); ok || q != 0 {
			t.Errorf("%q is %d: it is no quantity", text, q)
		}
	}
}

// What the scheduler counts: containers side by side, with sidecars; or an init container beside the sidecars that started
// before it, where that is more.
func TestRequestsOfAPod(t *testing.T) {
	runs := func(cpu Quantity) ContainerRequests {
		return ContainerRequests{Requests: Requests{CPU: cpu, Memory: 1000 * cpu}}
	}
	before := func(cpu Quantity) ContainerRequests {
		c := runs(cpu)
		c.Init = true
		return c
	}
	beside := func(cpu Quantity) ContainerRequests {
		c := before(cpu)
		c.Sidecar = true
		return c
	}
	for _, c := range []struct {
		name       string
		containers []ContainerRequests
		overhead   Quantity
		whole      WholeRequests
		want       Requests
	}{
		{"nothing", []ContainerRequests{{}}, 0, WholeRequests{}, Requests{}},
		{"two side by side", []ContainerRequests{runs(100), runs(200)}, 0, WholeRequests{}, Requests{300, 300_000}},
		{"an init container that asks for less", []ContainerRequests{runs(100), before(50)}, 0, WholeRequests{}, Requests{100, 100_000}},
		{"the greater of two init containers", []ContainerRequests{runs(100), before(300), before(200)}, 0, WholeRequests{}, Requests{300, 300_000}},
		{"a sidecar runs beside all", []ContainerRequests{runs(100), beside(50)}, 0, WholeRequests{}, Requests{150, 150_000}},
		{"an init container after a sidecar", []ContainerRequests{runs(100), beside(50), before(200)}, 0, WholeRequests{}, Requests{250, 250_000}},
		{"an init container before a sidecar", []ContainerRequests{runs(100), before(200), beside(50)}, 0, WholeRequests{}, Requests{200, 200_000}},
		{"what the runtime adds", []ContainerRequests{runs(100)}, 10, WholeRequests{}, Requests{110, 100_000}},
		{"the pod's own, of one resource", []ContainerRequests{runs(100)}, 10, WholeRequests{CPU: Some(Quantity(40))}, Requests{50, 100_000}},
	} {
		got := PodRequests(c.containers, Requests{CPU: c.overhead}, c.whole)
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if back, ok := ParseRequests(got.String()); !ok || back != got {
			t.Errorf("%s: %q is read as %+v, %v", c.name, got, back, ok)
		}
	}
	for _, text := range []string{"", "100m", "100m x", "x 100"} {
		if r, ok := ParseRequests(text); ok {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
}
