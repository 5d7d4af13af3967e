package actors

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"

	"kardia/model"
)

var seeds = flag.Int("seeds", 3, "how many seeds of each scenario are compared")

// The scenario may write later than the real controllers, because its requests take time. A Change arrives up to early
// later than it was written, and the first check is taken from such a time.
const (
	late  = 100 * time.Millisecond
	early = 2 * time.Millisecond
)

// TestJoinAndLeave: the nodes of a scenario that join and leave, as the cloud controllers' own code does it.
func TestJoinAndLeave(t *testing.T) {
	for name, text := range map[string]string{
		"leave": `scenario 1
			length 6m
			nodes a-1..a-6 zone=a region=r
			at 7s leave a-1
			at 8s kill a-2
			at 20s leave a-3
			at 90s notready a-4
			at 93s leave a-4
			at 3m leave a-5
			at 3m1s leave a-6`,
		"join": `scenario 1
			length 4m
			nodes a-1 zone=a region=r
			at 11s join c-1 zone=c region=r cloud=3s network=15s
			at 13s join c-2 zone=c region=r cloud=40s network=10s
			at 15s join c-3 zone=d region=r cloud=1s network=2s
			at 20s join c-4 zone=d cloud=never
			at 30s join c-5 zone=e
			at 60s leave c-1
			at 65s leave c-4`,
	} {
		for seed := range *seeds {
			t.Run(fmt.Sprintf("%s seed %d", name, seed+1), func(t *testing.T) {
				simulated, real := joining(t, strings.Replace(text, "scenario 1", fmt.Sprint("scenario 1\nseed ", seed+1), 1))
				for i := range max(len(simulated), len(real)) {
					switch {
					case i >= len(simulated):
						t.Errorf("the scenario lacks %s", real[i])
					case i >= len(real):
						t.Errorf("the real code does not write %s", simulated[i])
					default:
						if d := simulated[i].at - real[i].at; ofCloud(simulated[i]) != ofCloud(real[i]) || d < -early || d > late {
							t.Errorf("scenario: %v %s\nreal code: %v %s", simulated[i].at, simulated[i].text(), real[i].at, real[i].text())
						}
					}
				}
				if len(real) < 3 {
					t.Errorf("only %d writes were compared", len(real))
				}
			})
		}
	}
}

// ofCloud is what the cloud writes, without the taints of others, which may come between the two sides' writes.
func ofCloud(h happening) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(h.text()), func(w string) bool { return strings.HasPrefix(w, "node.kubernetes.io/") }), " ")
}

// joining plays a scenario, and gives its nodes to the real controllers: what each side writes as the cloud.
func joining(t *testing.T, text string) (simulated, real []happening) {
	s, list := changes(t, text)
	cloud := newCloud()
	for _, n := range s.Nodes {
		cloud.zones[n.Name] = [2]string{n.Zone.Zone, n.Zone.Region}
		if n.Joins != nil {
			cloud.answers[n.Name] = n.Joins.Cloud.Value
		}
	}
	before := map[string]*v1.Node{}
	checked := time.Duration(-1) // a check of the scenario
	byCloud := func(ch *heard) string {
		switch {
		case ch.Kind == model.KindEvent && ch.Event.Reason == "DeletingNode":
			if checked < 0 {
				checked = ch.at
			}
			return ch.Event.Regarding.Name + " event DeletingNode"
		case ch.Kind == model.KindNode && ch.Op == model.OpDelete:
			return ch.Key.Name + " deleted"
		case ch.Kind == model.KindNode:
			old, now := before[ch.Key.Name], node(ch.Key.Name, ch.Node)
			before[ch.Key.Name] = now
			if old != nil && initialized(now) && !initialized(old) {
				if !slices.Equal(others(old), others(now)) {
					t.Errorf("the cloud changes the taints %v of %s to %v", old.Spec.Taints, now.Name, now.Spec.Taints)
				}
				return looks(now)
			}
			if !initialized(now) && (len(now.Labels) > 0 || now.Spec.ProviderID != "") {
				t.Errorf("%s has %v and %q before the cloud initializes it", now.Name, now.Labels, now.Spec.ProviderID)
			}
		}
		return ""
	}
	var inputs []heard
	for i := range list {
		if what := byCloud(&list[i]); what != "" {
			simulated = append(simulated, happening{at: list[i].at, what: what})
		} else if list[i].Kind == model.KindNode {
			inputs = append(inputs, list[i])
		}
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := newCluster(cloud)
		began := time.Now()
		c.began = began
		go func() {
			time.Sleep(checked % checks)
			c.run(ctx, t)
		}()
		for _, line := range strings.Split(text, "\n") {
			if words := strings.Fields(line); len(words) == 4 && words[2] == "leave" {
				time.AfterFunc(seconds(t, words[1]), func() { cloud.leave(words[3]) })
			}
		}
		for _, ch := range inputs {
			time.Sleep(ch.at - time.Since(began))
			if _, err := c.Tracker().Get(nodeResource, "", ch.Key.Name); err == nil || ch.Op != model.OpModify {
				c.put(c.merged(node(ch.Key.Name, ch.Node)))
			}
		}
		time.Sleep(s.Length - time.Since(began))
		real = slices.DeleteFunc(c.written(), func(h happening) bool { return strings.HasSuffix(h.what, "event Synced") })
		cancel()
		time.Sleep(time.Hour)
	})
	for _, list := range [][]happening{simulated, real} {
		slices.SortStableFunc(list, func(a, b happening) int {
			return cmp.Or(strings.Compare(a.what, b.what), cmp.Compare(a.at, b.at))
		})
	}
	return simulated, real
}

// merged is a node as another component writes it after the real controller has initialized it, and before the scenario's.
func (c *cluster) merged(n *v1.Node) *v1.Node {
	have, err := c.Tracker().Get(nodeResource, "", n.Name)
	if now, ok := have.(*v1.Node); err == nil && ok && initialized(now) && !initialized(n) {
		n.Labels, n.Spec.ProviderID, n.Spec.Taints = now.Labels, now.Spec.ProviderID, others(n)
	}
	return n
}

// others are the taints that the cloud does not remove.
func others(n *v1.Node) []v1.Taint {
	return slices.DeleteFunc(slices.Clone(n.Spec.Taints), func(t v1.Taint) bool { return t.Key == uninitialized.Key })
}

func initialized(n *v1.Node) bool {
	return !slices.ContainsFunc(n.Spec.Taints, func(t v1.Taint) bool { return t.Key == uninitialized.Key })
}
