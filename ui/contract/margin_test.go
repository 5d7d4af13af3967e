package contract_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"kardia/model/explain/margin"
	"kardia/ui/contract"
	"kardia/ui/render"
)

// Statuses that are posted too often are a line of the table and numbers in the JSON; where none are, neither says a
// rhythm.
func TestMarginCountsStatusesPostedOften(t *testing.T) {
	table := func(m *margin.Margin) string {
		var b bytes.Buffer
		if err := render.Text(&b, contract.MarginOf(m, 50*time.Second, nil).Doc(false), render.Page{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const says = "STATUS  status posted every 10s by 3 of 4 nodes though nothing changes in it: "
	m := &margin.Margin{Posting: margin.Posting{Nodes: 3, Of: 4, Every: 10 * time.Second, Writes: 17.64, Meant: 0.6}}
	if text := table(m); !strings.Contains(text, says) || !strings.Contains(text, "etcd writes 18 a minute, not 1") {
		t.Errorf("it says\n%s", text)
	}
	if p := contract.MarginOf(m, 0, nil).Posting; p.Nodes != 3 || p.Of != 4 || p.Every.Value != 10*time.Second || p.Writes != 17.6 || p.Meant != 0.6 {
		t.Errorf("in JSON: %+v", p)
	}
	none := &margin.Margin{Posting: margin.Posting{Of: 4}}
	if text := table(none); strings.Contains(text, "STATUS") || contract.MarginOf(none, 0, nil).Posting.Every.Known {
		t.Errorf("of none it says\n%s", text)
	}
}
