package command

import (
	"kardia/model"
	"kardia/sources/bookmarks"
	"kardia/sources/open"
)

// carryMarks writes a person's marks beside a recording made of others. It reports an error, and does not fail.
func (r *run) carryMarks(opened *open.Opened, paths []string, window model.Interval, output string) {
	n, err := bookmarks.Carry(paths, opened.Marks(), window, output)
	if err != nil {
		r.say("%v", err)
	}
	if n > 0 {
		what := "marks"
		if n == 1 {
			what = "mark"
		}
		r.say("%s: %d %s", output+bookmarks.Suffix, n, what)
	}
}
