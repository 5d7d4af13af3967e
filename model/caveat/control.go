package caveat

import "kardia/model/infer"

// standing are the reasons why the controllers do not act, explaining ones first. One without Since does not hold.
func standing(s *infer.State) [4]Caveat {
	return [...]Caveat{{Reason: NoLeader, Since: s.Unled}, {Reason: MaybeNoLeader, Since: s.Unrenewed}, {Reason: Overdue, Since: s.Overdue.Since}, {Reason: Behind, Since: s.Undone}}
}

// Holding is the reason why the controllers act at no known time, the one that explains others; ok is false if none.
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
