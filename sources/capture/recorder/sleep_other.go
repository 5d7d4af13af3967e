//go:build !linux

package recorder

import (
	"time"

	"kardia/model"
)

// sleepSince does not know how long the machine slept: a sleep looks like a step of its clock.
func sleepSince() func() model.Maybe[time.Duration] {
	return func() model.Maybe[time.Duration] { return model.Maybe[time.Duration]{} }
}
