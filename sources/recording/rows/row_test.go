package rows

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/recording/wire"
)

var noon = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// TestVersionsOfAnObject: the contents of a message for versions after the first, and the contents it must not have.
func TestVersionsOfAnObject(t *testing.T) {
	c := Coder{Names: &wire.Names{}}
	read := func(text string) ([]model.Change, error) {
		var first model.Change
		later, err := c.DecodeRows([]byte(text), noon, &first, nil, 3)
		return append([]model.Change{first}, later...), err
	}
	got, err := read(`{"kind":"Pod","name":"p","uid":"x","at":null,"earliest":"2026-11-20T11:59:59Z","pod":{"node":"a","phase":"Running","owner":{"kind":"Job"}},` +
		`"then":[{"after":1.5,"version":7},{"op":"delete","earliest":null,"arrival":"past","pod":{"node":null,"owner":{"name":"j"}}},{"after":2,"pod":null}]}`)
	if err != nil || len(got) != 4 {
		t.Fatal(len(got), err)
	}
	for k, want := range []model.Change{
		{Arrival: noon, Time: model.Interval{Earliest: noon - 1e9, Latest: noon}},
		{Arrival: noon + 1.5e9, Time: model.Interval{Earliest: noon - 1e9, Latest: noon + 1.5e9}},
		{Arrival: model.FarPast, Time: model.Interval{Latest: noon + 1.5e9}},
		{Arrival: model.FarPast, Time: model.Interval{Latest: noon + 3.5e9}},
	} {
		if got[k].Arrival != want.Arrival || got[k].Time != want.Time || got[k].At != 0 {
			t.Errorf("version %d: %v %v %v", k, got[k].At, got[k].Arrival, got[k].Time)
		}
	}
	if got[0].Pod != got[1].Pod || got[1].Pod.Node != "a" || got[2].Pod.Node != "" || got[2].Pod.Phase != model.PhaseRunning || *got[2].Pod.Owner != (model.Owner{Kind: "Job", Name: "j"}) || got[3].Pod != nil || got[3].Version != 7 {
		t.Errorf("%+v %+v %+v", got[1], got[2].Pod, got[3])
	}
	for why, text := range map[string]string{
		"no version":                    `{"then":[]}`,
		"no list":                       `{"then":{}}`,
		"null":                          `{"then":null}`,
		"no object":                     `{"then":[1]}`,
		"a comma too many":              `{"then":[{},]}`,
		"no comma":                      `{"then":[{}{}]}`,
		"no end":                        `{"then":[{}`,
		"something behind them":         `{"then":[{}],"op":"add"}`,
		"twice":                         `{"then":[{}],"then":[{}]}`,
		"versions of versions":          `{"then":[{"then":[{}]}]}`,
		"after in the middle":           `{"then":[{"version":1,"after":1}]}`,
		"a time before":                 `{"then":[{"after":-1}]}`,
		"no number":                     `{"then":[{"after":"1s"}]}`,
		"an exponent":                   `{"then":[{"after":1e3}]}`,
		"less than a nanosecond":        `{"then":[{"after":0.0000000001}]}`,
		"beyond the end of time":        `{"then":[{"after":9223372036.9}]}`,
		"beyond the end of all numbers": `{"then":[{"after":99999999999999999999}]}`,
		"another object":                `{"then":[{"name":"b"}]}`,
		"another UID":                   `{"then":[{"uid":"b"}]}`,
		"another kind":                  `{"then":[{"kind":"Pod"}]}`,
		"more than there may be":        `{"then":[{},{},{},{}]}`,
	} {
		if got, err := read(text); err == nil {
			t.Errorf("%s: %s was read as %+v", why, text, got)
		}
	}
}
