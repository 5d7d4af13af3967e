package lesson

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"kardia/model"
	"kardia/sources/lesson/play"
	"kardia/sources/scenario"
)

// maxOptions limits the answers of a question: a letter each.
const maxOptions = 12

const largest = 1 << 20

// frontMatter is the head of a file. A translation has language, title and summary only.
type frontMatter struct {
	Language, Title, Summary string
	Number, Minutes          int
	Zero, Lane               string
	Scenario                 yaml.Node
	Moments                  yaml.Node
}

// Read reads a lesson from a folder's Markdown files whose names match a pattern. The one with a scenario is the
// original, the others are translations. Every mistake has its file and line.
func Read(folder fs.FS, name, pattern string) (*Lesson, error) {
	files, err := fs.Glob(folder, "*.md")
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, file := range files {
		if match, err := path.Match(pattern, file); err != nil || !match && file != pattern {
			continue
		}
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, err
		}
		texts[file] = string(text)
	}
	return Parse(name, texts)
}

// Parse reads a lesson from its files, by their names.
func Parse(name string, files map[string]string) (*Lesson, error) {
	l := &Lesson{Name: name, Texts: map[string]*Text{}, Branches: map[string]*play.Names{}}
	var all []error
	var translations []*document
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if len(files[file]) > largest {
			return nil, fmt.Errorf("%s: a lesson has %d bytes at most", file, largest)
		}
		d := split(file, files[file])
		if len(d.errors) == 0 {
			d.decode(d.block, &d.front)
		}
		switch {
		case len(d.errors) > 0:
		case d.front.Scenario.Kind == 0:
			translations = append(translations, d)
			continue
		case l.Original != "":
			d.fail(1, "%s has a scenario as well: a translation has none", l.Texts[l.Original].File)
		default:
			l.original(d)
		}
		all = append(all, d.errors...)
	}
	if len(all) == 0 && l.Original == "" {
		return nil, fmt.Errorf("%s: no file of it has a scenario in its front matter", name)
	}
	if len(all) == 0 {
		for _, d := range translations {
			l.translation(d)
			all = append(all, d.errors...)
		}
	}
	if len(all) > 0 {
		return nil, errors.Join(all...)
	}
	return l, nil
}

func (l *Lesson) say(d *document) *Text {
	front := &d.front
	t := &Text{File: d.file, Language: front.Language, Title: front.Title, Summary: front.Summary}
	switch {
	case front.Language == "" || front.Title == "":
		d.fail(1, "the front matter needs language and title")
	case l.Texts[front.Language] != nil:
		d.fail(1, "%s has the same language", l.Texts[front.Language].File)
	default:
		l.Texts[front.Language] = t
	}
	return t
}

func (l *Lesson) original(d *document) {
	front := &d.front
	l.Original, l.Number, l.Minutes = front.Language, front.Number, max(front.Minutes, 1)
	text := l.say(d)
	s, err := scenario.Parse(d.file, strings.Repeat("\n", front.Scenario.Line)+front.Scenario.Value)
	if err != nil {
		d.errors = append(d.errors, err)
		return
	}
	if l.Zero, err = time.ParseDuration(front.Zero); err != nil || l.Zero < 0 || l.Zero > s.Length {
		d.fail(2, "zero: expected the start of the lesson's clock, such as 1m after the scenario's start")
		return
	}
	l.Lane = [2]time.Duration{-min(l.Zero, 20*time.Second), s.Length - l.Zero}
	d.lane(2, front.Lane, &l.Lane)
	main := &play.Names{Scenario: s, Zero: l.Zero, Moments: map[string]*play.Query{}}
	l.Branches[""] = main
	for i := 0; i+1 < len(front.Moments.Content); i += 2 {
		name, value := front.Moments.Content[i], front.Moments.Content[i+1]
		if q := d.query(value.Line, main, value.Value); q != nil {
			main.Moments[name.Value] = q
		}
	}
	if len(d.errors) > 0 {
		return
	}
	branch, lane := "", l.Lane
	for i := range d.beats {
		section := &d.beats[i]
		b, ok := l.beat(d, section, branch, lane)
		if !ok {
			continue
		}
		branch, lane = b.Branch, b.Lane
		l.Beats = append(l.Beats, b)
		text.Beats = append(text.Beats, d.text(section))
	}
}

// translation reads the texts of another language: the same steps, without their settings.
func (l *Lesson) translation(d *document) {
	text := l.say(d)
	for i := range d.beats {
		s := &d.beats[i]
		if i >= len(l.Beats) {
			d.fail(s.line, "the original has no further beat")
			return
		}
		b := &l.Beats[i]
		if !slices.Equal(s.words, []string{b.Kind.String(), b.ID}) {
			d.fail(s.line, "the original has %q here, %s", b.Kind.String()+" "+b.ID, "in its order")
			return
		}
		for name, block := range s.blocks {
			d.fail(block.line, "a block %s belongs to the original alone", name)
		}
		text.Beats = append(text.Beats, d.text(s))
	}
	if n := len(d.beats); n < len(l.Beats) {
		d.fail(d.beats[n-1].line, "the original continues with %q", l.Beats[n].Kind.String()+" "+l.Beats[n].ID)
	}
}

func (d *document) query(line int, b *play.Names, text string) *play.Query {
	q, err := b.Parse(text)
	if err != nil {
		d.fail(line, "%v", err)
		return nil
	}
	return q
}

func (d *document) optional(line int, b *play.Names, text string) *play.Query {
	if text == "" {
		return nil
	}
	return d.query(line, b, text)
}

func (d *document) lane(line int, text string, lane *[2]time.Duration) {
	if text == "" {
		return
	}
	r, err := play.ParseRange(text)
	if err != nil || r.Low.Kind != play.Length || r.Low.Time >= r.High.Time {
		d.fail(line, "lane: expected how much of time is shown, such as -20s..2m")
		return
	}
	*lane = [2]time.Duration{r.Low.Time, r.High.Time}
}

// beatMatter is the settings in a step's block.
type beatMatter struct {
	Question, Answer, From, Until, Lane, Rule, Real string
	Right, Options                                  yaml.Node
}

func (l *Lesson) beat(d *document, s *section, branch string, lane [2]time.Duration) (b Beat, ok bool) {
	before := len(d.errors)
	if len(s.words) != 2 || !slices.Contains(kinds, s.words[0]) {
		d.fail(s.line, "expected a step and its name: ## tell, predict, run-until, ask, branch or take-home, and one word")
		return b, false
	}
	kind := Kind(slices.Index(kinds, s.words[0]))
	b = Beat{Kind: kind, ID: s.words[1], Line: s.line, Branch: branch, Lane: lane}
	for _, have := range l.Beats {
		if have.ID == b.ID {
			d.fail(s.line, "a beat is called %s already", b.ID)
		}
	}
	if kind == StartBranch {
		l.branch(d, s, &b)
	}
	var matter beatMatter
	if block, there := s.blocks["beat"]; there && !d.decode(block, &matter) {
		return b, false
	}
	line := s.blocks["beat"].line + 1
	d.lane(line, matter.Lane, &b.Lane)
	in := l.Branches[b.Branch]
	if in == nil {
		return b, false
	}
	asks := kind == Predict || kind == Ask
	b.Until = d.optional(line, in, matter.Until)
	switch {
	case asks:
		l.question(d, &b, &matter, line)
	case matter.Question != "":
		d.fail(line, "only predict and ask have a question")
	case (kind == RunUntil || kind == StartBranch) && matter.Until == "":
		d.fail(s.line, "%s needs a moment: until: first MarkUnknown", kind)
	}
	if kind == Predict && matter.Until == "" {
		d.fail(s.line, "predict needs a moment that time goes on to once the answer was given: until: first MarkUnknown")
	}
	return b, len(d.errors) == before
}

// branch makes the branch that a step starts, from the lesson's scenario and not from an earlier branch. It has the
// step's name.
func (l *Lesson) branch(d *document, s *section, b *Beat) {
	block, ok := s.blocks["scenario"]
	if !ok {
		d.fail(s.line, "a branch needs a block ```scenario with its further lines")
		return
	}
	from := l.Branches[""]
	sc, err := from.Scenario.With(d.file, strings.Repeat("\n", block.line)+block.text)
	if err != nil {
		d.errors = append(d.errors, err)
		return
	}
	b.Branch = b.ID
	l.Branches[b.ID] = &play.Names{Scenario: sc, Zero: from.Zero, Moments: from.Moments}
}

func (l *Lesson) question(d *document, b *Beat, m *beatMatter, line int) {
	kind := slices.Index(questions, m.Question)
	if kind < 0 {
		d.fail(b.Line, "question: expected choice, number, node, order or time, found %q", m.Question)
		return
	}
	q := &Question{Line: line, Kind: QuestionKind(kind)}
	b.Question = q
	if q.Kind == Time {
		m.From = cmp.Or(m.From, "zero")
	}
	in := l.Branches[b.Branch]
	q.Answer, q.From = d.optional(line, in, m.Answer), d.optional(line, in, m.From)
	if m.Rule != "" && !q.named(m.Rule) {
		var err error
		if q.Rule, err = in.Parse(m.Rule); err != nil {
			d.fail(line, "rule: %v; or a rule, as the last column of kardia decisions names it", err)
		}
	}
	if q.Answer == nil && (q.Kind == Time || q.Kind == Number || q.Kind == Node) {
		d.fail(line, "answer: a question for a %s needs a query that answers it", q.Kind)
	}
	value := 1 // behind its name
	if m.Options.Kind == yaml.SequenceNode {
		value = 0 // [b-1, b-2]: each is its own
	}
	for i := 0; i+value < len(m.Options.Content); i += 1 + value {
		q.Options = append(q.Options, d.option(q, in, m.Options.Content[i], m.Options.Content[i+value]))
	}
	if n := len(q.Options); n < 2 && (q.Kind == Choice || q.Kind == Order || q.Kind == Node) || n > maxOptions {
		d.fail(line, "options: a %s has two to %d, as in  options: %s", q.Kind, maxOptions, map[bool]string{false: "{a: 0, b: 1}", true: "[b-1, b-2]"}[q.Kind == Node])
	}
	d.right(q, m, line)
	if m.Real != "" {
		words := strings.Fields(m.Real)
		if _, ok := model.ParseDecisionKind(words[min(1, len(words)-1)]); len(words) < 2 || len(words) > 3 || !ok {
			d.fail(line, "real: expected a demo, a kind of decision, and a node where one is meant: zone-outage TaintNoExecute")
			return
		}
		q.Real = Real{Demo: words[0], Decision: words[1]}
		if len(words) == 3 {
			q.Real.Node = words[2]
		}
	}
}

func (q *Question) named(text string) bool {
	i := slices.IndexFunc(model.Rules(), func(r model.Rule) bool { return r.String() == text })
	if i >= 0 {
		q.Named = model.Rules()[i]
	}
	return i >= 0
}

func (d *document) right(q *Question, m *beatMatter, line int) {
	if m.Right.Kind == 0 {
		d.fail(line, "right: the answer is missing; the runs check it")
		return
	}
	line, q.Line = m.Right.Line, m.Right.Line
	if q.Kind == Number || q.Kind == Time {
		r, err := play.ParseRange(m.Right.Value)
		if err != nil || r.Low.Kind != measures[q.Kind] {
			d.fail(line, "right: expected the range in which every play answers, such as %s", map[QuestionKind]string{Number: "0..1", Time: "40s..55s"}[q.Kind])
		}
		q.RightRange = r
		return
	}
	q.Right = []string{m.Right.Value}
	if m.Right.Kind == yaml.SequenceNode {
		q.Right = nil
		for _, n := range m.Right.Content {
			q.Right = append(q.Right, n.Value)
		}
	}
	for _, id := range q.Right {
		if !slices.ContainsFunc(q.Options, func(o Option) bool { return o.ID == id }) {
			d.fail(line, "right: there is no option %q", id)
		}
	}
	if q.Kind == Order && len(q.Right) != len(q.Options) {
		d.fail(line, "right: expected all options in their order")
	}
}

var comparisons = []struct {
	sign   string
	orders []int
}{{" = ", []int{0}}, {" != ", []int{-1, 1}}, {" <= ", []int{-1, 0}}, {" >= ", []int{0, 1}}, {" < ", []int{-1}}, {" > ", []int{1}}}

func (d *document) option(q *Question, in *play.Names, name, value *yaml.Node) Option {
	o := Option{ID: name.Value}
	if o.ID == "" || strings.ContainsAny(o.ID, " )*`\t\n") {
		d.fail(name.Line, "an option is called by one word, such as a")
	}
	if q.Kind == Order {
		o.At = d.query(value.Line, in, value.Value)
		return o
	}
	for _, c := range comparisons {
		if left, right, ok := strings.Cut(value.Value, c.sign); ok && q.Kind == Choice {
			o.Holds = &Condition{d.query(value.Line, in, left), d.query(value.Line, in, right), c.orders}
			return o
		}
	}
	var err error
	if o.Is, err = play.ParseRange(value.Value); err != nil {
		d.fail(value.Line, "%s: %v, or a comparison of two queries", o.ID, err)
	} else if q.Answer == nil {
		d.fail(value.Line, "%s: without answer: an option is a comparison of two queries, such as  count EvictPod = 0", o.ID)
	}
	return o
}
