package node

import (
	"kardia/model/timeline"
	"kardia/ui/screen"
)

// Field implements screen.Fielder: what the pane in front is about.
func (v *View) Field(*screen.Snapshot) (f timeline.Field, ok bool) {
	switch v.focus {
	case paneTaints:
		return timeline.Field{Kind: timeline.TaintField, Node: v.name}, v.name != ""
	case paneFacts:
		return timeline.Field{Kind: timeline.CordonField, Node: v.name}, v.name != ""
	}
	return f, false
}
