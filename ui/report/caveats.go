package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/ui/paint"
)

// Caveat is a reason why a summary is not stated.
type Caveat struct {
	Code  string   `json:"code"`
	Says  string   `json:"says"`
	Since Stamp    `json:"since"`
	Until Stamp    `json:"until"`
	Nodes []string `json:"nodes"`
}

// Caveats are the reasons why a report may be less than all there is. The zero value is none.
type Caveats struct {
	NotKnown NotKnown `json:"notKnown"`
}

// NotKnown is a list of them, which is [] in JSON if it is empty.
type NotKnown []Caveat

// MarshalJSON implements json.Marshaler.
func (n NotKnown) MarshalJSON() ([]byte, error) { return json.Marshal(append([]Caveat{}, n...)) }

// NotJudged is that the models cannot predict anything, and why.
func NotJudged(why string) Caveat { return Caveat{Code: "not-judged", Says: why, Nodes: []string{}} }

// CaveatsOf words a list of caveats.
func CaveatsOf(list caveat.List) (out Caveats) {
	for i := range list {
		c := &list[i]
		out.NotKnown = append(out.NotKnown, Caveat{c.Reason.String(), caveatWords(c), Stamp(c.Since), Stamp(c.Until), lines(c.Nodes)})
	}
	return out
}

// Says joins them into one clause; "" for none.
func (c Caveats) Says() string {
	says := make([]string, len(c.NotKnown))
	for i := range c.NotKnown {
		says[i] = c.NotKnown[i].Says
	}
	return strings.Join(says, "; ")
}

// caveatWords is a caveat in one clause.
func caveatWords(c *caveat.Caveat) string {
	says := caveatSays(c)
	if c.Why != "" {
		says += ": " + paint.Clean(c.Why)
	}
	return says
}

func caveatSays(c *caveat.Caveat) string {
	nodes := model.Counted(len(c.Nodes), "node", "nodes")
	was := model.Counted(len(c.Nodes), "node was", "nodes were")
	switch c.Reason {
	case caveat.NoNode:
		return "no node is known"
	case caveat.NodesNotListed:
		return "nodes were not listed, so others may exist"
	case caveat.LeaseOnly, caveat.NoObject:
		return nodes + " known only by a lease or pods, whose Ready condition was not seen"
	case caveat.NotSeenSince:
		return was + " last seen at " + c.Since.String()
	case caveat.LeasesNotRead:
		return "leases were not read, so heartbeats are known only from statuses"
	case caveat.StatusOverdue:
		return nodes + " posted no status when it was due"
	case caveat.LeaseNotSeen:
		if c.Since.Known() {
			return "the leases of " + nodes + " were last seen at " + c.Since.String()
		}
		return "no lease was seen of " + nodes
	case caveat.LeaseUndated:
		return "the renewals of " + nodes + " were seen without a renewTime"
	case caveat.PodsNotListed:
		if c.Until.Known() {
			return "pods were not listed before " + c.Until.String()
		}
		if c.Since.Known() {
			return "pods were last seen at " + c.Since.String()
		}
		return "pods were not listed"
	case caveat.EventsNotRead:
		return "Events were not read"
	case caveat.LinesMissing:
		return "lines are missing in the input"
	case caveat.OneCapture:
		return "the input shows one point in time"
	case caveat.CaptureUndated:
		if c.Until.Bounded() {
			return "the capture was taken between " + c.Since.String() + " and " + c.Until.String() + ", so heartbeats may be older"
		}
		return "the capture was taken at " + c.Since.String() + " or later (--captured-at gives the time), so heartbeats may be older"
	case caveat.Gap:
		return fmt.Sprintf("gap from %s to %s", c.Since, c.Until)
	case caveat.Away:
		return "the API server does not answer"
	case caveat.NoLeader:
		return "kube-controller-manager has had no leader since " + c.Since.String()
	case caveat.MaybeNoLeader:
		return "kube-controller-manager may have no leader: its lease was last renewed at " + c.Since.String()
	case caveat.Overdue:
		return "overdue since " + c.Since.String()
	case caveat.Behind:
		return "the controllers have not kept up since " + c.Since.String()
	case caveat.Continued:
		return "the controllers paused from " + c.Since.String() + " to " + c.Until.String() + " and resumed, so their caches may be behind"
	case caveat.Restarted:
		return "the controllers may have restarted at " + c.Since.String()
	}
	return c.Reason.String()
}
