// Package names makes names as Kubernetes does: Suffix(r, 5) is like x7k2p.
package names

import (
	"fmt"
	"math/rand/v2"

	"kardia/model"
)

// alphabet is that of Kubernetes' random suffixes.
const alphabet = "bcdfghjklmnpqrstvwxz2456789"

// Suffix is the random part of a name: n letters and digits.
func Suffix(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

// UID is a random UUID, version 4.
func UID(r *rand.Rand) model.UID {
	hi, lo := r.Uint64(), r.Uint64()
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(3<<62) | 1<<63
	return model.ParseUID(fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xffff, hi&0xffff, lo>>48, lo&(1<<48-1)), nil)
}
