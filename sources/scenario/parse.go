package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
)

const maxErrors = 10

// Mark is the first word of a scenario file, before the number of its format.
const Mark = "scenario"

// Sniff reports whether a file that begins so is a scenario.
func Sniff(head []byte) bool {
	for line := range strings.Lines(string(head)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return strings.HasPrefix(line, Mark+" ")
		}
	}
	return false
}

// Parse reads a scenario. Each mistake has the file's name, as given, and its line.
func Parse(file, text string) (*Scenario, error) {
	return read(file, text, false, &Scenario{Seed: 1, Start: model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)), Length: 10 * time.Minute,
		Params: model.Defaults(model.Version{Major: 1, Minor: 36})})
}

// read adds statements to a scenario. begun says that the file's first line was read.
func read(file, text string, begun bool, s *Scenario) (*Scenario, error) {
	p := &parser{file: file, s: s, begun: begun, nodes: map[string]int{}, workloads: map[model.Key]int{}}
	for i := range s.Nodes {
		p.nodes[s.Nodes[i].Name] = i
	}
	for i := range s.Workloads {
		p.workloads[s.Workloads[i].Key] = i
	}
	for line := range strings.Lines(text) {
		p.number++
		p.line(strings.TrimSpace(line))
		if len(p.errors) >= maxErrors {
			break
		}
	}
	if !p.begun && len(p.errors) == 0 {
		p.fail("the file is empty: it starts with %q", Mark+" 1")
	}
	if len(p.errors) == 0 {
		p.finish()
	}
	if len(p.errors) > 0 {
		return nil, errors.Join(p.errors...)
	}
	return p.s, nil
}

type parser struct {
	file      string
	number    int
	s         *Scenario
	begun     bool
	nodes     map[string]int
	workloads map[model.Key]int
	errors    []error
}

func (p *parser) fail(format string, args ...any) {
	p.errors = append(p.errors, fmt.Errorf("%s:%d: %s", p.file, p.number, fmt.Sprintf(format, args...)))
}

// statement is one line: its words, and its options (name=value).
type statement struct {
	words   []string
	options []option
}

type option struct{ name, value string }

func (s *statement) take(name string) (value string, ok bool) {
	i := slices.IndexFunc(s.options, func(o option) bool { return o.name == name })
	if i < 0 {
		return "", false
	}
	value = s.options[i].value
	s.options = slices.Delete(s.options, i, i+1)
	return value, true
}

// last takes the last word; "" if there is none.
func (s *statement) last() (word string) {
	if n := len(s.words); n > 0 {
		word, s.words = s.words[n-1], s.words[:n-1]
	}
	return word
}

// given sets a value by an option, if the statement has it.
func given[T any](s *statement, name string, to *T, read func(text string) (T, error)) (err error) {
	if text, ok := s.take(name); ok {
		*to, err = read(text)
	}
	return err
}

func (p *parser) line(text string) {
	if comment, ok := strings.CutPrefix(text, "#"); ok {
		if !p.begun && p.s.Title == "" {
			p.s.Title = strings.TrimSpace(comment)
		}
		return
	}
	words, err := split(text)
	if err != nil {
		p.fail("%v", err)
		return
	}
	if len(words) == 0 {
		return
	}
	if !p.begun {
		p.begun = true
		if words[0] != Mark || len(words) != 2 || words[1] != "1" {
			p.fail("expected %q, found %q: this is no scenario, or one of a later format", Mark+" 1", text)
		}
		return
	}
	s := &statement{}
	for _, w := range words[1:] {
		name, value, ok := strings.Cut(w, "=")
		if _, err := parseTaint(w); err == nil && name != "taint" && name != "tolerates" && !strings.HasPrefix(name, "label:") {
			ok = false // the = of a taint follows its key
		}
		if ok {
			s.options = append(s.options, option{name, value})
		} else {
			s.words = append(s.words, w)
		}
	}
	if err := p.statement(words[0], s); err != nil {
		p.fail("%s: %v", words[0], err)
	} else if len(s.options) > 0 {
		p.fail("%s: no option is called %q", words[0], s.options[0].name)
	}
}

func split(text string) (words []string, err error) {
	for {
		text = strings.TrimLeft(text, " \t")
		switch {
		case text == "", text[0] == '#':
			return words, nil
		case text[0] == '"':
			quoted, err := strconv.QuotedPrefix(text)
			if err != nil {
				return nil, errors.New("a quote is not closed")
			}
			word, _ := strconv.Unquote(quoted)
			words, text = append(words, word), text[len(quoted):]
		default:
			end := strings.IndexAny(text, " \t")
			if end < 0 {
				end = len(text)
			}
			words, text = append(words, text[:end]), text[end:]
		}
	}
}

func (p *parser) statement(word string, s *statement) error {
	switch word {
	case "version":
		return p.version(s)
	case "flags":
		return p.flags(s)
	case "seed":
		return one(s, func(w string) (err error) { p.s.Seed, err = strconv.ParseUint(w, 10, 64); return err })
	case "start":
		return one(s, func(w string) error {
			t, err := time.Parse(time.RFC3339, w)
			p.s.Start = model.At(t)
			return err
		})
	case "length":
		return one(s, func(w string) (err error) {
			if p.s.Length, err = duration(w); err == nil && p.s.Length > maxLength {
				err = fmt.Errorf("%s is longer than seven days", w)
			}
			return err
		})
	case "kubelet":
		return p.kubelet(s)
	case "node", "nodes":
		return p.addNodes(s)
	case "deployment", "statefulset", "daemonset", "job", "pod":
		return p.addWorkload(word, s)
	case "poddisruptionbudget", "pdb":
		return p.addBudget(s)
	case "at":
		return p.fault(s)
	}
	return errors.New("not known; expected version, flags, kubelet, seed, start, length, nodes, deployment, statefulset, daemonset, job, pod, poddisruptionbudget or at")
}

func one(s *statement, read func(string) error) error {
	if len(s.words) != 1 {
		return fmt.Errorf("expected one word, found %d", len(s.words))
	}
	return read(s.words[0])
}

// duration reads 90s, 2m30s, or a number of seconds.
func duration(text string) (time.Duration, error) {
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 && n < 1e9 {
		return time.Duration(n * float64(time.Second)), nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("expected a duration such as 90s or 2m30s, found %q", text)
	}
	return d, nil
}

func count(most int) func(text string) (int, error) {
	return func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > most {
			return 0, fmt.Errorf("expected a number from 0 to %d, found %q", most, text)
		}
		return n, nil
	}
}

func (p *parser) version(s *statement) error {
	return one(s, func(w string) error {
		v, ok := model.ParseVersion(w)
		if !ok {
			return fmt.Errorf("expected a version such as 1.36, found %q", w)
		}
		if p.s.Params != model.Defaults(p.s.Params.Version) {
			return errors.New("it decides the defaults of the flags, and must come before them")
		}
		p.s.Params = model.Defaults(v)
		return nil
	})
}

func (p *parser) flags(s *statement) error {
	if len(s.words) > 0 {
		return fmt.Errorf("expected name=value, found %q", s.words[0])
	}
	for len(s.options) > 0 {
		o := s.options[0]
		s.options = s.options[1:]
		if err := setFlag(&p.s.Params, strings.TrimPrefix(o.name, "--"), o.value); err != nil {
			return err
		}
	}
	return nil
}

func setFlag(params *model.Params, name, value string) error {
	f := model.FlagNamed(name)
	if f == nil {
		return fmt.Errorf("no flag that decides about nodes is called %q", name)
	}
	if d, err := duration(value); err == nil && f.Kind == "duration" {
		value = d.String() // a number of seconds, too
	}
	if err := f.Set(params, value, model.FromFile); err != nil {
		return fmt.Errorf("%s: %w, not %q", name, err, value)
	}
	return nil
}

// finish checks the rules that need the whole file.
func (p *parser) finish() {
	pods := 0
	for _, w := range p.s.Workloads {
		if w.Kind == "DaemonSet" {
			w.Replicas = len(p.s.Nodes)
		}
		pods += w.Replicas
	}
	switch {
	case !slices.ContainsFunc(p.s.Nodes, func(n Node) bool { return n.Joins == nil }):
		p.fail("there are no nodes: say for example %q", "nodes a-1..a-3 zone=a")
	case pods > maxPods:
		p.fail("its workloads have %d pods, more than %d", pods, maxPods)
	}
	slices.SortStableFunc(p.s.Faults, func(a, b Fault) int { return cmp.Compare(a.At, b.At) })
	for _, f := range p.s.Faults {
		if f.At > p.s.Length {
			p.number = f.Line
			p.fail("at %s: the scenario ends after %s", f.At, p.s.Length)
		}
	}
}
