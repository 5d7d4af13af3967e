package open

import (
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
	f, err := recording.NewTemporary("a scenario")
	if err != nil {
		return nil, err
	}
	played, err := b.play(s, name, f)
	if err != nil {
		_ = f.Close()
	}
	return played, err
}

func (b *builder) play(s *scenario.Scenario, name string, f recording.Temporary) (*recording.File, error) {
	w, err := recording.Create(f, s.Meta("", name), recording.Options{})
	if err != nil {
		return nil, err
	}
	if err := s.Record(b.ctx, w, func(played time.Duration) {
		if b.options.Played != nil {
			b.options.Played(played, s.Length, name)
		}
	}); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	return recording.OpenAt(f, size, name)
}
