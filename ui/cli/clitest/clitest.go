// Package clitest runs commands for the tests of other packages, without a cluster.
package clitest

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"kardia/ui/cli/command"
)

// nowhere has no cluster: only its flags may be used.
type nowhere struct{ command.Kube }

func (nowhere) AddFlags(*pflag.FlagSet) {}

// Result is the exit code and output of kardia.
type Result struct {
	Code     command.Code
	Out, Err string
}

// Run runs kardia with these words.
func Run(ctx context.Context, words ...string) Result {
	var out, messages bytes.Buffer
	code := command.Run(ctx, command.World{Args: append([]string{"kardia"}, words...), In: strings.NewReader(""), Out: &out, Err: &messages, Kube: nowhere{}})
	return Result{code, out.String(), messages.String()}
}

// JSON runs kardia with these words and -o json, and reads its output.
func JSON(t *testing.T, into any, words ...string) {
	t.Helper()
	got := Run(t.Context(), append(words, "-o", "json")...)
	if got.Code != command.OK && got.Code != command.Partial {
		t.Fatalf("%v: code %d: %s", words, got.Code, got.Err)
	}
	if err := json.Unmarshal([]byte(got.Out), into); err != nil {
		t.Fatalf("%v: %v", words, err)
	}
}
