package topics

import (
	"math"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/margin"
	"kardia/ui/words"
)

// FlapRhythm is how long a node was not Ready, and Ready in between; none if it was not back.
func FlapRhythm(f *margin.Flaps) words.Say {
	switch {
	case f.Down == 0:
		return words.Say{}
	case f.Up == 0:
		return words.Of("margin.down", "down", model.Length(f.Down))
	}
	return words.Of("margin.rhythm", "down", model.Length(f.Down), "up", model.Length(f.Up))
}

// FlapPods is what the flaps of a node meant for its pods.
func FlapPods(f *margin.Flaps) words.Say {
	key := "over"
	switch {
	case f.Tainted == 0:
		return words.Of("margin.untainted")
	case f.Lasts:
		key = "lasts"
	}
	return words.Of("margin.tainted."+key, "n", f.Tainted, "for", model.Length(f.Longest))
}

// FlapCompany is with which nodes a node fell, at most so many of them by name; none if it fell alone.
func FlapCompany(f *margin.Flaps, most int) words.Say {
	if len(f.With) == 0 {
		return words.Say{}
	}
	var with []string
	for _, p := range f.With[:min(len(f.With), most)] {
		apart := words.Of("margin.apart", "for", model.Length(p.Apart)).If(p.Apart >= time.Second).Or(words.Of("margin.together"))
		with = append(with, words.Of("margin.partner", "node", p.Node, "times", p.Times, "of", f.Times, "apart", apart).String())
	}
	names := strings.Join(with, ", ")
	if more := len(f.With) + f.More - len(with); more > 0 {
		return words.Of("margin.with", "nodes", words.Of("and-more", "names", names, "n", more))
	}
	return words.Of("margin.with", "nodes", names)
}

// SilenceEnds is how a silence ended; none if the node renewed undeclared.
func SilenceEnds(open, declared bool) words.Say {
	switch {
	case open && declared:
		return words.Of("margin.ends.both")
	case open:
		return words.Of("margin.ends.open")
	case declared:
		return words.Of("margin.ends.declared")
	}
	return words.Say{}
}

// LongestPause is its title, of pauses in which no node was declared if that is known.
func LongestPause(told bool) words.Say {
	return words.Of("margin.longest-undeclared").If(told).Or(words.Of("margin.longest"))
}

// Posting is that nodes post their status often though nothing changes in it; none if none does.
func Posting(p *margin.Posting) words.Say {
	if p.Nodes == 0 {
		return words.Say{}
	}
	return words.Of("margin.posting", "every", model.Length(p.Every), "n", p.Nodes, "of", p.Of, "why", PostingInherits(), "writes", int(math.RoundToEven(p.Writes)), "meant", int(math.Ceil(p.Meant)))
}

// PostingInherits is why a kubelet posts an unchanged status as often as it computes one.
// Source: kubernetes: pkg/kubelet/apis/config/v1beta1, SetDefaults_KubeletConfiguration.
func PostingInherits() words.Say { return words.Of("posting-inherits") }

// StillSilent names nodes that were silent at the end and not declared; the longest ended pause does not include them.
// It is missing if there are none, or if that is unknown.
func StillSilent(m *margin.Margin) words.Say {
	var still []*margin.Silence
	for i := range m.Silences {
		if s := &m.Silences[i]; s.Open && !s.Declared && !m.Untold {
			still = append(still, s)
		}
	}
	if len(still) == 0 {
		return words.Say{}
	}
	return words.Of("margin.still", "n", len(still), "node", still[0].Node, "for", model.Length(still[0].Length()))
}

// Unled is the condition under which other grace periods would declare a node, if the controllers had no leader for
// part of the time. It is missing otherwise.
func Unled(over model.Interval, unled []model.Interval) words.Say {
	const most = 3
	var when []string
	for _, v := range unled {
		switch v, ok := v.Intersect(over); {
		case ok && v.Latest == over.Latest:
			when = append(when, words.Of("margin.unled-from", "from", v.Earliest.Clock()).String())
		case ok:
			when = append(when, words.Of("margin.unled-between", "from", v.Earliest.Clock(), "to", v.Latest.Clock()).String())
		}
	}
	if n := len(when); n > most {
		when = append(when[:2], words.Of("margin.unled-more", "n", n-2).String())
	}
	return words.Of("margin.unled", "when", when).If(len(when) != 0)
}
