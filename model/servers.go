package model

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// Details of the API servers' own leases; times are in the form time.RFC3339Nano.
const (
	DetailHolder    = "holder"
	DetailRenewed   = "renewed"
	DetailLasts     = "lasts"     // leaseDurationSeconds
	DetailHost      = "host"      // the machine, by a label
	DetailComponent = "component" // its API server, by a label: others than kube-apiserver may have such leases
)

// ServerLeasePrefix begins the names of those leases in SystemNamespace.
// Source: kubernetes: pkg/controlplane/apiserver, Server.APIServerID.
const ServerLeasePrefix = "apiserver-"

// Server is a kube-apiserver, by its lease. Fields that the source does not show are empty.
type Server struct {
	Lease, Holder, Host string
	// Made is when the lease was created, which outlives the process; Renewed is by the API server's own clock.
	Made, Renewed Instant
	Lasts         time.Duration
}

// Servers are the API servers, in the order of their leases; read is when one was last read, if known.
func (c *Cluster) Servers() (list []Server, read Instant) {
	for key, row := range c.RelatedOf(KindServerLease) {
		of := row.Details.Value
		if component := of(DetailComponent); component != "" && component != "kube-apiserver" {
			continue
		}
		seconds, _ := strconv.ParseInt(of(DetailLasts), 10, 32)
		s := Server{Lease: key.Name, Made: row.Created, Holder: of(DetailHolder), Host: of(DetailHost), Renewed: ParseDetailTime(of(DetailRenewed)),
			Lasts: time.Duration(max(seconds, 0)) * time.Second}
		if at := cmp.Or(row.Written.Latest, s.Renewed); at.Bounded() {
			read = max(read, at)
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Server) int { return cmp.Compare(a.Lease, b.Lease) })
	return list, read
}

// after completes a version of such a lease from the one before. A renewal without its object, as at audit level
// Metadata, only shows the renewal: the machine stays the same.
func (r *Related) after(before *Related) *Related {
	_, held := r.Details.Get(DetailHolder)
	if _, hosted := r.Details.Get(DetailHost); held || hosted || r.UID.Known() && before.UID.Known() && r.UID != before.UID {
		return r
	}
	whole := *r
	if !whole.UID.Known() {
		whole.UID = before.UID
	}
	if !whole.Created.Known() {
		whole.Created = before.Created
	}
	list := []Detail{}
	for name, value := range r.Details.All {
		list = append(list, Detail{name, value})
	}
	for name, value := range before.Details.All {
		if _, told := r.Details.Get(name); !told {
			list = append(list, Detail{name, value})
		}
	}
	whole.Details = Details(PackLong(list, nil))
	return &whole
}

// DetailTime is a time as a detail, for ParseDetailTime; "" if it is not bounded.
func DetailTime(t Instant) string {
	if !t.Bounded() {
		return ""
	}
	return t.Time().UTC().Format(time.RFC3339Nano)
}

// ParseDetailTime reads the text of DetailTime; unknown for other text.
func ParseDetailTime(text string) Instant {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0
	}
	return At(t)
}
