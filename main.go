// Kardia shows the heartbeats of Kubernetes nodes and what the control plane concludes
// from them.
package main

import (
	"os"

	"kardia/ui/cli"
)

func main() {
	os.Exit(cli.Main())
}
