package recording

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/container"
	"kardia/sources/recording/snapshots"
	"kardia/sources/recording/wire"
)

// Files are built byte by byte here, as no Writer would.

func mcapRecord(op byte, body []byte) []byte {
	out := append([]byte{op}, binary.LittleEndian.AppendUint64(nil, uint64(len(body)))...)
	return append(out, body...)
}

func mcapString(s string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(s))), s...)
}

func mcapHeader(profile string) []byte {
	return mcapRecord(container.OpHeader, append(mcapString(profile), mcapString("hostile")...))
}

// mcapChunk is a chunk that announces size bytes.
func mcapChunk(records []byte, size uint64, sum uint32, compression string) []byte {
	body := make([]byte, 16)
	body = binary.LittleEndian.AppendUint64(body, size)
	body = binary.LittleEndian.AppendUint32(body, sum)
	body = append(body, mcapString(compression)...)
	body = binary.LittleEndian.AppendUint64(body, uint64(len(records)))
	return mcapRecord(container.OpChunk, append(body, records...))
}

func mcapMessage(channel uint16, sequence uint32, data []byte) []byte {
	body := binary.LittleEndian.AppendUint16(nil, channel)
	body = binary.LittleEndian.AppendUint32(body, sequence)
	body = binary.LittleEndian.AppendUint64(body, uint64(noon))
	body = binary.LittleEndian.AppendUint64(body, uint64(noon))
	return mcapRecord(container.OpMessage, append(body, data...))
}

// mcapFile is records between the magic bytes, with a chunk of its own for the plain records.
func mcapFile(records ...[]byte) []byte {
	return bytes.Join(append([][]byte{container.Magic, mcapHeader(container.ProfileName)}, records...), nil)
}

func plainChunk(records ...[]byte) []byte {
	all := bytes.Join(records, nil)
	return mcapChunk(all, uint64(len(all)), crc32.ChecksumIEEE(all), "")
}

func zstdChunk(plain []byte, announced uint64) []byte {
	z, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	return mcapChunk(z.EncodeAll(plain, nil), announced, 0, container.ZstdName)
}

// page is the header of a page of n Changes.
func hostilePage(start, n int, first, last model.Instant) []byte {
	var o wire.Writer
	header := pageHeader{Page: history.Page{Start: start, End: start + n, First: first, Last: last}, coverage: model.Exactly(noon)}
	header.code(wire.To(&o))
	return mcapMessage(channelPage, uint32(start), o.B)
}

// endlessBlock is n equal renewals, in a few bytes.
func endlessBlock(n int) []byte {
	var o wire.Writer
	changes := make([]model.Change, n)
	rows := make([]columns.BlockRow, n)
	for i := range rows {
		changes[i] = model.Change{Kind: model.KindNodeLease, At: noon, Version: uint64(i)}
		rows[i] = columns.BlockRow{Entry: 0, Slot: int32(i), Value: 0, Ch: &changes[i]}
	}
	columns.WriteBlock(&o, rows, noon)
	return o.B
}

// versions is a pod with n versions after the first.
func versions(n int, each string) []byte {
	return []byte(`{"kind":"Pod","pod":{"node":"a"},"then":[` + strings.Repeat(each+",", n-1) + each + "]}")
}

func oneEntry() []byte {
	d := columns.NewDictionary()
	d.Add(columns.Entry{Kind: model.KindNodeLease, Key: model.Key{Name: "a"}})
	return mcapMessage(channelDictionary, 0, d.Message(0))
}

// withSummary appends a summary with an attachment index that points at an offset.
func withSummary(data []byte, at, start uint64) []byte {
	if start == 0 {
		start = uint64(len(data))
	}
	index := binary.LittleEndian.AppendUint64(nil, at)
	index = append(index, make([]byte, 4*8)...)
	index = append(append(index, mcapString(indexName)...), mcapString(indexMedia)...)
	data = append(data, mcapRecord(container.OpAttachmentIndex, index)...)
	footer := binary.LittleEndian.AppendUint64(nil, start)
	footer = append(footer, make([]byte, 12)...)
	return append(append(data, mcapRecord(container.OpFooter, footer)...), container.Magic...)
}

func attachment(payload []byte) []byte {
	body := make([]byte, 16)
	body = append(append(body, mcapString(indexName)...), mcapString(indexMedia)...)
	body = binary.LittleEndian.AppendUint64(body, uint64(len(payload)))
	body = append(body, payload...)
	return mcapRecord(container.OpAttachment, binary.LittleEndian.AppendUint32(body, crc32.ChecksumIEEE(body)))
}

// TestHostileFiles: whatever a file says of itself, opening and reading it ends soon, in little memory,
// and without a panic.
func TestHostileFiles(t *testing.T) {
	good := plainChunk(oneEntry(), hostilePage(0, 3, noon, noon), mcapMessage(channelLease, 0, endlessBlock(3)))
	longRecord := append([]byte{container.OpChunk}, binary.LittleEndian.AppendUint64(nil, math.MaxUint64)...)
	var channels [][]byte
	for id := range 65535 {
		body := binary.LittleEndian.AppendUint16(nil, uint16(id))
		body = append(append(append(body, 0, 0), mcapString("/t")...), mcapString("json")...)
		channels = append(channels, mcapRecord(0x04, append(body, 0, 0, 0, 0)))
	}
	var many []byte
	for i := range 2000 {
		many = append(many, hostilePage(i*wire.MaxRows, wire.MaxRows, noon, noon)...)
		many = append(many, mcapMessage(channelLease, 0, endlessBlock(8))...)
	}
	var loop wire.Writer
	writeIndex(&loop, &index{meta: fmt.Appendf(nil, `{"format":%d}`, Format), chunks: []container.Record{{Op: container.OpChunk, At: 8, Length: 40}}, pages: []pageRef{{history.Page{End: wire.MaxRows, First: noon, Last: noon}, 0, 1 << 20}},
		keyframes: []snapshots.Ref{{Position: 5, Base: 4}}}, columns.NewDictionary().Message(0))
	z, _ := zstd.NewWriter(nil)
	packedLoop := z.EncodeAll(loop.B, nil)
	at := uint64(len(mcapFile(good)))
	var deep wire.Writer
	deep.Byte(1)
	deep.Uint(1 << 39)

	for name, c := range map[string]struct {
		data    []byte
		changes int // that can be read; -1: it does not open
	}{
		"a length beyond the file":                 {mcapFile(good, longRecord), 3},
		"only a length beyond the file":            {mcapFile(longRecord), -1},
		"a chunk that announces 2^60 bytes":        {mcapFile(good, zstdChunk([]byte("x"), 1<<60)), 3},
		"a bomb that announces little":             {mcapFile(good, zstdChunk(make([]byte, 200<<20), 100)), 3},
		"a bomb that announces all":                {mcapFile(good, zstdChunk(make([]byte, 200<<20), 200<<20)), 3},
		"zeros as large as may be":                 {mcapFile(good, zstdChunk(make([]byte, wire.MaxChunk), wire.MaxChunk)), 3},
		"a long name of a compression":             {mcapFile(good, mcapChunk(nil, 0, 0, strings.Repeat("z", 5000))), 3},
		"a chunk in a chunk":                       {mcapFile(plainChunk(good), good), 3},
		"65,535 channels":                          {mcapFile(plainChunk(channels...), good), 3},
		"pages of rows that are not there":         {mcapFile(plainChunk(oneEntry(), many)), wire.MaxRows},
		"positions at the end of the world":        {mcapFile(good, plainChunk(mcapMessage(channelPage, 0, deep.B))), 3},
		"versions in two bytes each":               {mcapFile(good, plainChunk(hostilePage(3, wire.MaxRows, noon, noon), mcapMessage(channelPod, 3, versions(wire.MaxRows-1, `{"pod":{}}`)))), 3 + wire.MaxRows},
		"more versions than the page has":          {mcapFile(good, plainChunk(hostilePage(3, 3, noon, noon), mcapMessage(channelPod, 3, versions(wire.MaxRows, "{}")))), 6},
		"fewer versions than the page has":         {mcapFile(good, plainChunk(hostilePage(3, 9, noon, noon), mcapMessage(channelPod, 3, versions(3, "{}")))), 12},
		"time runs backwards":                      {mcapFile(good, plainChunk(hostilePage(3, 3, noon-1, noon))), 3},
		"positions that repeat":                    {mcapFile(good, plainChunk(hostilePage(0, 3, noon, noon))), 3},
		"an index that points at itself":           {withSummary(mcapFile(good), at, 0), 3},
		"an index at 2^63":                         {withSummary(mcapFile(good), 1<<63, 0), 3},
		"a summary behind the end":                 {withSummary(mcapFile(good), at, math.MaxUint64), 3},
		"a summary that begins in the middle":      {withSummary(mcapFile(good), at, 11), 3},
		"an index that is no zstd":                 {withSummary(append(mcapFile(good), attachment([]byte("no"))...), at, at+3), 3},
		"an index that is a bomb":                  {withSummary(append(mcapFile(good), attachment(z.EncodeAll(make([]byte, 200<<20), nil))...), at, at+400), 3},
		"another program's file":                   {bytes.Join([][]byte{container.Magic, mcapHeader("ros2"), good}, nil), -1},
		"nothing":                                  {mcapFile(), -1},
		"an index that promises what is not there": {withIndex(mcapFile(good), packedLoop), wire.MaxRows},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f, err := Bytes(c.data, name)
			if err == nil {
				_, end := f.Span()
				if end > 0 {
					if _, err := historytest.ReadChanges(f, f.PageAt(0)); err != nil {
						t.Error(err)
					}
					if _, err := historytest.ReadChanges(f, f.PageAt(end-1)); err != nil {
						t.Error(err)
					}
				}
				if c.changes < 0 || end < c.changes {
					t.Errorf("%d changes, want %d", end, c.changes)
				}
				if _, _, err := f.State(end); err != nil {
					t.Error(err)
				}
				if len(f.Problems()) == 0 && !strings.Contains(name, "channels") && !strings.Contains(name, "two bytes") && !strings.Contains(name, "zeros") && !strings.Contains(name, "in a chunk") {
					t.Error("and nobody says that anything is wrong")
				}
			} else if c.changes >= 0 {
				t.Error(err)
			}
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 256<<20 {
				t.Errorf("took %d MiB", took>>20)
			}
		})
	}
}

// TestRenewalsInTwoBlocks: if renewals that take turns are in two blocks, and others between, a condensed page has them
// in order.
func TestRenewalsInTwoBlocks(t *testing.T) {
	messages := [][]byte{oneEntry(), hostilePage(0, 9, noon, noon)}
	for first := range 3 {
		var rows []columns.BlockRow
		for slot := first; slot < 9; slot += 3 {
			ch := model.Change{Kind: model.KindNodeLease, Op: model.OpModify, At: noon, Version: uint64(slot)}
			rows = append(rows, columns.BlockRow{Entry: 0, Slot: int32(slot), Value: noon, Ch: &ch})
			if first == 1 {
				ch.Op = model.OpBaseline
			}
		}
		var o wire.Writer
		columns.WriteBlock(&o, rows, noon)
		messages = append(messages, mcapMessage([]uint16{channelHeartbeat, channelHeartbeat, channelLease}[first], 0, o.B))
	}
	f, err := Bytes(mcapFile(plainChunk(messages...)), "two blocks")
	if err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, f); len(got) != 9 || got[8].Version != 8 {
		t.Errorf("%d changes: %+v", len(got), got)
	}
	var page history.Condensed
	if err := f.Read(f.PageAt(0), &page); err != nil || len(page.Renewals) != 6 || len(page.Changes) != 3 {
		t.Errorf("%d renewals, %d others, %v", len(page.Renewals), len(page.Changes), err)
	}
}

// withIndex appends an index and a summary that finds it.
func withIndex(data, payload []byte) []byte {
	at := uint64(len(data))
	data = append(data, attachment(payload)...)
	return withSummary(data, at, uint64(len(data)))
}
