package model

import "strconv"

// Counted is a number with its noun: "1 pod", "3 pods".
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
