package open

import (
	"context"
	"time"

	"kardia/sources/read/input"
)

// progress is how much of all files was read. A file is opened several times, and counts once.
type progress struct {
	told        func(done, total int64, what string) // nil if unused
	waits       func(what string)                    // nil if unused
	patience    time.Duration                        // before waits is called
	read        map[string]int64                     // of each file, by its path
	done, total int64
}

func (p *progress) expect(f input.File) { p.total += max(f.Size, 0) }

// open opens a file, and reports how far it is read; for a pipe, that Kardia waits for it.
func (p *progress) open(ctx context.Context, f input.File) (*input.Reader, error) {
	if f.Size < 0 {
		return p.await(ctx, f)
	}
	r, err := f.Open(ctx)
	if err == nil {
		r.Tell = func(done int64) { p.reached(f, done) }
	}
	return r, err
}

// await opens a pipe, and reports if nothing is written into it for a while.
func (p *progress) await(ctx context.Context, f input.File) (*input.Reader, error) {
	p.tell(0, 0, f.Path)
	if p.waits != nil {
		told := make(chan struct{})
		timer := time.AfterFunc(p.patience, func() {
			p.waits(f.Path)
			close(told)
		})
		defer func() {
			if !timer.Stop() {
				<-told
			}
		}()
	}
	return f.Open(ctx)
}

func (p *progress) reached(f input.File, done int64) {
	if done = min(done, f.Size); done > p.read[f.Path] {
		p.done += done - p.read[f.Path]
		p.read[f.Path] = done
	}
	p.tell(p.done, p.total, f.Path)
}

func (p *progress) tell(done, total int64, what string) {
	if p.told != nil {
		p.told(done, total, what)
	}
}
