package input

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLine is the longest line that is read whole; a longer one is skipped and reported.
const MaxLine = 16 << 20

// Line is one line of a file, without its end. Data is valid until the next one is read.
type Line struct {
	Data   []byte
	Number int   // from 1
	Offset int64 // of its first byte, in the decompressed text
	// TooLong: the line exceeds MaxLine; Data is only its beginning.
	TooLong bool
	// Unended: the file ends in the middle of this line.
	Unended bool
	// Within: the piece before this one started the line. More: the next one continues it. See Lines.Piece.
	Within, More bool
}

// Lines reads a file line by line. It skips blank lines, but counts them.
type Lines struct {
	r      *bufio.Reader
	number int
	offset int64
	joined []byte
	within bool // the last piece was no whole line
}

// NewLines reads the lines of r.
func NewLines(r *Reader) *Lines { return &Lines{r: r.Reader, offset: r.Padding} }

// Piece is the next line, or what the buffer has of it, with further pieces Within. So lines of any length can be read.
// Its errors are those of Next.
func (l *Lines) Piece() (Line, error) {
	within := l.within
	if !within {
		l.skipBlank()
		l.number++
	}
	line := Line{Number: l.number, Offset: l.offset, Within: within}
	piece, err := l.r.ReadSlice('\n')
	l.offset += int64(len(piece))
	l.within = errors.Is(err, bufio.ErrBufferFull)
	switch {
	case l.within:
		line.Data, line.More = piece, true
		return line, nil
	case err == nil:
		line.Data = bytes.TrimSuffix(piece[:len(piece)-1], []byte("\r"))
		return line, nil
	}
	line.Data, line.Unended = piece, true
	if errors.Is(err, io.EOF) && len(piece) > 0 {
		err = nil
	}
	return line, err
}

// skipBlank skips lines of white space, a buffer at a time: a small compressed file may unpack to a billion.
func (l *Lines) skipBlank() {
	for {
		_, _ = l.r.Peek(1) // which fills the buffer
		held, _ := l.r.Peek(l.r.Buffered())
		blank := 0
		for i, c := range held {
			if c == '\n' {
				blank, l.number = i+1, l.number+1
			} else if c != ' ' && c != '\t' && c != '\r' {
				break
			}
		}
		_, _ = l.r.Discard(blank)
		if l.offset += int64(blank); blank == 0 || blank < len(held) {
			return
		}
	}
}

// Next is the next line, or io.EOF after the last. On any other error the line has the bytes before it.
func (l *Lines) Next() (Line, error) {
	line, err := l.Piece()
	if !line.More {
		line.Data = bytes.TrimSuffix(line.Data, []byte("\r"))
		return line, err
	}
	l.joined = l.joined[:0]
	for piece := line; ; piece, err = l.Piece() {
		room := MaxLine - len(l.joined)
		line.TooLong = line.TooLong || len(piece.Data) > room
		l.joined = append(l.joined, piece.Data[:min(len(piece.Data), room)]...)
		if line.More, line.Unended = piece.More, piece.Unended; !piece.More {
			break
		}
	}
	line.Data = bytes.TrimSuffix(l.joined, []byte("\r"))
	if cap(l.joined) > 4<<20 && len(l.joined) < 1<<20 {
		l.joined = nil // do not hold on to the memory of one huge line
	}
	if errors.Is(err, io.EOF) {
		err = nil // it ends behind the line
	}
	return line, err
}
