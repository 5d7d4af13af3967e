package topics

import (
	"strconv"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/flags"
	"kardia/ui/words"
)

// FlagOr is what else than the bounds of a flag would do; missing if nothing.
func FlagOr(or *flags.Alternative) words.Say {
	if or.Code == flags.Decided {
		return words.Say{}
	}
	return words.Of("flag-fit.or."+or.Code.String(), "n", or.N, "for", or.For.String(), "periods", otherPeriods(or),
		"rate", model.Number(or.Rate).String(), "share", strconv.FormatFloat(or.Share, 'g', 2, 64))
}

func otherPeriods(or *flags.Alternative) words.Say {
	var list []words.Say
	for _, d := range or.Periods {
		if d > 0 {
			list = append(list, words.Text(d.String()))
		}
	}
	if or.More {
		list = append(list, words.Of("flag-fit.another"))
	}
	last := len(list) - 1
	if last <= 0 {
		return words.Join("", list...)
	}
	return words.Of("flag-fit.either", "list", words.Join(", ", list[:last]...), "last", list[last])
}

// FlagContradicted is that a flag that was given contradicts what was seen, and which value fits.
func FlagContradicted(c *infer.Contradiction) words.Say {
	left := words.Text(strconv.Itoa(c.Left)).If(c.Left > 0).Or(words.Of("flag-fit.none-left"))
	return words.Of("flag-fit.contradicted", "flag", c.Flag, "given", c.Given, "fits", c.Fits, "n", c.Findings, "left", left)
}
