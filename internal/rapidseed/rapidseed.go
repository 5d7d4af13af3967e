// Package rapidseed makes property tests draw the same cases in every run: a test package imports it for that alone.
// RAPID_SEED in the environment, or -rapid.seed for one package, draws others; 0 is a seed of rapid's choice.
package rapidseed

import (
	"flag"
	"fmt"
	"os"

	_ "pgregory.net/rapid" // which defines the flags, before this package sets them
)

func init() {
	seed := os.Getenv("RAPID_SEED")
	if seed == "" {
		seed = "1"
	}
	if err := flag.Set("rapid.seed", seed); err != nil {
		panic(fmt.Sprintf("RAPID_SEED=%s: %v", seed, err))
	}
	// A failure prints the seed that replays it, and leaves no file.
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
}
