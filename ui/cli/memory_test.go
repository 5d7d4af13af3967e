package cli

import "testing"

// TestTheLimitLeavesRoom: a large input is not read by collecting garbage alone.
func TestTheLimitLeavesRoom(t *testing.T) {
	for _, used := range []int64{0, 100 << 20, memoryLimit, 4 << 30} {
		if limit := limitFor(used); limit < memoryLimit || limit < used+used/9 {
			t.Errorf("%d in use, limit %d", used, limit)
		}
	}
	if n := inUse(); n <= 0 || n > 4<<30 {
		t.Errorf("%d bytes are in use", n)
	}
}
