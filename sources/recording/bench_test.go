package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
)

// beats are the renewals of a cluster over some minutes as a live watch brings them: the kubelet's
// own rhythm of ten seconds with a jitter of 0 to 4 %, a PUT of a few milliseconds, and a watch a
// few milliseconds behind it. renewTime is exact to the microsecond.
func beats(nodes int, length time.Duration) []model.Change {
	random := rand.New(rand.NewPCG(1, 2))
	var changes []model.Change
	for n := range nodes {
		name := fmt.Sprintf("ip-10-%d-%d-%d.eu-west-1.compute.internal", n/62500, n/250%250, n%250)
		uid := model.ParseUID(fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", random.Uint32(), random.Uint32()&0xffff, random.Uint32()&0xfff, random.Uint32()&0xfff, random.Uint64()&(1<<48-1)), nil)
		created := noon.Add(-time.Duration(n) * time.Minute).Truncate(1e9)
		for at := noon.Add(time.Duration(random.Float64() * float64(10*time.Second))); at < noon.Add(length); {
			put := time.Duration((3 + random.ExpFloat64()*4) * float64(time.Millisecond))
			written := at.Add(put)
			arrival := written.Add(time.Duration((1 + random.ExpFloat64()*2) * float64(time.Millisecond)))
			changes = append(changes, model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: name}, UID: uid,
				Time: model.Interval{Earliest: written.Truncate(1e9), Latest: arrival}, Arrival: arrival, At: arrival, Origin: model.Origin{Source: 1},
				Lease: model.Lease{UID: uid, Created: created, Renewed: at.Truncate(1e3), Holder: name, Seconds: 40}})
			at = at.Add(put + time.Duration((1+0.04*random.Float64())*float64(10*time.Second)))
		}
	}
	slices.SortFunc(changes, func(a, b model.Change) int { return int(a.At - b.At) })
	version := uint64(948_271_034)
	for i := range changes {
		version++
		if random.IntN(20) == 0 {
			version += uint64(random.IntN(4)) // something else was written
		}
		changes[i].Version = version
	}
	return changes
}

// recordLive writes Changes as a recorder does: a flush every five seconds.
func recordLive(b testing.TB, changes []model.Change) []byte {
	var file bytes.Buffer
	w, err := Create(&file, Meta{Tool: "kardia", Sources: []history.Source{{}, {}}}, Options{ArrivalUnit: time.Millisecond})
	if err != nil {
		b.Fatal(err)
	}
	next := changes[0].Effective().Add(5 * time.Second)
	for i := range changes {
		if changes[i].Effective() >= next {
			w.Cover(next)
			if err := w.Flush(); err != nil {
				b.Fatal(err)
			}
			next = next.Add(5 * time.Second)
		}
		if err := w.Add(&changes[i]); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return file.Bytes()
}

// packed rewrites a recording, as closing its file does.
func packed(b testing.TB, data []byte) []byte {
	f, err := Bytes(data, "live")
	if err != nil {
		b.Fatal(err)
	}
	var file bytes.Buffer
	w, err := Create(&file, f.Meta(), Options{Packed: true})
	if err != nil {
		b.Fatal(err)
	}
	if err := w.Copy(f); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return file.Bytes()
}

// jsonLines is the same as one JSON object a line, compressed.
func jsonLines(b testing.TB, changes []model.Change) []byte {
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		b.Fatal(err)
	}
	for i := range changes {
		ch := &changes[i]
		line, err := json.Marshal(map[string]any{"type": "MODIFIED", "arrival": ch.Arrival.Truncate(1e6).String(), "object": map[string]any{
			"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
			"metadata": map[string]any{"name": ch.Key.Name, "namespace": ch.Key.Namespace, "uid": ch.UID.String(), "resourceVersion": fmt.Sprint(ch.Version), "creationTimestamp": ch.Lease.Created.String(),
				"managedFields": []any{map[string]any{"manager": "kubelet", "operation": "Update", "time": ch.Time.Earliest.String()}}},
			"spec": map[string]any{"holderIdentity": ch.Lease.Holder, "leaseDurationSeconds": ch.Lease.Seconds, "renewTime": ch.Lease.Renewed.String()}}})
		if err != nil {
			b.Fatal(err)
		}
		_, _ = z.Write(append(line, '\n'))
	}
	if err := z.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

const (
	benchNodes  = 5000
	benchLength = 6 * time.Minute
)

// BenchmarkBytesPerRenewal compares sizes. What a file needs once (5,000 objects' identities, twice) is
// left out by taking the difference of two lengths: it is a hundredth of a byte in a day's file.
func BenchmarkBytesPerRenewal(b *testing.B) {
	changes := beats(benchNodes, 2*benchLength)
	half := len(changes) / 2
	for b.Loop() {
		live, liveHalf := recordLive(b, changes), recordLive(b, changes[:half])
		more := float64(len(changes) - half)
		b.ReportMetric(float64(len(live)-len(liveHalf))/more, "B/renewal-recording")
		b.ReportMetric(float64(len(packed(b, live))-len(packed(b, liveHalf)))/more, "B/renewal-closed")
		b.ReportMetric(float64(len(jsonLines(b, changes[:half/4])))/float64(half/4), "B/renewal-jsonl+zstd")
	}
	b.ReportMetric(float64(len(changes)), "renewals")
}

func perRenewal(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/renewal")
}

func BenchmarkWriteRenewals(b *testing.B) {
	changes := beats(benchNodes, time.Minute)
	b.ReportAllocs()
	for b.Loop() {
		recordLive(b, changes)
	}
	perRenewal(b, len(changes))
}

func BenchmarkReadRenewals(b *testing.B) {
	changes := beats(benchNodes, 3*time.Minute)
	data := packed(b, recordLive(b, changes))
	b.ReportAllocs()
	for b.Loop() {
		f, err := Bytes(data, "packed")
		if err != nil {
			b.Fatal(err)
		}
		state := model.NewCluster()
		for at := 0; at < len(changes); {
			page := f.PageAt(at)
			read, err := historytest.ReadChanges(f, page)
			if err != nil {
				b.Fatal(err)
			}
			for i := range read {
				state.Fold(&read[i])
			}
			at = page.End
		}
	}
	perRenewal(b, len(changes))
}

// BenchmarkReadCondensed reads the same as a Cursor does, which folds it, and as who asks for no renewals.
func BenchmarkReadCondensed(b *testing.B) {
	changes := beats(benchNodes, 3*time.Minute)
	f, err := Bytes(packed(b, recordLive(b, changes)), "packed")
	if err != nil {
		b.Fatal(err)
	}
	for name, condensed := range map[string]history.Condensed{"all": {}, "without renewals": {WithoutRenewals: true}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for at := 0; at < len(changes); at = condensed.End {
					if err := f.Read(f.PageAt(at), &condensed); err != nil {
						b.Fatal(err)
					}
				}
			}
			perRenewal(b, len(changes))
		})
	}
}

// podLives are pods that come and go, with the versions that the scheduler and the kubelet make of them.
func podLives(pods int) []model.Change {
	random := rand.New(rand.NewPCG(5, 6))
	tolerations := &model.Tolerations{
		{Key: "node.kubernetes.io/not-ready", Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(int64(300))},
		{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(int64(300))},
	}
	var changes []model.Change
	for n := range pods {
		owner := &model.Owner{Kind: "ReplicaSet", Name: fmt.Sprintf("web-%d", n/10)}
		key := model.Key{Namespace: "team-" + fmt.Sprint(n%20), Name: fmt.Sprintf("%s-%05x", owner.Name, random.Uint32N(1<<20))}
		uid := model.ParseUID(fmt.Sprintf("%08x-0000-4000-8000-%012x", random.Uint32(), random.Uint64N(1<<48)), nil)
		at := noon.Add(time.Duration(random.Int64N(int64(20 * time.Second)))).Truncate(1e6)
		pod := model.Pod{Key: key, UID: uid, Created: at.Truncate(1e9), Owner: owner, Tolerations: tolerations, GraceSeconds: 30, Phase: model.PhasePending}
		op := model.OpAdd
		for _, step := range []func(){func() {}, func() { pod.Node = fmt.Sprintf("ip-10-0-%d-%d", random.IntN(20), random.IntN(250)) },
			func() { pod.Ready, pod.ReadySince = model.StatusFalse, at.Truncate(1e9) }, func() { pod.Phase = model.PhaseRunning },
			func() { pod.Ready, pod.ReadySince = model.StatusTrue, at.Truncate(1e9) }} {
			step()
			version := pod
			changes = append(changes, model.Change{Kind: model.KindPod, Op: op, Key: key, UID: uid, Arrival: at, Time: model.Interval{Earliest: at.Truncate(1e9), Latest: at}, Pod: &version})
			op = model.OpModify
			at = at.Add(time.Duration(random.Int64N(int64(8 * time.Second)))).Truncate(1e6)
		}
	}
	slices.SortStableFunc(changes, func(a, b model.Change) int { return int(a.Arrival - b.Arrival) })
	for i := range changes {
		changes[i].Version = uint64(948_271_034 + 7*i)
	}
	return changes
}

// BenchmarkReadPods reads rows in JSON, which pods are.
func BenchmarkReadPods(b *testing.B) {
	changes := podLives(5000)
	data := packed(b, recordLive(b, changes))
	b.ReportAllocs()
	for b.Loop() {
		f, err := Bytes(data, "packed")
		if err != nil {
			b.Fatal(err)
		}
		page := history.Condensed{Full: true}
		for at := 0; at < len(changes); at = page.End {
			if err := f.Read(f.PageAt(at), &page); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(data))/float64(len(changes)), "B/version")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(changes)), "ns/version")
}

func BenchmarkSeekAnywhere(b *testing.B) {
	data := packed(b, recordLive(b, beats(benchNodes, 2*benchLength)))
	f, err := Bytes(data, "packed")
	if err != nil {
		b.Fatal(err)
	}
	cursor := history.NewCursor(f)
	random := rand.New(rand.NewPCG(3, 4))
	b.ReportAllocs()
	for b.Loop() {
		if err := cursor.Seek(noon.Add(time.Duration(random.Int64N(int64(2 * benchLength))))); err != nil {
			b.Fatal(err)
		}
	}
}
