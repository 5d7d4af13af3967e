package learn

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Progress is how far a person has come in a lesson.
type Progress struct {
	// Beat is the last one, from 0.
	Beat      int  `json:"beat"`
	Right     int  `json:"right"`
	Questions int  `json:"questions"`
	Done      bool `json:"done"`
	// Answers are those given, by step; none once it is done, until it is repeated.
	Answers map[string]string `json:"answers,omitempty"`
}

// File keeps progress in a file; nil keeps none. What is not understood there counts as nothing, and is written over.
type File struct {
	path    string
	Lessons map[string]Progress `json:"lessons"`
}

// OpenFile reads the file at a path; one that does not exist is made when there is something to keep.
func OpenFile(path string) (*File, error) {
	f := &File{path: path}
	text, err := os.ReadFile(path)
	if json.Unmarshal(text, f) != nil || f.Lessons == nil {
		f.Lessons = map[string]Progress{}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return f, err
}

// Of is the kept progress of a lesson; the zero Progress for a new one.
func (f *File) Of(lesson string) (p Progress) {
	if f != nil {
		p = f.Lessons[lesson]
	}
	return p
}

// Keep writes the file again. A lesson that was done once stays so, with its best score.
func (f *File) Keep(lesson string, p Progress) error {
	if before := f.Lessons[lesson]; before.Done {
		p.Done, p.Right = true, max(p.Right, before.Right)
	}
	f.Lessons[lesson] = p
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return err
	}
	// Beside it first: a crash leaves the old file, or the new one.
	beside := f.path + ".new"
	if err := os.WriteFile(beside, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(beside, f.path)
}
