package recording

// Limits. A file that exceeds one is damaged or hostile: what lies beyond is not read. A Writer
// stays within them.
const (
	// maxRows is how many Changes a page may hold.
	maxRows = 1 << 16
	// maxItems is how many conditions, taints, tolerations and the like a page or a message
	// may hold.
	maxItems = 1 << 20
	// maxChunk is how many bytes a chunk, and the index, may have, uncompressed.
	maxChunk = 32 << 20
	// maxMessage is how many bytes a message may have; a page is ended before it has as many.
	maxMessage = 6 << 20
	// maxKeyframe is how many bytes a keyframe may have.
	maxKeyframe = 24 << 20
	// maxPages, maxKeyframes, maxChunks, maxNotes: how many a file may have. Notes are gaps,
	// marks and readings of the clock.
	maxPages     = 1 << 20
	maxKeyframes = 1 << 16
	maxChunks    = 1 << 20
	maxNotes     = 1 << 16
	maxSources   = 1 << 16
	maxCounts    = 1 << 16
	// maxMeta is how many bytes the metadata may have.
	maxMeta = 4 << 20
	// perByte is how many Changes a file may hold for each of its bytes: a renewal takes two
	// or three, but a perfectly regular one takes less.
	perByte = 64
	// maxPosition is how many Changes a file may hold.
	maxPosition = 1 << 40
	// maxList is how many elements a list of one object may have, as its conditions.
	maxList = 1 << 12
)
