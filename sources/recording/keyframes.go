package recording

import (
	"cmp"
	"errors"

	"kardia/model"
)

// listed ends the page where all that was there before has been told, so that there is a keyframe of
// it.
func (w *Writer) listed(ch *model.Change) error {
	k := w.keyframes
	if w.options.NoKeyframes || !k.endsList(ch) || !w.keyframeDue() {
		return nil
	}
	k.listing = false
	return errors.Join(w.endPage(), w.keyframe())
}

func (w *Writer) keyframeDue() bool {
	return w.keyframes.due(cmp.Or(w.options.keyframe, keyframeWeight))
}

// keyframe writes a keyframe where one is due: it and its layer in a chunk each.
func (w *Writer) keyframe() error {
	if w.keyframes.listing || !w.keyframeDue() || w.err != nil {
		return w.err
	}
	ref, head, layer, ok := w.keyframes.write(w.index.end(), w.sink.chunks(), w.dictionary)
	if !ok {
		return nil
	}
	w.index.keyframes = append(w.index.keyframes, ref)
	w.sink.add(message{channelKeyframe, uint32(ref.position), logTime(w.last), head})
	if err := w.endChunk(); err != nil {
		return err
	}
	w.sink.add(message{channelLayer, uint32(ref.position), logTime(w.last), layer})
	return w.endChunk()
}
