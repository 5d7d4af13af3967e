package topics_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"kardia/model"
	"kardia/model/explain/actors"
	"kardia/ui/render"
	"kardia/ui/screen/screentest"
	"kardia/ui/topics"
	"kardia/ui/words"
)

var noon = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

func before(d time.Duration) model.Interval { return model.Exactly(noon.Add(-d)) }

func TestActors(t *testing.T) {
	budget := actors.Halt{Why: actors.HaltedByRefusal, Answer: model.Refusal{By: model.RefusedBudget, Name: "shop/web"}, Pods: 2, At: noon.Add(-4 * time.Second)}
	drain := actors.Actor{Who: "unnamed", Name: "ops with kubectl", Does: "drains", Remain: &actors.Remain{Pods: 2, Terminating: 1}, When: before(5 * time.Minute), Halts: []actors.Halt{budget},
		Because: []actors.Trace{{Of: "taint", Name: "node.kubernetes.io/unschedulable", At: before(6 * time.Minute)},
			{Of: "evictions", At: model.Interval{Earliest: noon.Add(-5 * time.Minute), Latest: noon}, Pods: 2, Refused: 5, Code: 429}}}
	repair := actors.Actor{Who: "karpenter-repair", Does: "replaces", When: model.Interval{Earliest: noon.Add(25 * time.Minute), Latest: model.FarFuture}, Assumes: "repair-policy",
		Because: []actors.Trace{{Of: "label", Name: "karpenter.sh/nodepool=spot"}}, Halts: []actors.Halt{{Why: "message", Text: "more than 20% nodes are unhealthy"}}}
	spot := actors.Actor{Who: "provider", Does: "takes-back", When: model.Interval{Earliest: noon, Latest: noon.Add(2 * time.Minute)}, Assumes: "notice", Notice: 2 * time.Minute,
		Because: []actors.Trace{{Of: "taint", Name: "aws-node-termination-handler/spot-itn", At: before(0)}}}
	o := topics.Actors{List: []actors.Actor{drain, spot, repair}, At: noon, Unread: []topics.Unread{{Kind: model.KindNodeClaim, Why: "not recorded"}}}
	var rows []string
	for _, row := range render.Terminal(o.Doc(), words.Plain, 200) {
		rows = append(rows, row.Text)
	}
	got := screentest.Plain(rows)
	if want := `ops with kubectl
does        drains the node: 2 known pods remain, 1 more Terminating
when        for 5m00s
blocked by  PodDisruptionBudget shop/web, which refused to evict 2 pods, last at 11:59:56Z; this blocks API evictions only, a taint eviction ignores budgets
because     taint node.kubernetes.io/unschedulable, added 11:54:00Z; eviction requests for 2 pods from 11:55:00Z to 12:00:00Z, refused 5 times (code 429)

the provider
does     takes the machine back
when     in 0:00–2:00, 12:00:00–02:00Z
because  taint aws-node-termination-handler/spot-itn, added 12:00:00Z
assumes  a notice of 2m0s

Karpenter's node repair
does        deletes the machine and makes another
when        in 25:00 or later, from 12:25:00Z
blocked by  more than 20% nodes are unhealthy
because     label karpenter.sh/nodepool=spot
assumes     the provider's policy for Ready is 30 minutes
  NodeClaims (Karpenter): not recorded
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for want, d := range map[string]*actors.Due{
		"ops with kubectl drains the node: 2 known pods remain, 1 more Terminating, since 11:55:00Z; not yet: PodDisruptionBudget shop/web, which refused to evict 2 pods, last at 11:59:56Z; " +
			"this blocks API evictions only, a taint eviction ignores budgets; a and 2 more (taint node.kubernetes.io/unschedulable, added 11:54:00Z; eviction requests for 2 pods from 11:55:00Z to 12:00:00Z, " +
			"refused 5 times (code 429))": {Actor: drain, Nodes: []string{"a", "b", "c"}},
		"the provider takes the machine back, from 12:00:00Z to 12:02:00Z; nodes not known (taint aws-node-termination-handler/spot-itn, added 12:00:00Z)": {Actor: spot},
	} {
		if got := topics.ActorLine(d, 1).String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if got := topics.Leaving(&spot).String(); got != "spot notice, gone by 12:02:00Z" {
		t.Error(got)
	}
}

// Each code of the model has a sentence, and each sentence its code.
func TestActorCodes(t *testing.T) {
	text, err := os.ReadFile("../words/en.yaml")
	var all struct{ Actor map[string]yaml.Node }
	if err != nil || yaml.Unmarshal(text, &all) != nil {
		t.Fatal(err)
	}
	source := ""
	files, _ := filepath.Glob("../../model/explain/actors/*.go")
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		source += string(text)
	}
	for part, field := range map[string]string{"who": "Who: ", "does": "Does: ", "assumes": "Assumes: ", "halt": "Why: ", "trace": "Of: "} {
		sentences := map[string]any{}
		node := all.Actor[part]
		if err := node.Decode(&sentences); err != nil {
			t.Fatal(err)
		}
		for key := range sentences {
			code := strings.TrimSuffix(strings.TrimSuffix(key, "-at"), "-within")
			if !strings.Contains(source, `"`+code+`"`) {
				t.Errorf("the model has no %s %q", part, code)
			}
		}
		for _, after := range strings.Split(source, field+`"`)[1:] {
			code, _, _ := strings.Cut(after, `"`)
			if sentences[code] == nil && sentences[code+"-at"] == nil {
				t.Errorf("%s %q has no sentence", part, code)
			}
		}
	}
}
