// Package container is a recording's file as MCAP has it (https://mcap.dev): records, chunks compressed
// with zstd, and attachments. It knows nothing of what the messages in it mean.
package container
