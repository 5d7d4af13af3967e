package day

import (
	"fmt"

	"kardia/model"
)

var apps = [...]string{"checkout", "cart", "search", "ledger", "gateway", "ingest", "notify", "billing",
	"session", "catalog", "pricing", "render", "report", "scoring", "media", "worker"}

func zoneOf(zone int) model.ZoneKey {
	return model.ZoneKey{Region: "eu-west-1", Zone: "eu-west-1" + string(rune('a'+zone))}
}

func nodeName(i int) string { return fmt.Sprintf("ip-10-%d-%d-%d", 64+i/62500, i/250%250, 1+i%250) }
