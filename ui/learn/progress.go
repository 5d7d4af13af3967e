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
	lessons map[string]Progress
}

// OpenFile reads the file at a path; one that does not exist is made when there is something to keep.
func OpenFile(path string) (*File, error) {
	f := &File{path: path, lessons: map[string]Progress{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	var kept struct{ Lessons map[string]Progress }
	if json.Unmarshal(text, &kept) == nil && kept.Lessons != nil {
		f.lessons = kept.Lessons
	}
	return f, nil
}

// Of is the kept progress of a lesson; the zero Progress for a new one.
func (f *File) Of(lesson string) (p Progress) {
	if f != nil {
		p = f.lessons[lesson]
	}
	return p
}

// Keep writes the file again. A lesson that was done once stays so, with its best score.
func (f *File) Keep(lesson string, p Progress) error {
	if before := f.lessons[lesson]; before.Done {
		p.Done, p.Right = true, max(p.Right, before.Right)
	}
	f.lessons[lesson] = p
	text, err := json.MarshalIndent(struct {
		Lessons map[string]Progress `json:"lessons"`
	}{f.lessons}, "", "  ")
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
