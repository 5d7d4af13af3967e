package open

import (
	"kardia/sources/read/archive"
	"kardia/sources/read/input"
	"kardia/sources/recording"
)

// unpack puts the members of archives in their places. What it returns last gives back the room they
// take, once all is read.
func (b *builder) unpack(files []input.File) (all []input.File, done func(), err error) {
	var members *archive.Unpacked
	done = func() {
		if members != nil {
			_ = members.Close()
		}
	}
	for _, f := range files {
		if !b.begins(f, archive.Sniff) {
			all = append(all, f)
			continue
		}
		if members == nil {
			if members, err = archive.New(); err != nil {
				return nil, done, err
			}
		}
		inside, err := b.unpackOne(members, f)
		if b.ctx.Err() != nil {
			done()
			return nil, done, b.ctx.Err()
		}
		if err == nil {
			err = inside.Broken
		}
		if err != nil {
			b.problem(b.source(f.Path, "archive"), 0, 0, err.Error())
		}
		for _, m := range inside.Files {
			b.progress.expect(m)
		}
		b.passed += inside.Left
		all = append(all, inside.Files...)
	}
	input.ByPath(all)
	return all, done, nil
}

func (b *builder) unpackOne(members *archive.Unpacked, f input.File) (archive.Contents, error) {
	r, err := b.progress.open(b.ctx, f)
	if err != nil {
		return archive.Contents{}, err
	}
	defer func() { _ = r.Close() }()
	return members.Unpack(b.ctx, f, r, func(m *input.Reader) bool { return begins(m, recording.Sniff) || ours(m) })
}

// begins looks at the first bytes of a file.
func (b *builder) begins(f input.File, sniff func(head []byte) bool) bool {
	r, err := b.progress.open(b.ctx, f)
	if err != nil {
		return false // reported where it is read
	}
	defer func() { _ = r.Close() }()
	if r.Compression != "" {
		b.packed[f.Path] = true
	}
	return begins(r, sniff)
}

// begins looks at the first bytes of the opened file.
func begins(r *input.Reader, sniff func(head []byte) bool) bool {
	head, _ := r.Peek(512)
	return sniff(head)
}
