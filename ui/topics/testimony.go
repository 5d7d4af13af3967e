package topics

import (
	"kardia/model/history"
	"kardia/model/infer/testimony"
	"kardia/ui/words"
)

// Testimony is how far statements of logs agree with the decisions of the models.
func Testimony(statements, confirmed, contradicted, notCompared int) words.Say {
	unjudged := words.Of("testimony.not-compared", "n", notCompared).If(notCompared > 0)
	return words.Of("testimony.counts", "statements", words.Of("testimony.statements", "n", statements), "confirmed", confirmed,
		"contradicted", words.Of("testimony.contradicted", "n", contradicted), "unjudged", unjudged)
}

// Logs is the source of the statements.
func Logs(t *testimony.Report) words.Say {
	switch {
	case t.Sampled == 0:
		return words.Of("testimony.logs")
	case t.Sampled == t.Statements:
		return words.Of("testimony.samples")
	}
	return words.Of("testimony.both")
}

// Disagreement is how a log and the models disagree.
func Disagreement(c *testimony.Contradiction) string {
	said := c.Statement
	if said == nil {
		said = &history.Statement{}
	}
	return words.Of("testimony.disagreement."+string(c.What), "said", said.State.String(), "state", c.State.String(), "at", c.At.String(),
		"from", c.Window.Earliest.String(), "to", c.Window.Latest.String(), "since", said.Since.String()).String()
}
