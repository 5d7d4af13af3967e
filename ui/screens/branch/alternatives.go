package branch

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/kubelet"
	"kardia/model/simulate/alternative"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
)

// named is what an alternative is called.
func named(p *paint.Painter, a *alternative.Alternative) string {
	switch a.Kind {
	case alternative.Returns:
		return "it returns now, Ready"
	case alternative.ReturnsUnready:
		return "it returns now, still not ready"
	case alternative.OneMore:
		if a.Node == "" {
			return "one more node fails"
		}
		return p.Middle(p.Text(a.Node), 20) + " fails too"
	case alternative.Cordon:
		return "it is cordoned"
	case alternative.Longer:
		return "its pods tolerate it for 1h"
	case alternative.Forever:
		return "its pods tolerate it forever"
	case alternative.NoRate:
		return "restart with eviction rate 0"
	}
	return "marked out of service"
}

// The columns of the alternatives.
const (
	nameWidth, countWidth, nextWidth = 32, 20, 12
	oneLine                          = nameWidth + countWidth + nextWidth + 30 // from which width on the rest is beside them
)

// alternatives are what would come of what may happen to a node.
func (t *text) alternatives(s *screen.Snapshot, node string) {
	var tried *alternative.Tried
	if s.Alternatives != nil {
		tried = s.Alternatives(node)
	}
	switch {
	case tried == nil && s.Controllers().Status() != "":
		t.say(themes.Dim, "no result: "+s.Controllers().Status())
		return
	case tried == nil:
		t.say(themes.Dim, "simulating the options")
		return
	case s.Unread(model.KindPod) != "":
		t.say(themes.Warn, "deletions unknown: pods are "+s.Unread(model.KindPod))
		return
	case len(tried.List) == 0:
		t.say(themes.Dim, "the options cannot be simulated here")
		return
	}
	l := t.p.Line(t.w).Skip(2).Left(themes.Faint, "IF", nameWidth).Left(themes.Faint, "PODS DELETED", countWidth).Left(themes.Faint, "FIRST IN", nextWidth)
	if t.w >= oneLine {
		l.Put(themes.Faint, "OTHERWISE")
	}
	t.rows = append(t.rows, l.Row())
	t.alternative(s, "unchanged", &tried.Stands, "", themes.Text)
	for i := range tried.List {
		a := &tried.List[i]
		if a.Missing != "" {
			rest := a.Missing
			if a.Kind == alternative.OneMore {
				rest += "; in a branch (b) any node may fail"
			}
			t.alternative(s, named(t.p, a), nil, rest, themes.Dim)
			continue
		}
		t.alternative(s, named(t.p, a), &a.Losses, otherwise(t.p, a, &tried.Stands), themes.Predicted)
	}
	t.say(themes.Dim, "Each option is simulated from "+t.p.Clock(tried.At)+" on by itself: silent nodes stay silent, nothing else changes, and a restart takes no time. If nothing else is listed, a returning node "+kubelet.SaysReady+". "+
		"Kardia changes nothing: Y copies the commands. The restart has none: --node-eviction-rate is set where kube-controller-manager is started, which a managed control plane may not allow.")
}

// alternative is a row of the table, or two if one has no room.
func (t *text) alternative(s *screen.Snapshot, name string, o *alternative.Losses, rest string, token themes.Token) {
	count, next := "", ""
	if o != nil {
		count = counted(o)
		if o.Next.Known() {
			next = t.p.Ahead(s.From(), o.Next)
		}
	}
	l := t.p.Line(t.w).Skip(2).Left(token, name, nameWidth).Left(themes.Text, count, countWidth).Left(themes.Text, next, nextWidth)
	if t.w < oneLine {
		if t.rows = append(t.rows, l.Row()); rest != "" {
			for _, part := range paint.Fold(t.p.Text(rest), max(t.w-6, 8)) {
				t.rows = append(t.rows, t.p.Line(t.w).Skip(4).Put(themes.Dim, part).Row())
			}
		}
		return
	}
	for i, part := range paint.Fold(t.p.Text(rest), max(t.w-l.Width(), 8)) {
		if i > 0 {
			l = t.p.Line(t.w).Skip(2 + nameWidth + countWidth + nextWidth)
		}
		t.rows = append(t.rows, l.Put(themes.Dim, part).Row())
	}
}

// counted is how many pods are deleted: for certain, and at most; or how many of those to which it may come.
func counted(o *alternative.Losses) string {
	switch {
	case o.Possible == 0:
		return strconv.Itoa(o.Certain)
	case o.Least == o.Most:
		return fmt.Sprintf("%d of %d", o.Certain+o.Most, o.Certain+o.Possible)
	case o.Least > 0 || o.Most < o.Possible:
		return fmt.Sprintf("%d to %d of %d", o.Certain+o.Least, o.Certain+o.Most, o.Certain+o.Possible)
	}
	return fmt.Sprintf("%d, at most %d", o.Certain, o.Certain+o.Most)
}

// atOnce is how many pods are deleted at once, and how many of them would stay if nothing changed; later are the others
// that would stay.
func atOnce(a *alternative.Alternative) (said string, later []model.Key) {
	var lost []model.Key
	for _, key := range a.Lost {
		if slices.Contains(a.Now, key) {
			lost = append(lost, key)
		} else {
			later = append(later, key)
		}
	}
	switch n := len(a.Now); {
	case n == 0:
		return "", later
	case n == 1:
		said = "1 pod is deleted at once"
	default:
		said = fmt.Sprintf("%d pods are deleted at once", n)
	}
	switch n := len(lost); {
	case n > 0 && n == len(a.Now):
		said += ", and would stay unchanged"
	case n > 0:
		said += fmt.Sprintf(", %d of which would stay unchanged", n)
	}
	if len(lost) == 1 || len(a.Now) == 1 {
		said += " (" + cmp.Or(append(lost, a.Now...)...).String() + ")"
	}
	return said, later
}

// otherwise is the differences from the unchanged run.
func otherwise(p *paint.Painter, a *alternative.Alternative, stands *alternative.Losses) string {
	var list []string
	add := func(keys []model.Key, one, many string) {
		switch n := len(keys); {
		case n == 1:
			list = append(list, "1 pod "+one+" ("+keys[0].String()+")")
		case n > 1:
			list = append(list, fmt.Sprintf("%d pods %s", n, many))
		}
	}
	// Who may be deleted either way, and surely is then, is named nowhere: a race decides which it would have been.
	if least := a.Certain + a.Least - stands.Certain - stands.Most; least > len(a.Lost)+len(a.MayLose) {
		list = append(list, between(p, least, a.Certain+a.Most-stands.Certain-stands.Least)+" more are deleted than if unchanged")
	}
	add(a.Spared, "is spared", "are spared")
	raced := len(a.MaySpare) + len(a.MayLose) // pods of which a race decides which go
	among := raced > 1 && raced == a.Possible && a.Most < raced
	switch {
	case among && len(a.MayLose) == 0:
		list = append(list, fmt.Sprintf("all but %s of %d pods are spared, a race decides which", between(p, a.Least, a.Most), raced))
	case among && len(a.MaySpare) == 0:
		list = append(list, fmt.Sprintf("%s of %d pods that would stay are deleted, a race decides which", between(p, a.Least, a.Most), raced))
	case among:
		list = append(list, fmt.Sprintf("%s of %d pods are deleted, a race decides which; unchanged, %d of them would be", between(p, a.Least, a.Most), raced, len(a.MaySpare)))
	default:
		add(a.MaySpare, "is possibly spared", "are possibly spared")
	}
	now, stay := atOnce(a)
	if now != "" {
		list = append(list, now)
	}
	add(stay, "that would stay is deleted", "that would stay are deleted")
	if !among {
		add(a.MayLose, "that would stay is possibly deleted", "that would stay are possibly deleted")
	}
	add(slices.DeleteFunc(slices.Clone(a.Sooner), func(key model.Key) bool { return slices.Contains(a.Now, key) }), "is deleted sooner", "are deleted sooner")
	add(a.Later, "is deleted later", "are deleted later")
	add(a.Ends, "that is Terminating ends", "that are Terminating end")
	if a.Kind == alternative.NoRate && a.Most < a.Possible {
		list = append(list, "one node per zone is still tainted: a restarted controller starts with one token; which node is a race")
	}
	if a.Zone != a.AsIs {
		list = append(list, "its zone ends as "+topics.ZoneState(a.Zone).String())
	}
	switch {
	case len(list) > 0:
		return strings.Join(list, "; ")
	case a.Kind == alternative.Cordon:
		return "nothing: it keeps new pods away, and stops no deletion"
	case a.Kind == alternative.Longer && a.Next.Earliest.Sub(stands.Next.Earliest) > time.Second:
		return "evictions come later: no countdown has started, so a longer toleration still takes effect"
	case a.Kind == alternative.Longer:
		return "nothing: a longer toleration cannot extend a running countdown"
	}
	return "nothing"
}
