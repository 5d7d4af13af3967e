package topics_test

import (
	"testing"
	"time"

	"kardia/model/explain/problem"
	"kardia/ui/topics"
)

func TestProblem(t *testing.T) {
	for _, c := range []struct {
		problem     problem.Problem
		says, brief string
	}{
		{problem.Problem{Kind: problem.Condition, Name: "DiskPressure", Status: "True"}, "DiskPressure=True", "DiskPressure"},
		{problem.Problem{Kind: problem.StaleStatus, For: 570 * time.Second}, "posted no status for 9m30s, and renews its lease", "old status"},
		{problem.Problem{Kind: problem.Flapping, N: 2, For: 15 * time.Minute}, "stopped being Ready 2 times in 15m00s", "flaps 2x"},
		{problem.Problem{Kind: problem.StaleCondition, Name: "KernelDeadlock", For: 39 * time.Minute}, "KernelDeadlock is old: its owner has not posted it for 39m00s", "KernelDeadlock is old"},
		{problem.Problem{Kind: problem.Failing, N: 4, All: 7, For: 2 * time.Minute}, "4 of its 7 pods are not ready, for 2m00s or more", "pods not ready"},
		{problem.Problem{Kind: problem.Clock, For: -30 * time.Second}, "its clock is 30s behind", "clock behind"},
		{problem.Problem{Kind: problem.Clock, For: 30 * time.Second, Unread: true}, "its renewTime is 30s ahead of when it was read: not known if it is silent", "clock ahead"},
		{problem.Problem{Kind: problem.Holder, Name: "b"}, "its lease is held by b", "lease of another"},
	} {
		if says, brief := topics.Problem(&c.problem).String(), topics.ProblemShort(&c.problem).String(); says != c.says || brief != c.brief {
			t.Errorf("%q, %q; want %q, %q", says, brief, c.says, c.brief)
		}
	}
}
