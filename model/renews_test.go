package model

import "testing"

// TestRenews: what a kubelet wrote to its lease renews it, also where nothing but the request was seen; what others wrote does not.
func TestRenews(t *testing.T) {
	const renewed, arrived = Instant(10e9), Instant(12e9)
	for name, c := range map[string]struct {
		ch   Change
		want Instant
	}{
		"seen":                 {Change{Op: OpModify, Lease: Lease{Renewed: renewed}}, renewed},
		"made":                 {Change{Op: OpAdd, Lease: Lease{Renewed: renewed}}, renewed},
		"request alone":        {Change{Op: OpModify, Writer: WriterKubelet, Code: 200}, arrived},
		"creation alone":       {Change{Op: OpAdd, Writer: WriterKubelet, Code: 201}, arrived},
		"by whom is not known": {Change{Op: OpModify}, arrived},
		"by a person":          {Change{Op: OpModify, Writer: WriterPerson, Code: 200}, 0},
		"refused":              {Change{Op: OpAttempt, Writer: WriterKubelet, Code: 409}, 0},
		"deleted":              {Change{Op: OpDelete, Writer: WriterKubelet, Code: 200}, 0},
		"without renewTime":    {Change{Op: OpModify, Writer: WriterKubelet, Code: 200, Lease: Lease{Seconds: 40}}, 0},
	} {
		ch := c.ch
		ch.Kind, ch.Key, ch.Arrival = KindNodeLease, Key{NodeLeaseNamespace, "a"}, arrived
		if ch.Renews() != (c.want != 0) || ch.RenewedAt() != c.want {
			t.Errorf("%s: renews %v, at %v", name, ch.Renews(), ch.RenewedAt())
		}
		cluster := NewCluster()
		cluster.Fold(&ch)
		if heard := cluster.Row("a") != nil && cluster.Row("a").Lease.Heard.Known(); heard != (c.want != 0) {
			t.Errorf("%s: heard %v", name, heard)
		}
	}
}
