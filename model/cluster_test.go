package model_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"kardia/model"
)

var noon = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

func renewal(node string, version uint64, at model.Instant) model.Change {
	return model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-node-lease", Name: node},
		Version: version, Time: model.Exactly(at), Arrival: at, Lease: model.Lease{Renewed: at, Seconds: 40, Holder: node}}
}

func TestFoldingARenewalAllocatesNothing(t *testing.T) {
	c := model.NewCluster()
	ch := renewal("a", 1, noon)
	c.Fold(&ch)
	allocated := testing.AllocsPerRun(1000, func() {
		ch.Version++
		ch.Lease.Renewed = ch.Lease.Renewed.Add(10 * time.Second)
		ch.Arrival = ch.Lease.Renewed
		c.Fold(&ch)
	})
	if allocated != 0 {
		t.Errorf("a renewal allocates %v times", allocated)
	}
	if got := c.Node("a").Lease.Renewals; got < 1000 {
		t.Fatalf("only %d renewals were folded: the measurement measures nothing", got)
	}
}

// measured is the memory that build leaves behind, in bytes.
func measured(build func() any) int {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := build()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return int(after.HeapAlloc) - int(before.HeapAlloc)
}

// What is known of a node, what is only shown of it included, stays within 2 KiB.
func TestMemoryOfANodeWithItsLease(t *testing.T) {
	const nodes = 5000
	bytes := measured(func() any {
		c := model.NewCluster()
		var in model.Interner
		for i := range nodes {
			name := fmt.Sprintf("ip-10-0-%d-%d.eu-west-1.compute.internal", i/250, i%250)
			n := &model.Node{UID: in.UID(fmt.Sprintf("%08x-0000-4000-8000-000000000000", i+1)), Created: noon,
				Zone: model.ZoneKey{Region: in.String("eu-west-1"), Zone: in.String("eu-west-1a")}, KubeletVersion: in.String("v1.36.3"),
				ProviderID: fmt.Sprintf("aws:///eu-west-1a/i-%017x", i), Details: model.SplitDetails(managedDetails(i), in.Bytes)}
			kinds := []string{"Ready", "MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"}
			n.Conditions = make([]model.Condition, 0, len(kinds))
			for _, kind := range kinds {
				n.Conditions = append(n.Conditions, model.Condition{Type: kind, Status: model.StatusUnknown, Reason: in.String("NodeStatusUnknown"),
					Message: in.String("Kubelet stopped posting node status."), Transition: noon, Heartbeat: noon})
			}
			n.Taints = []model.Taint{{Key: in.String("node.kubernetes.io/unreachable"), Effect: model.NoExecute, Added: noon},
				{Key: in.String("node.kubernetes.io/unreachable"), Effect: model.NoSchedule, Added: noon}}
			c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: name}, UID: n.UID, Version: uint64(i + 1), Node: n, Time: model.Exactly(noon)})
			ch := renewal(name, uint64(i+1), noon)
			c.Fold(&ch)
		}
		return c
	}) / nodes
	t.Logf("%d bytes a node with its lease and details", bytes)
	if bytes > 2048 {
		t.Errorf("a node with its lease and details takes %d bytes, more than 2 KiB", bytes)
	}
}

// managedDetails are what a node of a managed cloud says of itself.
func managedDetails(i int) []byte {
	l := []model.Detail{
		{"label alpha.eksctl.io/cluster-name", "prod-eu"}, {"label alpha.eksctl.io/nodegroup-name", "workers-1b"}, {"label beta.kubernetes.io/arch", "amd64"}, {"label beta.kubernetes.io/os", "linux"},
		{"label eks.amazonaws.com/capacityType", "SPOT"}, {"label eks.amazonaws.com/nodegroup", "workers-1b"}, {"label eks.amazonaws.com/nodegroup-image", "ami-0f1e2d3c4b5a69788"},
		{"label eks.amazonaws.com/sourceLaunchTemplateId", "lt-0f1e2d3c4b5a69788"}, {"label eks.amazonaws.com/sourceLaunchTemplateVersion", "1"}, {"label k8s.io/cloud-provider-aws", "553bd2ecd1fabb3ba9cbd0e9c4b0b5f1"},
		{"label kubernetes.io/arch", "amd64"}, {"label kubernetes.io/hostname", fmt.Sprintf("ip-10-0-%d-%d.eu-west-1.compute.internal", i/250, i%250)}, {"label kubernetes.io/os", "linux"}, {"label topology.k8s.aws/zone-id", "euw1-az2"}, {"label topology.ebs.csi.aws.com/zone", "eu-west-1b"},
		{"osImage", "Amazon Linux 2023.6.20250107"}, {"kernelVersion", "6.1.119-129.201.amzn2023.x86_64"}, {"containerRuntimeVersion", "containerd://1.7.23"}, {"bootID", fmt.Sprintf("%08x-b2f3-4fd1-9a53-1d6e1f3b9c11", i)}, {"machineID", fmt.Sprintf("ec2%029x", i)}, {"systemUUID", fmt.Sprintf("ec2%05x-27a4-1f11-8a54-2cb5b4a5c7d5", i)},
		{"podCIDR", ""}, {"writer kubelet", "2026-11-20T12:00:00Z"}, {"writer kube-controller-manager", "2026-11-20T12:00:00Z"}, {"writer aws-cloud-controller-manager", "2026-11-20T12:00:00Z"},
		{"address InternalIP", fmt.Sprintf("10.0.%d.%d", i/250, i%250)}, {"address Hostname", fmt.Sprintf("ip-10-0-%d-%d.eu-west-1.compute.internal", i/250, i%250)}, {"address InternalDNS", fmt.Sprintf("ip-10-0-%d-%d.eu-west-1.compute.internal", i/250, i%250)},
		{"capacity cpu", "8"}, {"capacity memory", fmt.Sprintf("%dKi", 32408548+i)}, {"capacity pods", "58"}, {"capacity ephemeral-storage", "83873772Ki"}, {"capacity hugepages-1Gi", "0"}, {"capacity hugepages-2Mi", "0"},
		{"allocatable cpu", "7910m"}, {"allocatable memory", fmt.Sprintf("%dKi", 31391716+i)}, {"allocatable pods", "58"}, {"allocatable ephemeral-storage", "76224326324"}, {"allocatable hugepages-1Gi", "0"}, {"allocatable hugepages-2Mi", "0"},
	}
	return model.PackDetails(l, nil)
}

func TestMemoryOfAPod(t *testing.T) {
	const pods = 50_000
	names := make([]string, pods)
	for i := range names {
		names[i] = fmt.Sprintf("web-%08d", i)
	}
	bytes := measured(func() any {
		c := model.NewCluster()
		var in model.Interner
		seconds := model.Some(int64(300))
		for i, name := range names {
			key := model.Key{Namespace: in.String("default"), Name: name}
			p := &model.Pod{Key: key, UID: in.UID(fmt.Sprintf("%08x-0000-4000-8000-000000000000", i+1)), Node: in.String(fmt.Sprintf("n%d", i%1500)),
				Created: noon, ReadySince: noon, Phase: model.PhaseRunning, Ready: model.StatusTrue, Owner: in.Owner("ReplicaSet", fmt.Sprintf("web-%d", i%300)),
				Tolerations: in.Tolerations([]model.Toleration{{Key: "node.kubernetes.io/not-ready", Operator: "Exists", Effect: model.NoExecute, Seconds: seconds},
					{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Effect: model.NoExecute, Seconds: seconds}})}
			c.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: key, UID: p.UID, Pod: p, Time: model.Exactly(noon)})
		}
		return c
	}) / pods
	t.Logf("%d bytes a pod beyond its name", bytes)
	if bytes > 256 {
		t.Errorf("a pod takes %d bytes beyond its name, more than 256", bytes)
	}
}

// fleet is a cluster of n nodes in three zones, each with a lease renewed at noon.
func fleet(n int) *model.Cluster {
	c := model.NewCluster()
	for i := range n {
		name := fmt.Sprintf("node-%04d", i)
		c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: name}, Version: 1, Time: model.Exactly(noon),
			Node: &model.Node{Zone: model.ZoneKey{Zone: "zone-" + string(rune('a'+i%3))}, Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Transition: noon}}}})
		ch := renewal(name, 2, noon)
		c.Fold(&ch)
	}
	return c
}

func BenchmarkFoldRenewals(b *testing.B) {
	c := fleet(5000)
	changes := make([]model.Change, 5000)
	for i := range changes {
		changes[i] = renewal(fmt.Sprintf("node-%04d", i), 3, noon.Add(10*time.Second))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		ch := &changes[i%len(changes)]
		ch.Version++
		ch.Lease.Renewed++
		ch.Arrival++
		c.Fold(ch)
	}
}

func BenchmarkZones(b *testing.B) {
	c := fleet(5000)
	b.ReportAllocs()
	for b.Loop() {
		c.Zones(noon)
	}
}

func BenchmarkClone(b *testing.B) {
	c := fleet(5000)
	b.ReportAllocs()
	for b.Loop() {
		c.Clone()
	}
}
