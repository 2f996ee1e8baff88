// Package inflate guards against compressed data that is far larger than it
// looks, by mistake or by malice.
package inflate

import (
	"errors"
	"io"
)

// Measurements rarely shrink by more than a factor of ten, tables of zeros by a
// hundred; deflate can reach a thousand.
const (
	// Ratio is the most by which data may grow.
	Ratio = 250
	// freely is how many bytes may come out of any data.
	freely = 8 << 20
)

// ErrRatio says that data has grown by more than [Ratio].
var ErrRatio = errors.New("inflate: the data grows beyond reason")

// NewReader returns a reader of inflated data that fails with [ErrRatio] where
// the data grows beyond reason. compressed is how many bytes it was made of, so
// far or in all.
func NewReader(inflated io.Reader, compressed func() int64) io.Reader {
	return &reader{r: inflated, compressed: compressed}
}

type reader struct {
	r          io.Reader
	read       int64
	compressed func() int64
}

func (z *reader) Read(p []byte) (int, error) {
	n, err := z.r.Read(p)
	z.read += int64(n)
	if z.read > freely && z.read/Ratio > z.compressed() {
		return 0, ErrRatio
	}
	return n, err
}
