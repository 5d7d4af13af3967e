// Package clitest runs commands for the tests of other packages, without a cluster.
package clitest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"kardia/ui/cli/command"
)

// nowhere is the way to no cluster. Only flags may be asked of it.
type nowhere struct{ command.Kube }

func (nowhere) AddFlags(*pflag.FlagSet) {}

// JSON runs kardia with these words and -o json, and reads what it prints.
func JSON(t *testing.T, into any, words ...string) {
	t.Helper()
	var out, messages bytes.Buffer
	args := append([]string{"kardia"}, append(words, "-o", "json")...)
	code := command.Run(t.Context(), command.World{Args: args, In: strings.NewReader(""), Out: &out, Err: &messages, Kube: nowhere{}})
	if code != command.OK && code != command.Partial {
		t.Fatalf("%v: code %d: %s", args, code, messages.String())
	}
	if err := json.Unmarshal(out.Bytes(), into); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
}
