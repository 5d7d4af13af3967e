package conformance

import (
	"cmp"
	"slices"
	"time"

	"pgregory.net/rapid"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"kardia/model"
)

// Comparing is the n-th scenario, plus taints with numbers, or nearly, and tolerations with the operators Gt and Lt.
func Comparing(n int) Scenario {
	s := Numbered(n)
	return rapid.Custom(func(t *rapid.T) Scenario { return comparing(t, s) }).Example(n)
}

// numbers are values of taints; some are none.
var numbers = []string{"5", "6", "4", "0", "-1", "10", "9223372036854775807", "-9223372036854775808",
	"", "v", "05", "+6", "-0", "6.0", "6e0", "0x6", "9223372036854775808"}

var compared = []string{
	"k/Gt/5/NoExecute/20+U/Exists//NoExecute/60+N/Exists//NoExecute/60",
	"k/Lt/5/NoExecute/20+U/Exists//NoExecute/60+N/Exists//NoExecute/60",
	"k/Gt/5//+k/Lt/5/NoExecute/15+k/Exists//NoExecute/40",
	"k/Lt/0//0+k/Gt/-1/NoExecute/25",
	"k/Gt/-9223372036854775808//30",
	"k/Lt/9223372036854775807/NoExecute/",
	"k/Gt/05/NoExecute/20", "k/Lt/high/NoExecute/", "k/Gt//NoExecute/10", "k/Lt/9223372036854775808//",
	"k/Gt/5/NoSchedule/+k/Gt/9/NoExecute/35",
	"/Gt/5//",
	"U/Gt/5/NoExecute/30+N/Lt/5/NoExecute/30",
	"U/Lt/1//+U/Exists//NoExecute/45+N/Exists//NoExecute/45",
	"k/gt/5/NoExecute/20", "k/Equal/5/NoExecute/10+k/Gt/4/NoExecute/50",
}

func comparing(t *rapid.T, plain Scenario) Scenario {
	s := slices.Clone(plain)
	var nodes []string
	for i := range s {
		switch c := &s[i]; c.Verb {
		case "node":
			nodes = append(nodes, c.arg(0))
		case "tolerate":
			c.Args = []string{c.arg(0), pick(t, "compares", compared...)}
		case "pod":
			c.Options = slices.Clone(c.Options)
			for k := range c.Options {
				if c.Options[k].Key == "tolerate" && pick(t, "which", true, true, false) {
					c.Options[k].Value = pick(t, "compares", compared...)
				}
			}
		}
	}
	length := s.Length()
	for range rapid.IntRange(1, 8).Draw(t, "numbered taints") {
		at := time.Duration(rapid.IntRange(0, int(length/time.Second)-1).Draw(t, "second")) * time.Second
		node := pick(t, "node", nodes...)
		s = append(s, Command{At: at, Verb: "taint", Args: []string{node, "k=" + pick(t, "number", numbers...) + ":NoExecute"}})
	}
	slices.SortStableFunc(s, func(a, b Command) int { return cmp.Compare(a.At, b.At) })
	return s
}

// compares reports whether the real controllers compare: by a feature gate of the process, unknown before v1.35.
func compares() bool {
	for name := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		if string(name) == model.GateComparisonOperators {
			return utilfeature.DefaultFeatureGate.Enabled(name)
		}
	}
	return false
}
