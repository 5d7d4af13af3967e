package wire

// Limits. A file that exceeds one is damaged or hostile: anything beyond is not read. A Writer stays within them.
const (
	// MaxRows is how many Changes a page may hold.
	MaxRows = 1 << 16
	// MaxItems is how many conditions, taints, tolerations and the like a page or a message
	// may hold.
	MaxItems = 1 << 20
	// MaxChunk is how many bytes a chunk, and the index, may have, uncompressed.
	MaxChunk = 32 << 20
	// MaxMessage is how many bytes a message may have; a page is ended before it has as many.
	MaxMessage = 6 << 20
	// MaxKeyframe is how many bytes a keyframe may have.
	MaxKeyframe = 24 << 20
	// maxPages, maxKeyframes, maxChunks, maxNotes: how many a file may have. Notes are gaps,
	// marks and readings of the clock.
	MaxPages     = 1 << 20
	MaxKeyframes = 1 << 16
	MaxChunks    = 1 << 20
	MaxNotes     = 1 << 16
	MaxSources   = 1 << 16
	MaxCounts    = 1 << 16
	// MaxMeta is how many bytes the metadata may have.
	MaxMeta = 4 << 20
	// PerByte is how many Changes a file may hold for each of its bytes: a renewal takes two
	// or three, but a perfectly regular one takes less.
	PerByte = 64
	// MaxPosition is how many Changes a file may hold.
	MaxPosition = 1 << 40
	// MaxList is how many elements a list of one object may have, as its conditions.
	MaxList = 1 << 12
)
