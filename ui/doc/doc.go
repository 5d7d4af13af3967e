// Package doc is the text of a topic, before its layout: blocks of sentences, each with its tone and how it is known.
// Topics write it, ui/render lays it out for a terminal, a text file, Markdown or HTML.
package doc

import (
	"slices"

	"kardia/ui/words"
)

// Doc is blocks, in the order in which they are read.
type Doc struct {
	Blocks []Block
	// Depth is how many steps the blocks that are added from now on are set in.
	Depth int
}

// Kind is what a block is.
type Kind uint8

const (
	// Sentence is one fact.
	Sentence Kind = iota
	// Head begins a part, with Beside on the same line if that has room.
	Head
	// Below belongs to the sentence before.
	Below
	// Command is a line to copy, behind a Mark.
	Command
	// Fact is a name, with its value Beside.
	Fact
	// List is Items, Table a Grid, and Code text that is printed unchanged.
	List
	Table
	Code
	// Step is a decision or a write in a chain: its time At, its subject Text, the act Beside, and a Note if that has room. The
	// blocks Below, Checks and List after it belong to it.
	Step
	// Checks are comparisons.
	Checks
	// Part is a name in a column of its own, beside the blocks that follow.
	Part
	// Drawing is a Picture, where there is room for one.
	Drawing
)

// Tone is how urgent a block is.
type Tone uint8

const (
	Plain       Tone = iota
	Dim              // said for completeness
	Warn             // asks for attention
	Predicted        // has not happened yet
	Halted           // is kept from happening
	Faint            // was recorded later than the time shown
	Evict            // deletes pods
	NodeUnknown      // is about a node that is declared Unknown
	NoData           // is not known: data is missing
)

// Sign is how something is known, or how a question came out.
type Sign uint8

const (
	None Sign = iota
	Recorded
	Inferred
	Reconstructed
	Foreseen
	Later
	Heartbeat
	Missing
	Yes
	No
	Open
)

// Block is one of them.
type Block struct {
	Kind Kind
	Tone Tone // of a Head or Fact, that of Beside
	Sign Sign
	// Depth is how many steps it is set in; of a Fact, its name too.
	Depth int
	// Mark is before a Command: the number of its effect, "?" if it answers a question.
	Mark string
	Text words.Say
	// Beside is beside a Head, a Fact or a Step.
	Beside   words.Say
	At, Note words.Say
	Checks   []Check
	Items    []words.Say
	Grid     *Grid
	Picture  *Picture
}

// Check is a comparison as it was asked, and its answer.
type Check struct {
	Asked, Answer words.Say
	Holds         bool
}

// Grid is cells under headings. Cells are foreign text: what lays them out makes it harmless.
type Grid struct {
	Head []string
	Rows [][]string
}

// Add adds a row.
func (g *Grid) Add(cells ...string) { g.Rows = append(g.Rows, cells) }

// Drop leaves out the columns with these headings.
func (g *Grid) Drop(heads ...string) {
	for _, head := range heads {
		if at := slices.Index(g.Head, head); at >= 0 {
			g.Head = slices.Delete(g.Head, at, at+1)
			for i := range g.Rows {
				g.Rows[i] = slices.Delete(g.Rows[i], at, at+1)
			}
		}
	}
}

// Add adds a block, as far in as the Doc's Depth. One that says nothing is left out.
func (d *Doc) Add(b Block) {
	if b.Depth = d.Depth; b.says() {
		d.Blocks = append(d.Blocks, b)
	}
}

// says reports that there is something to read.
func (b *Block) says() bool {
	switch b.Kind {
	case Fact:
		return !b.Beside.Missing()
	case List:
		return len(b.Items) > 0
	case Checks:
		return len(b.Checks) > 0
	case Drawing:
		return b.Picture != nil
	case Sentence, Below, Command, Code:
		return !b.Text.Missing()
	}
	return true
}

// Append adds the blocks of another Doc.
func (d *Doc) Append(o Doc) { d.Blocks = append(d.Blocks, o.Blocks...) }

// Head begins a part.
func (d *Doc) Head(text words.Say) { d.Titled(text, Plain, words.Say{}) }

// Titled begins a part with more beside its title.
func (d *Doc) Titled(text words.Say, tone Tone, beside words.Say) {
	d.Add(Block{Kind: Head, Tone: tone, Text: text, Beside: beside})
}

// Say adds a fact.
func (d *Doc) Say(tone Tone, text words.Say) { d.Sign(None, tone, text) }

// Sign adds a fact with how it is known.
func (d *Doc) Sign(sign Sign, tone Tone, text words.Say) {
	d.Add(Block{Tone: tone, Sign: sign, Text: text})
}

// Below adds what belongs to the fact before.
func (d *Doc) Below(tone Tone, text words.Say) { d.Add(Block{Kind: Below, Tone: tone, Text: text}) }

// Fact adds what a name is.
func (d *Doc) Fact(name words.Say, tone Tone, is words.Say) {
	d.Add(Block{Kind: Fact, Tone: tone, Text: name, Beside: is})
}

// Named adds a fact behind a foreign name, or the word of a command line.
func (d *Doc) Named(name string, is words.Say) { d.Fact(words.Text(name), Plain, is) }

// Each is Named for each of some texts.
func (d *Doc) Each(name string, texts []string) {
	for _, text := range texts {
		d.Named(name, words.Text(text))
	}
}

// Command adds a line to copy.
func (d *Doc) Command(mark, line string) {
	d.Add(Block{Kind: Command, Mark: mark, Text: words.Text(line).If(line != "")})
}

// List adds items one below the other.
func (d *Doc) List(items ...words.Say) { d.Listed(words.Say{}, items...) }

// Listed adds items below a title.
func (d *Doc) Listed(title words.Say, items ...words.Say) {
	d.Add(Block{Kind: List, Text: title, Items: items})
}

// Checks adds comparisons.
func (d *Doc) Checks(list []Check) { d.Add(Block{Kind: Checks, Checks: list}) }

// Name begins a Part.
func (d *Doc) Name(name words.Say) { d.Add(Block{Kind: Part, Text: name}) }

// Part adds sentences beside a name; nothing without a sentence.
func (d *Doc) Part(name words.Say, tone Tone, texts ...words.Say) {
	texts = slices.DeleteFunc(slices.Clone(texts), words.Say.Missing)
	if len(texts) > 0 {
		d.Name(name)
	}
	for _, text := range texts {
		d.Say(tone, text)
	}
}

// Table adds a grid that has rows.
func (d *Doc) Table(g *Grid) {
	if len(g.Rows) > 0 {
		d.Add(Block{Kind: Table, Grid: g})
	}
}

// Code adds lines that are printed unchanged.
func (d *Doc) Code(text string) { d.Add(Block{Kind: Code, Text: words.Text(text).If(text != "")}) }

// Picture adds a picture; nil for none.
func (d *Doc) Picture(p *Picture) { d.Add(Block{Kind: Drawing, Picture: p}) }
