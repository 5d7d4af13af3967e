//go:build !linux

package recorder

import (
	"time"

	"kardia/model"
)

// sleepSince: unknown, so a sleep looks like a step of the clock.
func sleepSince() func() model.Maybe[time.Duration] {
	return func() model.Maybe[time.Duration] { return model.Maybe[time.Duration]{} }
}
