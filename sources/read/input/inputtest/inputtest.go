// Package inputtest makes inputs for tests.
package inputtest

import (
	"testing/fstest"

	"kardia/sources/read/input"
)

// File is a file of bytes in memory that the user named.
func File(path string, data []byte) input.File {
	files, err := input.FromFS(fstest.MapFS{"in/file": {Data: data}}, "in", "")
	if err != nil {
		panic(err)
	}
	files[0].Path, files[0].Named = path, true
	return files[0]
}
