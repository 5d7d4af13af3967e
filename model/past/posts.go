package past

import (
	"time"

	"kardia/model"
)

const (
	// postsOften is the longest interval between unchanged statuses of a kubelet that posts them often. By default it
	// waits for five minutes, from 1.34 on for at least half of that.
	// Source: kubernetes: pkg/kubelet, nodeStatusReportFrequency and calculateDelay.
	postsOften = 2 * time.Minute
	// postsTell is how many such in a row prove it.
	postsTell = 5
)

// Post is a status that a node's kubelet posted.
type Post struct {
	// Says is its heartbeat, by the kubelet's clock, Seen when it entered the shown state.
	Says, Seen model.Instant
	// Same: apart from heartbeats, the Node equals the version before it.
	Same bool
}

// PostOf is the status in a version of a Node; ok is false if another component wrote it. before is the last, or nil.
func PostOf(before *model.Node, ch *model.Change) (post Post, ok bool) {
	is, was := heartbeat(ch.Node), heartbeat(before)
	if !is.Bounded() || is == was {
		return post, false
	}
	return Post{Says: is, Seen: ch.Effective(), Same: before != nil && ch.Node.SameButHeartbeats(before)}, true
}

func heartbeat(n *model.Node) model.Instant {
	if ready := n.Ready(); ready != nil {
		return ready.Posted()
	}
	return 0
}

// Pace finds how often a kubelet posts an unchanged status. A changed status proves nothing: it is posted at once,
// whatever the configuration. The zero value knows nothing.
type Pace struct {
	last    model.Instant
	run     run
	longest run
}

// run is unchanged statuses in a row, evenly apart.
type run struct {
	times int32
	over  time.Duration
}

func (r run) every() time.Duration { return r.over / time.Duration(max(r.times, 1)) }

// Put takes a post, in order.
func (p *Pace) Put(post Post) {
	apart := post.Says.Sub(p.last)
	first := !p.last.Known()
	p.last = post.Says
	switch {
	case first:
	case apart > postsOften: // it no longer posts often, or posts between were not seen
		p.run, p.longest = run{}, run{}
	case !post.Same || apart <= 0:
		p.run = run{}
	case p.run.times > 0 && (apart-p.run.every()).Abs() > p.run.every()/5+time.Second: // stamps are of whole seconds
		p.run = run{1, apart}
	default:
		p.run = run{p.run.times + 1, p.run.over + apart}
	}
	if p.run.times >= p.longest.times {
		p.longest = p.run
	}
}

// Often reports whether an unchanged status is posted often, seen so many times in a row. ok is false if not.
func (p *Pace) Often() (every time.Duration, times int, ok bool) {
	return p.longest.every().Round(time.Second), int(p.longest.times), p.longest.times >= postsTell
}

func (t *Track) Pace() (p Pace) {
	for _, post := range t.Posts {
		p.Put(post)
	}
	return p
}

// posts keeps the posted statuses.
func (t *Track) posts(versions []*model.Change) {
	var before *model.Node
	for _, ch := range versions {
		if ch.Node != nil && ch.Op != model.OpDelete {
			if post, ok := PostOf(before, ch); ok {
				t.Posts = append(t.Posts, post)
			}
			before = ch.Node
			continue
		}
		before = nil
	}
}
