package topics

import (
	"kardia/model"
	"kardia/ui/words"
)

// Compared is what a controller compared; the zero Say for nothing.
func Compared(c *model.Check) words.Say {
	if c.What == model.NothingCompared {
		return words.Say{}
	}
	return words.Of("compared."+c.What.String(), "of", c.Of)
}

// Check is a comparison with both sides, and whether it holds: counted silence 31.2s > 50s: no.
func Check(c *model.Check) words.Say {
	left, right := c.Sides()
	holds := words.Of("check-holds").If(c.Holds).Or(words.Of("check-fails"))
	return words.Of("check", "holds", holds, "what", Compared(c), "left", left, "op", c.Op, "right", right)
}

// Input is the role of a fact that a decision rests on; the zero Say if it has none.
func Input(in *model.Input) words.Say {
	if in.What == model.InputNone {
		return words.Say{}
	}
	return words.Of("evidence."+in.What.String(), "of", in.Of, "n", int(in.N), "kind", in.Kind)
}
