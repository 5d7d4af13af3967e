package outlook_test

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/shadow"
	"kardia/themes"
	"kardia/ui/outlook"
	"kardia/ui/paint"
	"kardia/ui/screen"
)

// Whether the controller is alive is told by its leader's lease, by what it wrote, and by what is
// overdue; nothing is said where nothing tells.
func TestWhetherTheControllerIsAlive(t *testing.T) {
	p := paint.New(themes.NoColour(), themes.Unicode(), time.UTC)
	now := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	var o outlook.Outlook
	s := &screen.Snapshot{At: now, Mode: screen.Live, Cluster: model.NewCluster()}
	if text, ill := o.Controller(s, p); text != "" || ill {
		t.Errorf("of nothing: %q", text)
	}
	s.Cluster.Fold(&model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-system", Name: "kube-controller-manager"},
		Time: model.Exactly(now.Add(-3 * time.Second)), Arrival: now.Add(-3 * time.Second), Lease: model.Lease{Holder: "cp-1", Renewed: now.Add(-3 * time.Second)}})
	write := func(ago time.Duration) shadow.Write { return shadow.Write{Time: model.Exactly(now.Add(-ago))} }
	s.Judged = &screen.Judgement{Progress: 1, Until: now, Result: &shadow.Result{Writes: []shadow.Write{write(time.Hour), write(40 * time.Second), write(-time.Minute)}}}
	if text, ill := o.Controller(s, p); text != "leader renewed 3s ago, wrote last 40s ago" || ill {
		t.Errorf("alive: %q", text)
	}
	o.State = &shadow.State{Overdue: shadow.Overdue{Since: now.Add(-12 * time.Second)}}
	if text, ill := o.Controller(s, p); !strings.HasPrefix(text, "overdue 12s, ") || !ill {
		t.Errorf("overdue: %q", text)
	}
}
