// Package rapidseed makes property tests draw the same cases in every run: a test package imports
// it for that alone. RAPID_SEED in the environment, or -rapid.seed on the command line of one
// package, draws others; 0 stands for a seed of rapid's own choice.
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
	// A failure prints the seed that replays it; no file of it is left behind.
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
}
