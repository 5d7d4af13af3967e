package caveat

import "kardia/model/infer"

// standing are the reasons why the controllers do not do what they must, the one that explains the others first; those of
// which Since is unknown do not hold.
func standing(s *infer.State) [4]Caveat {
	return [...]Caveat{{Reason: NoLeader, Since: s.Unled}, {Reason: MaybeNoLeader, Since: s.Unrenewed}, {Reason: Overdue, Since: s.Overdue.Since}, {Reason: Behind, Since: s.Undone}}
}

// Holding is the reason why the controllers act at no known time. If several hold, it is the one that explains the others.
// ok is false if they act, or nothing is known of them.
func Holding(s *infer.State) (c Caveat, ok bool) {
	if s == nil {
		return c, false
	}
	for _, c := range standing(s) {
		if c.Since.Known() {
			return c, true
		}
	}
	return c, false
}

// control are the caveats of the controllers.
func (v View) control() (list List) {
	s := v.Controllers
	if s == nil {
		return nil
	}
	for _, c := range standing(s) {
		if c.Reason == Overdue {
			c.Omits = s.Overdue.Omits()
		}
		if c.Since.Known() {
			list = append(list, c)
		}
	}
	if s.Continued.Known() {
		list = append(list, Caveat{Reason: Continued, Since: s.Continued.Earliest, Until: s.Continued.Latest})
	}
	for _, r := range s.SupposedRestarts {
		list = append(list, Caveat{Reason: Restarted, Since: r.Earliest, Until: r.Latest})
	}
	return list
}
