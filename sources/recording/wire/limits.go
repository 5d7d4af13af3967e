package wire

// Limits. A file that exceeds one is damaged or hostile, and is not read beyond. A Writer stays within them.
const (
	// MaxRows is the most Changes of a page.
	MaxRows = 1 << 16
	// MaxItems is the most conditions, taints, tolerations and the like of a page or a message.
	MaxItems = 1 << 20
	// MaxChunk is the most bytes of a chunk or the index, uncompressed.
	MaxChunk = 32 << 20
	// MaxMessage is the most bytes of a message; a page ends before.
	MaxMessage = 6 << 20
	// MaxKeyframe is the most bytes of a keyframe.
	MaxKeyframe = 24 << 20
	// MaxPages, MaxKeyframes, MaxChunks and MaxNotes (gaps, bookmarks, readings of the clock) are for a file.
	MaxPages     = 1 << 20
	MaxKeyframes = 1 << 16
	MaxChunks    = 1 << 20
	MaxNotes     = 1 << 16
	MaxSources   = 1 << 16
	MaxCounts    = 1 << 16
	// MaxMeta is the most bytes of the metadata.
	MaxMeta = 4 << 20
	// PerByte is the most Changes of a file per byte. A renewal takes two or three bytes, a perfectly regular one less.
	PerByte = 64
	// MaxPosition is the most Changes of a file.
	MaxPosition = 1 << 40
	// MaxList is the most elements of a list of one object, like its conditions.
	MaxList = 1 << 12
)
