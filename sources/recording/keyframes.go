package recording

import (
	"cmp"
	"errors"

	"kardia/model"
	"kardia/sources/recording/container"
	"kardia/sources/recording/snapshots"
)

// listed ends the page after the list of the objects that were there before, so that a keyframe follows it.
func (w *Writer) listed(ch *model.Change) error {
	k := w.keyframes
	if w.options.NoKeyframes || !k.EndsList(ch) || !w.keyframeDue() {
		return nil
	}
	k.Listing = false
	return errors.Join(w.endPage(), w.keyframe())
}

func (w *Writer) keyframeDue() bool {
	return w.keyframes.Due(cmp.Or(w.options.keyframe, snapshots.KeyframeWeight))
}

// keyframe writes a keyframe if one is due: it and its layer in a chunk each.
func (w *Writer) keyframe() error {
	if w.keyframes.Listing || !w.keyframeDue() || w.err != nil {
		return w.err
	}
	ref, head, layer, ok := w.keyframes.Write(w.index.end(), w.sink.Chunks(), w.dictionary)
	if !ok {
		return nil
	}
	w.index.keyframes = append(w.index.keyframes, ref)
	w.sink.Add(container.Message{Channel: channelKeyframe, Sequence: uint32(ref.Position), At: container.LogTime(w.last), Data: head})
	if err := w.endChunk(); err != nil {
		return err
	}
	w.sink.Add(container.Message{Channel: channelLayer, Sequence: uint32(ref.Position), At: container.LogTime(w.last), Data: layer})
	return w.endChunk()
}
