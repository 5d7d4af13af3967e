package contract

import (
	"kardia/model"
	"kardia/model/explain/verdict"
	"kardia/ui/doc"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Verdicts are those at a time: the most urgent first, then those on nodes that it leaves. None if nothing is wrong.
type Verdicts struct {
	At Stamp `json:"at"`
	Caveats
	// Removed are the nodes that were removed within the last hour, in order.
	Removed  []Removed `json:"removed"`
	Verdicts []Verdict `json:"verdicts"`
	Actors   []Actor   `json:"actors"`
}

// Verdict is the cause of the trouble of some nodes.
type Verdict struct {
	// Rule is the number in docs/verdict.md, Scope the part at fault.
	Rule  string `json:"rule"`
	Scope string `json:"scope"`
	// Or are scopes that fit as well, if the evidence that would separate them could not be read.
	Or    []string `json:"or"`
	Says  string   `json:"text"`
	Nodes []string `json:"nodes"`
	// Back are nodes of a zone that comes back: silent together with Nodes, they renew since BackSince.
	Back      []string `json:"recovered"`
	BackSince *Window  `json:"recoveredSince"`
	For       []string `json:"for"`
	Against   []string `json:"against"`
	Missing   []string `json:"missing"`
	Shared    []Shared `json:"shared"`
	Causes    []Cause  `json:"causes"`
	Do        []string `json:"do"`

	causes []string
}

// Cause is the state of machine, network, kubelet and credentials, by the last signs of the nodes.
type Cause struct {
	Part    string   `json:"part"`
	State   string   `json:"state"`
	Because []string `json:"because"`
}

// Shared is a trait that the nodes have in common, and how many others have it.
type Shared struct {
	Trait    string `json:"trait"`
	Value    string `json:"value"`
	Bad      int    `json:"bad"`
	BadOf    int    `json:"badOf"`
	Others   int    `json:"others"`
	OthersOf int    `json:"othersOf"`
}

// VerdictsOf reports verdicts.
func VerdictsOf(at model.Instant, list []verdict.Verdict) Verdicts {
	return Verdicts{Caveats: CaveatsOf(nil), At: Stamp(at), Removed: []Removed{}, Verdicts: each(list, verdictOf), Actors: []Actor{}}
}

func verdictOf(v verdict.Verdict) Verdict {
	is := Verdict{Rule: v.Rule.Number(), Scope: v.Rule.String(), Or: each(v.Or, verdict.Rule.String), Says: topics.Verdict(&v).String(), Nodes: lines(v.Nodes), Back: lines(v.Back), For: printed(topics.Facts(v.For)),
		Against: printed(topics.Facts(v.Against)), Missing: printed(topics.NotAsked(&v)), Shared: each(v.Shared, func(s verdict.Shared) Shared { return Shared(s) }), Do: printed(topics.Facts(v.Do)), causes: printed(topics.Causes(v.Causes)),
		Causes: each(v.Causes, func(c verdict.Cause) Cause {
			return Cause{c.Part.String(), c.State.String(), printed(topics.Facts(c.Because))}
		})}
	if len(v.Back) > 0 {
		is.BackSince = window(v.BackSince)
	}
	return is
}

// lines is a list that is never null.
func lines(list []string) []string { return append([]string{}, list...) }

const shownNodes = 12

// Doc implements Printed.
func (v Verdicts) Doc(bool) (d doc.Doc) {
	putRemoved(&d, "REMOVED", v.Removed)
	if len(v.Verdicts) == 0 {
		d.Named("VERDICT", topics.NoVerdict(v.Caveats.Says()))
	}
	for i := range v.Verdicts {
		is := &v.Verdicts[i]
		name := "VERDICT"
		if i > 0 {
			name = "AND"
		}
		d.Named(name, words.Of("verdict.line", "says", is.Says, "by", topics.By(is.Rule, is.Scope, is.Or)))
		d.Depth = 2
		d.Each("FOR", is.For)
		d.Each("AGAINST", is.Against)
		d.Each("MISSING", is.Missing)
		d.Each("CAUSE", is.causes)
		d.Each("DO", is.Do)
		for _, s := range is.Shared {
			d.Named("SHARED", topics.Shared((*verdict.Shared)(&s)))
		}
		d.Named("NODES", topics.Names(is.Nodes, " ", shownNodes))
		d.Named("BACK", topics.Names(is.Back, " ", shownNodes))
		d.Depth = 0
	}
	for i := range v.Actors {
		d.Named("ACTOR", words.Text(v.Actors[i].Says()))
	}
	return d
}
