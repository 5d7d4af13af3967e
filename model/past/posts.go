package past

import (
	"time"

	"kardia/model"
)

const (
	// postsOften is how far apart at most two statuses are in which nothing changed, where a kubelet posts them
	// often: by default it waits for five minutes, from 1.34 on for half of that at least.
	// Source: kubernetes: pkg/kubelet, nodeStatusReportFrequency and calculateDelay.
	postsOften = 2 * time.Minute
	// postsTell is how many such in a row tell it.
	postsTell = 5
)

// Post is a status that a node's kubelet posted.
type Post struct {
	// Says is its heartbeat, by the kubelet's clock, Seen when it entered the state that is shown.
	Says, Seen model.Instant
	// Same says that nothing that is read of the Node differs from the version before it.
	Same bool
}

// PostOf is the status that a version of a Node brings; ok is false where it brings none, as what others write.
// before is the version before it; nil where none is known.
func PostOf(before *model.Node, ch *model.Change) (post Post, ok bool) {
	is, was := heartbeat(ch.Node), heartbeat(before)
	if !is.Bounded() || is == was {
		return post, false
	}
	return Post{Says: is, Seen: ch.Effective(), Same: before != nil && ch.Node.SameButHeartbeats(before)}, true
}

// heartbeat is that of the status of a Node; unknown of none.
func heartbeat(n *model.Node) model.Instant {
	if n == nil || n.Ready() == nil {
		return 0
	}
	return n.Ready().Posted()
}

// Pace finds how often a kubelet posts its status while nothing changes in it. A status in which something changed
// is posted at once, whatever the kubelet's configuration, and tells nothing. The zero value knows nothing.
type Pace struct {
	last    model.Instant
	run     run
	longest run
}

// run is statuses in a row in which nothing changed, evenly apart.
type run struct {
	times int32
	over  time.Duration
}

func (r run) every() time.Duration { return r.over / time.Duration(max(r.times, 1)) }

// Put takes in a post, in order.
func (p *Pace) Put(post Post) {
	apart := post.Says.Sub(p.last)
	first := !p.last.Known()
	p.last = post.Says
	switch {
	case first:
	case apart > postsOften: // whatever it did before, it does so no more; or nobody saw the ones between
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

// Often says that the status is posted often though nothing changes in it: every so often, and how many times in a
// row that was seen. ok is false where it is not, or too little was seen to tell.
func (p *Pace) Often() (every time.Duration, times int, ok bool) {
	return p.longest.every().Round(time.Second), int(p.longest.times), p.longest.times >= postsTell
}

// Pace is that of the posts within the window.
func (t *Track) Pace() (p Pace) {
	for _, post := range t.Posts {
		p.Put(post)
	}
	return p
}

// posts keeps the statuses that were posted.
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
