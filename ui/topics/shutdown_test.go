package topics_test

import (
	"testing"

	"kardia/model"
	"kardia/model/explain/shutdown"
	"kardia/ui/topics"
)

func TestShutdownLane(t *testing.T) {
	pod := func(name, priority string) *model.Pod {
		return &model.Pod{Key: model.Key{Namespace: "shop", Name: name}, Details: model.Details(model.PackDetails([]model.Detail{{Name: model.DetailPriority, Value: priority}}, nil))}
	}
	l := shutdown.Lane{Name: "not critical", Ended: []*model.Pod{pod("batch", "0")}, Ending: []*model.Pod{pod("web-3", "0")},
		Left: []*model.Pod{pod("web-2", "0"), pod("web-1", "1000"), pod("web-4", "1000"), pod("odd", "-")}}
	if got, want := topics.ShutdownLane(&l, 2).String(), "1 of 6 ended, 1 being ended or deleted; 4 not: shop/web-2 (0), shop/web-1 (1000), 2 more"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s := shutdown.Shutdown{Lanes: []shutdown.Lane{l}}
	if got, want := topics.ShutdownShort(&s, true).String(), "shut down in order, by priority: not critical: 1 of 6 ended; no deadline is in the API"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
