package cli

import "testing"

// TestTheLimitLeavesRoom: a large input is not read by collecting garbage alone.
func TestTheLimitLeavesRoom(t *testing.T) {
	for _, used := range []int64{0, 100 << 20, memoryLimit, 4 << 30} {
		if limit := limitFor(used, usualGarbage); limit < memoryLimit || limit < used+used/9 {
			t.Errorf("%d in use, limit %d", used, limit)
		}
	}
	n, percent := inUse()
	if n <= 0 || n > 4<<30 || percent != usualGarbage {
		t.Errorf("%d bytes are in use, and garbage may be %d %% of that", n, percent)
	}
	if limit := limitFor(100<<20, 40); limit != 160<<20 {
		t.Errorf("where garbage may be 40 %% of 100 MiB the limit is %d", limit)
	}
	if limit := limitFor(100<<20, 150); limit != 150<<20 {
		t.Errorf("while the first lists come, and 100 MiB are in use, the limit is %d", limit)
	}
	if limit := limitFor(0, 40); limit != leastLimit {
		t.Errorf("where nothing is in use yet the limit is %d", limit)
	}
}
