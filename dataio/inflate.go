package dataio

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
)

// Compressed files may be far larger than they look, by mistake or by malice.
// Measurements rarely shrink by more than a factor of ten, tables of zeros by a
// hundred; deflate can reach a thousand.
const (
	inflateFreely = 8 << 20 // bytes that no one asks about
	inflateRatio  = 250     // above them, the most by which data may grow
	maxStream     = 1 << 31 // bytes kept of a stream that has to be kept whole
)

// An inflater reads decompressed data, up to where it grows beyond reason.
type inflater struct {
	r       io.Reader
	written int64
	read    func() int64 // compressed bytes so far, or in all
}

func (z *inflater) Read(p []byte) (int, error) {
	n, err := z.r.Read(p)
	z.written += int64(n)
	if z.written > inflateFreely && z.written/inflateRatio > z.read() {
		return 0, fault("it decompresses to more than %d times its size: if that is meant, save it without compression", inflateRatio)
	}
	return n, err
}

// Runs of one value in Parquet files and zeros of sparse matrices take next to
// nothing, so that much of a file may be these; but not all.
const (
	growFreely = 64 << 20 // bytes of values that no one asks about
	growRatio  = 1000
)

// checkGrowth refuses to make so many values of data that takes size bytes.
func checkGrowth(values, size int64) error {
	if bytes := 8 * values; bytes > growFreely && bytes/growRatio > size {
		return fault("it grows to more than %d times its size: if that is meant, write it as .npy", growRatio)
	}
	return nil
}

// A counter counts the bytes read through it.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// gunzipped returns r buffered, and decompressed if it starts as gzip does.
func gunzipped(r io.Reader) (*bufio.Reader, error) {
	count := &counter{r: r}
	b := bufio.NewReaderSize(count, inputBuffer)
	if magic, _ := b.Peek(2); string(magic) != "\x1f\x8b" {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(&inflater{r: z, read: func() int64 { return count.n }}, inputBuffer), nil
}

// seekable returns a file that is read here and there: itself, or a copy in
// memory of what is a stream or gzipped.
func seekable(r io.Reader) (at io.ReaderAt, size int64, err error) {
	if f, ok := r.(*os.File); ok {
		magic := make([]byte, 2)
		info, err := f.Stat()
		if err == nil && info.Mode().IsRegular() {
			if _, _ = f.ReadAt(magic, 0); string(magic) != "\x1f\x8b" {
				return f, info.Size(), nil
			}
		}
	}
	b, err := gunzipped(r)
	if err != nil {
		return nil, 0, err
	}
	all, err := io.ReadAll(io.LimitReader(b, maxStream+1))
	if err != nil {
		return nil, 0, err
	}
	if len(all) > maxStream {
		return nil, 0, fault("there are more than %d bytes in the stream: give it as a file", maxStream)
	}
	return bytes.NewReader(all), int64(len(all)), nil
}
