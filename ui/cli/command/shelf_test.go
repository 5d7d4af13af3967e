package command

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/sources/open"
)

// shelf keeps inputs that commands have read, with what the models found in them. Most tests run several commands about
// one input, which is then read and judged once. A command borrows an input and gives it back at its end, so that no
// two commands use it at the same time.
type shelf struct {
	sync.Mutex
	inputs []*input // not borrowed, the one that was given back last at the end
}

var shelved shelf

// mostInputs bounds the memory of a shelf.
const mostInputs = 16

// input is an input as it was opened.
type input struct {
	key    string
	opened *open.Opened
	found  map[judgedBy]*hypotheses.Found
}

// judgedBy is all that differs between the runs of the models over one input.
type judgedBy struct {
	params model.Params
	mode   infer.Mode
}

// borrower is what one command has borrowed, by what it got.
type borrower struct {
	from *shelf
	has  map[*open.Opened]*input
}

func (s *shelf) borrower() *borrower { return &borrower{s, map[*open.Opened]*input{}} }

// opens is open.Open, from the shelf if the input is there.
func (b *borrower) opens(ctx context.Context, paths []string, o open.Options) (*open.Opened, error) {
	key, ok := keyOf(paths, o)
	if !ok || ctx.Err() != nil {
		return open.Open(ctx, paths, o)
	}
	in := b.from.take(key)
	if in == nil {
		opened, err := open.Open(ctx, paths, o)
		if err != nil || len(opened.RecordingsRead()) > 0 { // recordings are closed by the command
			return opened, err
		}
		in = &input{key, opened, map[judgedBy]*hypotheses.Found{}}
	}
	lent := *in.opened
	lent.History = in.opened.History.Fork()
	b.has[&lent] = in
	return &lent, nil
}

// judges runs the models, or returns what they found earlier.
func (b *borrower) judges(opened *open.Opened, o infer.Options) (*hypotheses.Found, error) {
	in, by := b.has[opened], judgedBy{o.Params, o.Mode}
	if in == nil {
		return (&work{ctx: context.Background()}).judge(opened, o)
	}
	if in.found[by] == nil {
		found, err := (&work{ctx: context.Background()}).judge(in.opened, o)
		if err != nil {
			return nil, err
		}
		in.found[by] = found
	}
	return in.found[by], nil
}

// giveBack is called when the command has ended.
func (b *borrower) giveBack() {
	b.from.Lock()
	defer b.from.Unlock()
	for _, in := range b.has {
		b.from.inputs = append(b.from.inputs, in)
	}
	if more := len(b.from.inputs) - mostInputs; more > 0 {
		b.from.inputs = append([]*input(nil), b.from.inputs[more:]...)
	}
}

func (s *shelf) take(key string) *input {
	s.Lock()
	defer s.Unlock()
	for i := len(s.inputs) - 1; i >= 0; i-- {
		if in := s.inputs[i]; in.key == key {
			s.inputs = append(s.inputs[:i], s.inputs[i+1:]...)
			return in
		}
	}
	return nil
}

// keyOf is what an input depends on: its names, how they are read, and the sizes and times of the files. It is false for
// what may not be read twice, or is not there.
func keyOf(paths []string, o open.Options) (key string, ok bool) {
	key = fmt.Sprint(o.CapturedAt, o.Year, o.LogZone, o.LookBack)
	for _, path := range paths {
		key += "\n" + path
		if strings.HasPrefix(path, demoPrefix) || strings.HasPrefix(path, scenarioPrefix) {
			continue
		}
		if _, err := os.Stat(path); err != nil {
			at := strings.LastIndex(path, "@")
			if at < 0 {
				return "", false
			}
			path = path[:at]
		}
		err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := os.Stat(path)
			if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
				return fs.ErrInvalid
			}
			key += fmt.Sprint("\n", path, info.Size(), info.ModTime().UnixNano())
			return nil
		})
		if err != nil {
			return "", false
		}
	}
	return key, true
}
