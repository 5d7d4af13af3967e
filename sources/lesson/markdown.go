package lesson

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

type document struct {
	file   string
	block  block // the front matter's
	front  frontMatter
	beats  []section
	errors []error
}

// section is a step as written: its heading, its text with the parts under smaller headings, and its fenced blocks.
type section struct {
	words  []string
	line   int
	parts  []part
	blocks map[string]block
}

type part struct {
	name  string
	lines []string
	line  int
}

// block is YAML or statements, with the line before its first.
type block struct {
	text string
	line int
}

func (d *document) fail(line int, format string, args ...any) {
	d.errors = append(d.errors, fmt.Errorf("%s:%d: %s", d.file, line, fmt.Sprintf(format, args...)))
}

// decode reads a block of YAML strictly; every mistake has its line in the file.
func (d *document) decode(b block, into any) bool {
	// Empty lines for the file before the block, so that errors count from the start of the file.
	decoder := yaml.NewDecoder(strings.NewReader(strings.Repeat("\n", b.line) + b.text))
	decoder.KnownFields(true)
	err := decoder.Decode(into)
	if err == nil {
		return true
	}
	var many *yaml.TypeError
	list := []string{strings.TrimPrefix(err.Error(), "yaml: ")}
	if errors.As(err, &many) {
		list = many.Errors
	}
	for _, text := range list {
		line := b.line + 1
		if n, rest, ok := strings.Cut(strings.TrimPrefix(text, "line "), ": "); ok && strings.HasPrefix(text, "line ") {
			text = rest
			_, _ = fmt.Sscan(n, &line)
		}
		text, _, _ = strings.Cut(text, " in type ") // the name of a type here does not help the author
		d.fail(line, "%s", text)
	}
	return false
}

// split divides a file: front matter, then a section for each heading of the second level.
func split(file, text string) *document {
	d := &document{file: file}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if lines[0] != "---" {
		d.fail(1, "a lesson begins with ---, its front matter, and ---")
		return d
	}
	end := slices.Index(lines[1:], "---") + 1
	if end == 0 {
		d.fail(1, "the front matter is not closed: expected a line ---")
		return d
	}
	d.block = block{strings.Join(lines[1:end], "\n"), 1}
	for i := end + 1; i < len(lines); i++ {
		i = d.take(lines, i)
	}
	if len(d.beats) == 0 {
		d.fail(len(lines), "there are no steps: a step starts with a heading such as ## tell story")
	}
	return d
}

// take takes a line, or a whole fenced block, and returns the last one taken.
func (d *document) take(lines []string, i int) int {
	line := lines[i]
	if heading, ok := strings.CutPrefix(line, "## "); ok {
		d.beats = append(d.beats, section{words: strings.Fields(heading), line: i + 1, parts: []part{{line: i + 2}}, blocks: map[string]block{}})
		return i
	}
	if len(d.beats) == 0 {
		if strings.TrimSpace(line) != "" {
			d.fail(i+1, "text before the first step: a step starts with a heading such as ## tell story")
		}
		return i
	}
	s := &d.beats[len(d.beats)-1]
	if name, ok := strings.CutPrefix(line, "### "); ok {
		s.parts = append(s.parts, part{name: strings.TrimSpace(name), line: i + 2})
		return i
	}
	if name, ok := strings.CutPrefix(line, "```"); ok {
		within := slices.Index(lines[i+1:], "```")
		if within < 0 {
			d.fail(i+1, "the block that starts here is not closed: expected a line ```")
			return len(lines)
		}
		end := i + 1 + within
		if name == "beat" || name == "scenario" {
			s.blocks[name] = block{strings.Join(lines[i+1:end], "\n"), i + 1}
		} else {
			s.text(lines[i : end+1]...)
		}
		return end
	}
	s.text(line)
	return i
}

func (s *section) text(lines ...string) {
	p := &s.parts[len(s.parts)-1]
	if len(p.lines) == 0 {
		for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
			lines = lines[1:]
			p.line++
		}
	}
	p.lines = append(p.lines, lines...)
}

func (p *part) passage() Passage {
	return Passage{strings.TrimRight(strings.Join(p.lines, "\n"), "\n \t"), p.line}
}
