package open

import (
	"fmt"

	"kardia/sources/read/entries"
	"kardia/sources/read/input"
	"kardia/sources/read/prometheus"
)

func (b *builder) samples(f input.File, r *input.Reader, _ []byte) error {
	source := b.source(f.Path, "prometheus")
	reader := prometheus.NewReader(source, b.options.LookBack)
	b.lines(source, entries.New(r, prometheus.IsSeries), reader.Series)
	read := reader.End()
	b.sources[source].Statements, b.sources[source].Spoken = len(read.Statements), read.Coverage
	switch {
	case read.Used == 0:
		b.problem(source, 0, 0, "no series in it is about nodes' health; "+prometheusSays)
	case read.Other > 0:
		b.note(source, fmt.Sprintf("%d series of %d contain nothing that Kardia reads; %s", read.Other, read.Used+read.Other, prometheusSays))
	}
	if read.Dropped > 0 {
		b.problem(source, 0, 0, fmt.Sprintf("it says more than %d things of nodes; %d later ones were left out", prometheus.MaxStatements, read.Dropped))
	}
	all := &b.sampled
	all.Statements, all.Coverage = append(all.Statements, read.Statements...), all.Coverage.Spanning(read.Coverage)
	all.Used, all.Other = all.Used+read.Used, all.Other+read.Other
	return nil
}

const prometheusSays = "read are kube_node_status_condition of Ready, kube_node_spec_taint, kube_lease_renew_time, node_collector_unhealthy_nodes_in_zone and up"
