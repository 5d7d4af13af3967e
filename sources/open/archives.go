package open

import (
	"kardia/sources/read/archive"
	"kardia/sources/read/input"
)

// unpack replaces archives by their members. done frees their memory, once all is read.
func (b *builder) unpack(files []input.File) (all []input.File, done func(), err error) {
	var members *archive.Unpacked
	done = func() {
		if members != nil {
			_ = members.Close()
		}
	}
	for _, f := range files {
		if b.looksLike(f) != isArchive {
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
	return members.Unpack(b.ctx, f, r, ours)
}

// looksLike is a file's format. One that cannot be opened is reported where it is read.
func (b *builder) looksLike(f input.File) *format {
	r, err := b.progress.open(b.ctx, f)
	if err != nil {
		return isEmpty
	}
	defer func() { _ = r.Close() }()
	if r.Compression != "" {
		b.packed[f.Path] = true
	}
	is, _, _ := sniff(r)
	return is
}
