package identity

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"

	"kardia/model"
)

// life is the time in which an object is known to have existed under one UID.
type life struct {
	uid model.UID
	where
	born, last model.Instant
	// gone is its deletion; FarFuture if not shown.
	gone model.Instant
}

func (l *life) ends() model.Instant { return min(l.last, l.gone) }

func (in *Inputs) live(s *Sighting) {
	if !s.UID.Known() {
		return
	}
	of := model.ObjectID{Kind: s.Kind, Key: s.Key}
	all := in.lives[of]
	if all == nil {
		all = map[model.UID]*life{}
		in.names, in.lives[of] = append(in.names, of), all
	}
	is := all[s.UID]
	if is == nil {
		is = &life{uid: s.UID, where: s.where(), gone: model.FarFuture}
		all[s.UID] = is
	}
	is.born = earlier(is.born, s.Created)
	if s.Op == model.OpDelete && s.Time.Latest.Known() && s.Time.Latest.Bounded() {
		is.gone = min(is.gone, s.Time.Latest) // whatever a kubelet's clock reports that is ahead
	}
	is.last = max(is.last, s.Created, s.Stamped)
}

// checkLives searches two objects of one name that lived at the same time.
func (in *Inputs) checkLives() {
	for _, of := range in.names {
		if a, b := clash(in.lives[of]); a != nil {
			if b.where.precedes(a.where) {
				a, b = b, a
			}
			in.contradicts(a.where, b.where, fmt.Sprintf("%s has UID %s in the one and %s in the other, at the same time", of, a.uid, b.uid))
			return
		}
	}
}

func (w where) precedes(o where) bool {
	return cmp.Or(cmp.Compare(w.source, o.source), cmp.Compare(w.line, o.line)) < 0
}

// clash finds two lives that overlap by more than skew; nil if there are none. In the order of birth each is compared
// only with the longest before.
func clash(of map[model.UID]*life) (a, b *life) {
	if len(of) < 2 {
		return nil, nil
	}
	all := slices.SortedFunc(maps.Values(of), func(a, b *life) int {
		return cmp.Or(cmp.Compare(a.born, b.born), cmp.Compare(a.source, b.source), cmp.Compare(a.line, b.line))
	})
	all = slices.DeleteFunc(all, func(l *life) bool { return !l.born.Known() })
	longest := make([]*life, len(all)) // of all[:i+1], the one that ends last
	for i, l := range all {
		if longest[i] = l; i > 0 && longest[i-1].ends() >= l.ends() {
			longest[i] = longest[i-1]
		}
		n := i // those born early enough before the end of l
		if l.born.Add(skew) >= l.ends() {
			n = sort.Search(i, func(k int) bool { return all[k].born.Add(skew) >= l.ends() })
		}
		if n > 0 && l.born.Add(skew) < longest[n-1].ends() {
			return longest[n-1], l
		}
	}
	return nil, nil
}
