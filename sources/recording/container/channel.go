package container

// Channel is a channel with its schema, as stock tools list them.
type Channel struct {
	ID                  uint16
	Topic, Encoding     string
	Schema, Description string
}

func (c *Channel) schemaEncoding() string {
	if c.Encoding == EncodingJSON {
		return "jsonschema"
	}
	return EncodingTyped
}

const (
	EncodingJSON  = "json"
	EncodingTyped = "kardia" // see docs/recording.md
)
