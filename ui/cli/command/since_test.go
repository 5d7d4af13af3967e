package command

import (
	"strings"
	"testing"
)

// TestSinceWhen: a kubelet that returns declares the time of its start as that of its Ready
// condition; what was seen in between is known better.
func TestSinceWhen(t *testing.T) {
	const log = "../../../sources/demo/node-loss/audit.log.zst"
	for line, says := range map[string][2]string{
		"demo node-loss --once --view node --node ip-10-0-2-003 --size 120x36 --at 23:50:46":  {"Ready for 2s", "8m23s   Kubelet"},
		"get nodes demo:node-loss --node ip-10-0-2-003 --at 23:50:46":                         {"2s", "8m23s"},
		"replay " + log + " --once --view node --node ip-10-0-2-003 --size 120x60 --at +200s": {"at least once", "changed  never"},
	} {
		got := kardia(t, nil, line)
		if got.code != OK || !strings.Contains(got.out, says[0]) || strings.Contains(got.out, says[1]) {
			t.Errorf("%s: exit %d\n%s%s", line, got.code, got.out, got.err)
		}
	}
}

// TestASingleFrameShowsWhatIsWorthSeeing: at the start of an audit log no node exists yet.
func TestASingleFrameShowsWhatIsWorthSeeing(t *testing.T) {
	got := kardia(t, nil, "replay ../../../sources/demo/node-loss/audit.log.zst --once --size 120x36")
	if got.code != OK || !strings.Contains(got.out, "declared Unknown") ||
		!strings.Contains(got.err, "when the first node was declared Unknown") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
	got = kardia(t, nil, "replay ../../../sources/demo/node-loss/audit.log.zst --once --size 120x36 --at +10s")
	if got.code != OK || strings.Contains(got.err, "showing") {
		t.Errorf("with --at: exit %d, %s", got.code, got.err)
	}
}
