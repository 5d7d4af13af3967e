package evidence

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kardia/model"
)

// What is packed, or held, comes out again, in order, as often as one likes.
func TestSeededPodsAreThePods(t *testing.T) {
	owner, tolerations, other := &model.Owner{Kind: "ReplicaSet", Name: "web"}, &model.Tolerations{}, "not-a-uuid"
	rapid.Check(t, func(t *rapid.T) {
		text := func(what string) string { return rapid.StringMatching(`(web-|wé)?[a-c]{0,3}`).Draw(t, what) }
		instant := func(what string) model.Instant {
			return rapid.OneOf(rapid.Just(model.Instant(0)), rapid.Just(model.FarPast), rapid.Just(model.FarFuture), rapid.Custom(func(t *rapid.T) model.Instant {
				return model.Instant(rapid.Int64().Draw(t, "any"))
			})).Draw(t, what)
		}
		packed := seededPods{lasting: rapid.Bool().Draw(t, "lasting")}
		var want []*model.Pod
		for range rapid.IntRange(0, 20).Draw(t, "pods") {
			p := &model.Pod{
				Key: model.Key{Namespace: text("namespace"), Name: text("name")}, Node: text("node"), DisruptionReason: text("reason"),
				Created: instant("created"), Deletion: instant("deletion"), ReadySince: instant("ready since"), Disrupted: instant("disrupted"),
				GraceSeconds: rapid.Int32().Draw(t, "grace"), Phase: model.Phase(rapid.IntRange(0, 3).Draw(t, "phase")), Ready: model.Status(rapid.IntRange(0, 3).Draw(t, "ready")),
			}
			if rapid.Bool().Draw(t, "owned") {
				p.Owner, p.Tolerations = owner, tolerations
			}
			p.UID = model.ParseUID(rapid.SampledFrom([]string{"", "1f0a3c52-7e1c-4b8e-9d57-000000000001", other}).Draw(t, "uid"), func(string) *string { return &other })
			packed.add(p)
			want = append(want, p)
		}
		packed.close()
		for range 2 {
			got := slices.Collect(packed.all)
			if !slices.EqualFunc(got, want, func(a, b *model.Pod) bool { return *a == *b }) || packed.count() != len(want) {
				t.Fatalf("%d pods: %+v, not %+v", packed.count(), got, want)
			}
		}
	})
}
