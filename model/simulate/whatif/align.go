package whatif

import (
	"time"

	"kardia/model"
)

// maxAligned limits the cost of one alignment, in pairs compared.
const maxAligned = 250_000

// align maps each time of a course to a recorded one, both in order: as many as possible, and as near; −1 for none.
func align(recorded, course []model.Instant) []int {
	out := make([]int, len(course))
	n, m := len(recorded), len(course)
	if n == 0 || n*m > maxAligned {
		for k := range out {
			if out[k] = k; k >= n {
				out[k] = -1
			}
		}
		return out
	}
	// cost is that of the best alignment of the first i and first k, with min(i, k) pairs.
	cost := make([][]time.Duration, n+1)
	for i := range cost {
		cost[i] = make([]time.Duration, m+1)
	}
	for i := 1; i <= n; i++ {
		for k := 1; k <= m; k++ {
			best := cost[i-1][k-1] + recorded[i-1].Sub(course[k-1]).Abs()
			if i > k {
				best = min(best, cost[i-1][k])
			} else if k > i {
				best = min(best, cost[i][k-1])
			}
			cost[i][k] = best
		}
	}
	for k := range out {
		out[k] = -1
	}
	for i, k := n, m; i > 0 && k > 0; {
		switch {
		case i > k && cost[i][k] == cost[i-1][k]:
			i--
		case k > i && cost[i][k] == cost[i][k-1]:
			k--
		default:
			out[k-1] = i - 1
			i, k = i-1, k-1
		}
	}
	return out
}
