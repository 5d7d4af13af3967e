package recorder

import (
	"time"

	"golang.org/x/sys/unix"

	"kardia/model"
)

// sleepSince returns a function for how long the machine has slept since: CLOCK_BOOTTIME runs while it sleeps,
// CLOCK_MONOTONIC does not.
func sleepSince() func() model.Maybe[time.Duration] {
	began, ok := asleep()
	return func() model.Maybe[time.Duration] {
		now, still := asleep()
		if !ok || !still {
			return model.Maybe[time.Duration]{}
		}
		return model.Some((now - began).Round(time.Millisecond))
	}
}

// asleep is how long the machine has slept since its start. If reading the two clocks takes long, it repeats.
func asleep() (time.Duration, bool) {
	const tries, quick = 5, time.Millisecond
	for range tries {
		before, ok := read(unix.CLOCK_MONOTONIC)
		boot, ok2 := read(unix.CLOCK_BOOTTIME)
		after, ok3 := read(unix.CLOCK_MONOTONIC)
		if !ok || !ok2 || !ok3 {
			return 0, false
		}
		if after-before <= quick {
			return boot - before, true
		}
	}
	return 0, false
}

func read(clock int32) (time.Duration, bool) {
	var t unix.Timespec
	err := unix.ClockGettime(clock, &t)
	return time.Duration(t.Nano()), err == nil
}
