package model

import "iter"

// Each yields the elements of a list where they are, so that large ones are not copied and all may be changed.
func Each[T any](list []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// Where yields the elements of a list for which is holds, where they are.
func Where[T any](list []T, is func(*T) bool) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for x := range Each(list) {
			if is(x) && !yield(x) {
				return
			}
		}
	}
}
