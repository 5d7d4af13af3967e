package postmortem

import (
	"cmp"
	"slices"
	"strconv"

	"kardia/model"
)

// requesters are those who sent the requests of a timeline, in the order in which they come: each has a
// number, by which the rows name it.
type requesters []model.Requester

// named is the actor of a row, with the number of who sent the request. A person is called by name.
func (list *requesters) named(row *Row) string {
	if row.by == nil {
		return row.actor()
	}
	k := slices.Index(*list, *row.by)
	if k < 0 {
		k = len(*list)
		*list = append(*list, *row.by)
	}
	actor := row.actor()
	if actor == model.WriterPerson.String() && row.by.User != "" {
		actor = row.by.Who()
	}
	return actor + "\u00a0[" + strconv.Itoa(k+1) + "]" // the number stays with the name
}

// tell says who they are.
func (list requesters) tell(c *chapter) {
	if len(list) == 0 {
		return
	}
	c.say("Who sent the requests, by the number in brackets, as the audit log has it. The user is who the API server found it to be; the user agent is what the program says of itself; of several addresses the last is that of the connection.")
	t := &table{head: []string{"", "User", "User agent", "Address"}}
	for i, r := range list[:min(len(list), most)] {
		t.add("["+strconv.Itoa(i+1)+"]", cmp.Or(r.User, "–"), cmp.Or(r.Agent, "–"), cmp.Or(r.Address, "–"))
	}
	c.put(t)
}
