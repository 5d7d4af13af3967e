package live

import (
	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/sources/read/object"
)

// writerSince is the only field manager with a newer timestamp than any in the version before; else WriterUnknown. It
// holds for a version from a watch, which is one write, not for one of a list. All controllers of
// kube-controller-manager are one field manager, so their writes stay unknown.
func writerSince(managed gjson.Result, before model.Instant) (by model.Writer) {
	for _, e := range managed.Array() {
		if object.Time(e.Get("time")) <= before {
			continue
		}
		is := model.WriterOf(e.Get("manager").Str)
		if is == model.WriterUnknown || by != model.WriterUnknown && by != is {
			return model.WriterUnknown
		}
		by = is
	}
	return by
}
