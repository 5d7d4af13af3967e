package contract

import (
	"encoding/json"
	"strings"

	"kardia/model/caveat"
	"kardia/ui/topics"
)

// Caveat is a reason why a summary is not stated.
type Caveat struct {
	Code  string   `json:"code"`
	Says  string   `json:"text"`
	Since Stamp    `json:"since"`
	Until Stamp    `json:"until"`
	Nodes []string `json:"nodes"`
}

// Caveats are the reasons why a report may be incomplete. The zero value is none.
type Caveats struct {
	NotKnown NotKnown `json:"notKnown"`
}

// NotKnown is [] in JSON if it is empty.
type NotKnown []Caveat

// MarshalJSON implements json.Marshaler.
func (n NotKnown) MarshalJSON() ([]byte, error) { return json.Marshal(append([]Caveat{}, n...)) }

// NotJudged means that the models cannot predict anything.
func NotJudged(why string) Caveat { return Caveat{Code: "not-judged", Says: why, Nodes: []string{}} }

// CaveatsOf words a list of caveats.
func CaveatsOf(list caveat.List) (out Caveats) {
	for i := range list {
		c := &list[i]
		out.NotKnown = append(out.NotKnown, Caveat{c.Reason.String(), topics.Caveat(c).String(), Stamp(c.Since), Stamp(c.Until), lines(c.Nodes)})
	}
	return out
}

// Says joins them into one clause; "" for none.
func (c Caveats) Says() string {
	says := make([]string, len(c.NotKnown))
	for i := range c.NotKnown {
		says[i] = c.NotKnown[i].Says
	}
	return strings.Join(says, "; ")
}
