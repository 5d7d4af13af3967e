package recording

// channelInfo is a channel with its schema, as stock tools list them.
type channelInfo struct {
	id                  uint16
	topic, encoding     string
	schema, description string
}

func (c *channelInfo) schemaEncoding() string {
	if c.encoding == encodingJSON {
		return "jsonschema"
	}
	return encodingTyped
}

const (
	encodingJSON  = "json"
	encodingTyped = "kardia" // see docs/recording.md
)
