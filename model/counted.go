package model

import "strconv"

// Counted is a number and what is counted, in words: one pod, many pods.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
