package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/foxglove/mcap/go/mcap"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
)

// fileOf is a recording of Changes.
func fileOf(t testing.TB, changes []model.Change, o Options) *File {
	t.Helper()
	var file bytes.Buffer
	w, err := Create(&file, Meta{}, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range changes {
		if err := w.Add(&changes[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := Bytes(file.Bytes(), "test")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// variety is a recording with a Change of every kind, a gap and a mark.
func variety(t testing.TB, o Options) ([]byte, []model.Change) { return varietyWith(t, o, nil) }

// varietyWith adds to it what more says, each some milliseconds after noon.
func varietyWith(t testing.TB, o Options, more func(add func(after int64, ch model.Change))) ([]byte, []model.Change) {
	var file bytes.Buffer
	params := model.Defaults(model.Version{Major: 1, Minor: 36})
	params.NodeEvictionRate = model.Param[float32]{Value: 0.5, From: model.FromFile}
	w, err := Create(&file, Meta{Tool: "kardia v1.0.0", Name: "golden", ServerVersion: "v1.36.3", Params: &params, Clock: "recorder", Redaction: "slim", Removed: map[string]int{"label": 3},
		Segment: 2, Continues: "before.mcap", Sources: []history.Source{{Path: "nodes", Format: "live", Problems: []history.Problem{{Path: "nodes", Line: 3, What: "a broken line"}}}, {Path: "leases", Format: "live"}}}, o)
	if err != nil {
		t.Fatal(err)
	}
	w.Cover(noon)
	uid := func(s string) model.UID {
		return model.ParseUID("5f0e0000-0000-4000-8000-0000000000"+s, nil)
	}
	seconds := model.Tolerations{{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(int64(300))}}
	var changes []model.Change
	add := func(after int64, ch model.Change) {
		ch.Arrival = noon + model.Instant(after)*1e6
		ch.At, ch.Version = ch.Arrival, uint64(1000+len(changes))
		if ch.Time == (model.Interval{}) {
			ch.Time = model.Interval{Earliest: ch.Arrival.Truncate(1e9), Latest: ch.Arrival}
		}
		changes = append(changes, ch)
		if err := w.Add(&ch); err != nil {
			t.Fatal(err)
		}
	}
	node := func(heartbeat model.Instant, ready model.Status) *model.Node {
		return &model.Node{UID: uid("01"), Created: noon - 3600e9, Zone: model.ZoneKey{Region: "eu", Zone: "eu-1a"}, KubeletVersion: "v1.36.3", OS: "linux", Arch: "amd64", ProviderID: "aws:///i-1",
			Conditions: []model.Condition{{Type: "Ready", Reason: "KubeletReady", Status: ready, Transition: noon - 1000e9, Heartbeat: heartbeat}, {Type: "NetworkUnavailable", Status: model.StatusFalse, Heartbeat: noon - 3600e9}}}
	}
	for beat := range int64(4) {
		base := beat * 10_000
		renewed := noon + model.Instant(base)*1e6 + 1500
		add(base+10, model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: "a"}, UID: uid("02"), Writer: model.WriterKubelet,
			Lease: model.Lease{UID: uid("02"), Created: noon - 3600e9, Renewed: renewed, Holder: "a", Seconds: 40}, Origin: model.Origin{Source: 1}})
		add(base+20, model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: "a"}, UID: uid("01"), Writer: model.WriterKubelet, Node: node((noon + model.Instant(base)*1e6).Truncate(1e9), model.StatusTrue)})
		add(base+20, model.Change{Kind: model.KindPod, Op: model.OpModify, Key: model.Key{Namespace: "default", Name: "p"}, UID: uid("03"),
			Pod: &model.Pod{Key: model.Key{Namespace: "default", Name: "p"}, UID: uid("03"), Node: "a", Created: noon - 60e9, ReadySince: noon - 50e9, Ready: model.StatusTrue, Phase: model.PhaseRunning,
				GraceSeconds: 30, Owner: &model.Owner{Kind: "ReplicaSet", Name: "web"}, Tolerations: &seconds}})
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	add(40_000, model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Namespace: "default", Name: "a.1"}, UID: uid("04"),
		Event: &model.Event{UID: uid("04"), Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: "a"}}, Reason: "NodeNotReady", Message: "Node a status is now: NodeNotReady", Component: "node-controller", Count: 1, First: noon, Last: noon}})
	add(40_100, model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-system", Name: "kube-controller-manager"}, Lease: model.Lease{Renewed: noon, Holder: "m_1", Seconds: 15, Transitions: 4}})
	add(40_200, model.Change{Kind: model.KindNodeLease, Op: model.OpAttempt, Code: 409, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: "a"}, Note: "Conflict", Time: model.Interval{Earliest: model.FarPast, Latest: noon + 40_200e6}})
	add(40_300, model.Change{Kind: model.KindNode, Op: model.OpPatch, Key: model.Key{Name: "a"}, Patch: []byte(`{"spec":{"unschedulable":true}}`), Quality: model.ByServer, Origin: model.Origin{Line: 3, Offset: 900}, Also: model.Origin{Source: 1, Line: 7}})
	add(40_400, model.Change{Op: model.OpGap, Time: model.Interval{Earliest: noon + 41e9, Latest: noon + 42e9}, Note: "the watch broke"})
	add(42_000, model.Change{Kind: model.KindPod, Op: model.OpDelete, Key: model.Key{Namespace: "default", Name: "p"}, UID: uid("03")})
	if more != nil {
		more(add)
	}
	if err := w.AddGap(history.Gap{Interval: model.Interval{Earliest: noon + 41e9, Latest: noon + 42e9}, Source: 1, Why: "Lease: the watch broke"}); err != nil {
		t.Fatal(err)
	}
	if err := w.AddMark(past.Bookmark{At: noon + 41e9, Note: "here it began"}); err != nil {
		t.Fatal(err)
	}
	w.Cover(noon + 43e9)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), changes
}

// TestTheOfficialLibraryReadsIt: stock tools list the channels of a recording, and show what is
// JSON.
func TestTheOfficialLibraryReadsIt(t *testing.T) {
	data, changes := variety(t, Options{keyframe: 24})
	reader, err := mcap.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	info, err := reader.Info()
	if err != nil {
		t.Fatal(err)
	}
	if info.Header.Profile != "kardia" {
		t.Error(info.Header)
	}
	topics := map[string]*mcap.Channel{}
	for _, c := range info.Channels {
		topics[c.Topic] = c
		if schema := info.Schemas[c.SchemaID]; schema == nil || schema.Encoding == "jsonschema" && !json.Valid(schema.Data) {
			t.Errorf("%s has the schema %+v", c.Topic, schema)
		}
	}
	for _, c := range channels {
		if topics[c.Topic] == nil || topics[c.Topic].ID != c.ID {
			t.Errorf("%s is not listed as %d", c.Topic, c.ID)
		}
	}
	if info.Statistics.ChunkCount == 0 || len(info.MetadataIndexes) == 0 || len(info.AttachmentIndexes) != 1 {
		t.Errorf("%+v", info.Statistics)
	}
	if m, err := reader.GetMetadata(info.MetadataIndexes[0].Offset); err != nil || m.Metadata["format"] != fmt.Sprint(Format) || m.Metadata["serverVersion"] != "v1.36.3" {
		t.Error(m, err)
	}
	want := 0
	for i := range changes {
		if changes[i].Kind != model.KindNodeLease && changes[i].Kind != model.KindNode {
			want++
		}
	}
	messages, err := reader.Messages(mcap.WithTopics([]string{"/pod", "/event", "/leader", "/change", "/session", "/mark"}))
	if err != nil {
		t.Fatal(err)
	}
	type jsonRow struct {
		Op   string
		Then []jsonRow
	}
	rows := 0
	var m mcap.Message
	for {
		_, channel, _, err := messages.NextInto(&m)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var row jsonRow
		if err := json.Unmarshal(m.Data, &row); err != nil {
			t.Errorf("%s: %v", channel.Topic, err)
		}
		if row.Op != "" {
			rows += 1 + len(row.Then)
		}
	}
	if rows != want+1 { // and the refused renewal
		t.Errorf("%d rows, want %d", rows, want+1)
	}
}

// TestTheOfficialLexerReadsATornFile: up to its last whole chunk.
func TestTheOfficialLexerReadsATornFile(t *testing.T) {
	data, _, _ := smallRecording(t, false)
	lexer, err := mcap.NewLexer(bytes.NewReader(data[:len(data)-20]), &mcap.LexerOptions{ValidateChunkCRCs: true, MaxRecordSize: 1 << 20, MaxDecompressedChunkSize: 1 << 24})
	if err != nil {
		t.Fatal(err)
	}
	defer lexer.Close()
	messages := 0
	for {
		token, _, err := lexer.Next(nil)
		if err != nil {
			break
		}
		if token == mcap.TokenMessage {
			messages++
		}
	}
	if messages < 10 {
		t.Errorf("%d messages", messages)
	}
}
