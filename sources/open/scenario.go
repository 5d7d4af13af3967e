package open

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"kardia/sources/read/input"
	"kardia/sources/recording"
	"kardia/sources/scenario"
)

const scenarioPrefix = "scenario:"

const maxScenario = 1 << 20

func embeddedScenario(name string) (input.File, error) {
	text, err := scenario.Example(name)
	if err != nil {
		return input.File{}, err
	}
	return input.Inside(scenarioPrefix+name, int64(len(text)), func() io.Reader { return strings.NewReader(text) }), nil
}

// playScenario plays a scenario into a temporary recording, and opens that.
func (b *builder) playScenario(name string, text io.Reader) (*recording.File, error) {
	all, err := io.ReadAll(io.LimitReader(text, maxScenario+1))
	if err != nil {
		return nil, err
	}
	if len(all) > maxScenario {
		return nil, fmt.Errorf("%s: a scenario has at most %d KiB", name, maxScenario>>10)
	}
	s, err := scenario.Parse(name, string(all))
	if err != nil {
		first, more, _ := strings.Cut(err.Error(), "\n")
		if more != "" {
			first += " (and more: 'kardia scenario validate' lists all)"
		}
		return nil, errors.New(first)
	}
	return temporary("a scenario", s.Meta("", name), name, func(w *recording.Writer) error {
		return s.Record(b.ctx, w, func(played time.Duration) {
			if b.options.Played != nil {
				b.options.Played(played, s.Length, name)
			}
		})
	})
}

// temporary makes a recording in a temporary file, and opens it. what is its purpose; without a name it has the file's.
func temporary(what string, m recording.Meta, name string, fill func(*recording.Writer) error) (f *recording.File, err error) {
	file, err := recording.NewTemporary(what)
	if err != nil {
		return nil, err
	}
	w, err := recording.Create(file, m, recording.Options{})
	if err == nil {
		err = fill(w)
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		f, err = recording.OpenAt(file, w.Size(), cmp.Or(name, file.Name()))
	}
	if err != nil {
		_ = file.Close()
	}
	return f, err
}
