// Package container is the MCAP container of a recording (https://mcap.dev): records, chunks compressed with zstd, and
// attachments. It does not interpret messages. Example: File.Resync finds the next whole chunk behind a damaged one.
package container
