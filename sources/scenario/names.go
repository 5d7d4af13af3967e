package scenario

import (
	"fmt"
	"math/rand/v2"

	"kardia/model"
)

// alphabet is what Kubernetes makes the random part of names from.
const alphabet = "bcdfghjklmnpqrstvwxz2456789"

func suffix(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

// uid is a random UUID, version 4.
func uid(r *rand.Rand) model.UID {
	hi, lo := r.Uint64(), r.Uint64()
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(3<<62) | 1<<63
	return model.ParseUID(fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xffff, hi&0xffff, lo>>48, lo&(1<<48-1)), nil)
}

var apps = [...]string{"checkout", "cart", "search", "ledger", "gateway", "ingest", "notify", "billing",
	"session", "catalog", "pricing", "render", "report", "scoring", "media", "worker"}

func zoneOf(zone int) model.Place {
	return model.Place{Region: "eu-west-1", Zone: "eu-west-1" + string(rune('a'+zone))}
}

func nodeName(i int) string { return fmt.Sprintf("ip-10-%d-%d-%d", 64+i/62500, i/250%250, 1+i%250) }
