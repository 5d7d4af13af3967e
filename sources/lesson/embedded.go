package lesson

import (
	"cmp"
	"embed"
	"io/fs"
	"slices"
	"sync"
)

//go:embed lessons
var files embed.FS

// Languages are those of every embedded lesson.
var Languages = []string{"en", "ko"}

// Names are the names of the embedded lessons, which are not read.
func Names() (list []string) {
	folders, _ := files.ReadDir("lessons")
	for _, f := range folders {
		list = append(list, f.Name())
	}
	return list
}

// Embedded are the lessons that come with Kardia, in the order of the course.
var Embedded = sync.OnceValue(func() (list []*Lesson) {
	for _, name := range Names() {
		folder, _ := fs.Sub(files, "lessons/"+name)
		l, err := Read(folder, name, "*")
		if err != nil {
			panic(err) // a file of ours: the tests read them all
		}
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b *Lesson) int { return cmp.Compare(a.Number, b.Number) })
	return list
})
