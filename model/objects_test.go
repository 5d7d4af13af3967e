package model_test

import (
	"testing"

	"kardia/model"
)

// An audit log may show a node's posts and not its Node: such a node is not known to be simulated.
func TestAnUnseenNodeIsNotSimulated(t *testing.T) {
	var unseen *model.Node
	if unseen.Simulated() || !(&model.Node{KubeletVersion: "kwok-v0.7.0"}).Simulated() || (&model.Node{KubeletVersion: "v1.36.0"}).Simulated() {
		t.Error("a node is simulated if kwok posts for it, and only then")
	}
}
