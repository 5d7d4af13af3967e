package glossary

import (
	"slices"
	"strings"
	"testing"

	"kardia/model"
	"kardia/ui/topics"
)

// Every rule of the controllers, every taint that they write and every state of a zone has a meaning, and each word
// one only.
func TestEveryWordHasOneMeaning(t *testing.T) {
	all := slices.Concat(Words(), Mechanisms(), Rules())
	names := map[string]bool{}
	for _, is := range all {
		if names[is.Name] {
			t.Errorf("%q stands there twice", is.Name)
		}
		names[is.Name] = true
		if is.Name == "" || len(is.Meaning) < 20 || is.Meaning != strings.TrimSpace(is.Meaning) {
			t.Errorf("%q means %q", is.Name, is.Meaning)
		}
	}
	for _, word := range []string{model.TaintUnreachable, model.TaintNotReady, model.TaintOutOfService, model.TaintUnschedulable, model.NoExecute.String(), model.NoSchedule.String(),
		model.HealthUnknown.String(), model.HealthNotReady.String(), model.Observed.String(), model.Inferred.String()} {
		if !names[word] {
			t.Errorf("nothing says what %q means", word)
		}
	}
	for state := model.ZoneNormal; state <= model.ZoneFull; state++ {
		if word := topics.ZoneState(state).String(); !names[word] {
			t.Errorf("nothing says what %q means", word)
		}
	}
	for _, rule := range model.Rules() {
		if !names[rule.String()] {
			t.Errorf("rule %q is missing", rule)
		}
	}
}

// A caller that changes its list changes no other caller's.
func TestWordsAreACopy(t *testing.T) {
	Words()[0].Name = "changed"
	if Words()[0].Name == "changed" {
		t.Error("the words can be changed from outside")
	}
	Mechanisms()[0].Name = "changed"
	if Mechanisms()[0].Name == "changed" {
		t.Error("the mechanisms can be changed from outside")
	}
}
