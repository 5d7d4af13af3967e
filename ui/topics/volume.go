package topics

import (
	"kardia/model"
	"kardia/model/explain/volumes"
	"kardia/ui/doc"
	"kardia/ui/words"
)

// Volume is the state of a volume that hangs on a node.
func Volume(v *volumes.Volume, now model.Instant) (doc.Tone, words.Say) {
	tone := doc.Plain
	switch v.State {
	case volumes.Counting:
		tone = doc.Predicted
	case volumes.Stuck, volumes.Overdue:
		tone = doc.Warn
	}
	switch {
	case v.State == volumes.Asked:
		return tone, words.Of("volume.says-asked", "name", v.Called(), "state", VolumeState(v), "for", now.Sub(v.Asked))
	case v.Detached.Known():
		return tone, words.Of("volume.says-when", "name", v.Called(), "state", VolumeState(v), "when", volumeWhen(v, now))
	}
	return tone, words.Of("volume.says", "name", v.Called(), "state", VolumeState(v))
}

func volumeWhen(v *volumes.Volume, now model.Instant) words.Say {
	return words.Of("volume.when", "countdown", words.Ahead{From: now, Window: v.Detached}, "window", v.Detached)
}

// VolumeState is its state, without its name and times.
func VolumeState(v *volumes.Volume) words.Say {
	pods := Names(keys(v.By), ", ", 3)
	return words.Of("volume.unclear-by", "pods", pods).If(v.State == volumes.Unclear && len(v.By) > 0).Or(words.Of("volume.state."+v.State.String(), "n", len(v.By), "pods", pods))
}

// VolumesAssume is the assumption behind times of volumes, VolumesAssumePredicted that behind undeleted pods'.
func VolumesAssume() words.Say          { return words.Of("volume.assumed") }
func VolumesAssumePredicted() words.Say { return words.Of("volume.assumed-predicted") }
