package dataio

import (
	"compress/gzip"
	"io"

	"github.com/nervure/nervure/internal/durable"
)

// WriteFile writes a file whole or not at all: write fills a temporary file in
// the same directory, which takes the place of path only once it is safely on
// disk. If anything fails, an existing file stays as it was. The writer that write gets
// is buffered.
//
// An error of write is returned as it is. A path that cannot be written to is
// an [input.Error].
func WriteFile(path string, write func(io.Writer) error) error { return durable.WriteFile(path, write) }

// writeAs writes path in a format with a capability, by its extension, compressed
// if it ends in .gz.
func writeAs(path string, to Capability, encode func(io.Writer, Format) error) error {
	c, err := chooseCodec(path, "", to)
	if err != nil {
		return err
	}
	_, gzipped := FormatOf(path)
	return durable.WriteFile(path, func(w io.Writer) error {
		if !gzipped || !c.can(Gzips) {
			return encode(w, c.format)
		}
		z := gzip.NewWriter(w)
		if err := encode(z, c.format); err != nil {
			return err
		}
		return z.Close()
	})
}
