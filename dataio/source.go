package dataio

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/checkpoint/disk"
	"github.com/nervure/nervure/internal/codec/inflate"
	"github.com/nervure/nervure/internal/durable"
)

// inputBuffer is what is read ahead; formats and separators are told from it.
const inputBuffer = 64 << 10

// checkText refuses the start of a file that is not text as we read it.
func checkText(start []byte) error {
	if text := bytes.TrimSpace(start); bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') >= 0 {
		return fault("the lines end in CR alone, as on computers long gone: save the file with LF or CRLF")
	}
	return nil
}

// maxStream is how many bytes are kept of a stream that has to be kept whole.
const maxStream = 1 << 31

// inflateFault puts into words that compressed data grows beyond reason. Other
// errors stay.
func inflateFault(err error) error {
	if errors.Is(err, inflate.ErrRatio) {
		return fault("it decompresses to more than %d times its size: if that is meant, save it without compression", inflate.Ratio)
	}
	return err
}

// Runs of one value in Parquet files and zeros of sparse matrices take next to
// nothing, so that much of a file may be these; but not all.
const (
	growFreely = 64 << 20 // bytes of values that no one asks about
	growRatio  = 1000
)

// checkGrowth refuses to make that many values of data that takes size bytes.
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
func gunzipped(r io.Reader) (content *bufio.Reader, compressed bool, err error) {
	count := &counter{r: r}
	b := bufio.NewReaderSize(count, inputBuffer)
	if magic, _ := b.Peek(2); string(magic) != "\x1f\x8b" {
		return b, false, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, true, err
	}
	return bufio.NewReaderSize(inflate.NewReader(z, func() int64 { return count.n }), inputBuffer), true, nil
}

// onDisk returns a file as it is if it can be read here and there: if it is neither a
// stream nor gzipped.
func onDisk(r io.Reader) (at io.ReaderAt, size int64, ok bool) {
	f, ok := r.(*os.File)
	if !ok {
		return nil, 0, false
	}
	magic := make([]byte, 2)
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, 0, false
	}
	if _, _ = f.ReadAt(magic, 0); string(magic) == "\x1f\x8b" {
		return nil, 0, false
	}
	return f, info.Size(), true
}

// seekable returns a file that is read here and there: itself, or a copy in
// memory of what is a stream or gzipped. An empty file is an error.
func seekable(r io.Reader) (at io.ReaderAt, size int64, err error) {
	at, size, ok := onDisk(r)
	if !ok {
		b, _, err := gunzipped(r)
		if err != nil {
			return nil, 0, err
		}
		all, err := io.ReadAll(io.LimitReader(b, maxStream+1))
		if err != nil {
			return nil, 0, err
		}
		at, size = bytes.NewReader(all), int64(len(all))
	}
	switch {
	case size == 0:
		return nil, 0, fault("the file is empty")
	case !ok && size > maxStream:
		return nil, 0, fault("there are more than %d bytes in the stream: give it as a file", maxStream)
	}
	return at, size, nil
}

// WriteFile writes a file whole or not at all: write fills a temporary file in
// the same directory, which takes the place of path only once it is safely on
// disk. If anything fails, an existing file stays as it was. The writer that write gets
// is buffered.
//
// An error of write is returned as it is. A path that cannot be written to is
// an [input.Error].
func WriteFile(path string, write func(io.Writer) error) error { return durable.WriteFile(path, write) }

// fromFile reads what is in a file.
func fromFile[T any](path string, read func(io.Reader) (T, error)) (value T, err error) {
	file, err := durable.Open(path)
	if err != nil {
		return value, err
	}
	defer file.Close()
	return read(file)
}

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

// readContent calls read with what the functions of a codec read: r, without its
// compression unless the codec sees to that. Compressed data is then read to its end,
// where its checksum is compared; if that is wrong, so may be what read says. After an
// error the end is looked for only nearby: a long stream need not come to it before a
// mistake in its first line is answered.
func readContent[T any](c *codec, r io.Reader, read func(io.Reader) (T, error)) (value T, err error) {
	if c.seeks {
		return read(r)
	}
	content, compressed, err := gunzipped(r)
	if err != nil {
		return value, err
	}
	value, err = read(content)
	if !compressed {
		return value, err
	}
	var rest io.Reader = content
	if err != nil {
		rest = io.LimitReader(content, afterError)
	}
	if _, wrong := io.Copy(io.Discard, rest); wrong != nil && (err == nil || damaged(wrong)) {
		err = wrong
	}
	return value, err
}

// afterError is how many bytes of compressed data are looked at for damage after an error.
const afterError = 4 << 20

// A Checkpoint is a folder that keeps what a run has come to, so that it can go on
// after its process has died:
//
//	id, err := nervure.RunIdentity(signals, options)
//	saved, err := dataio.OpenCheckpoint("run", id, true)
//	analysis, err := nervure.Learn(saved.Context(ctx), signals, options)
//	err = saved.Remove()
type Checkpoint = disk.Checkpoint

// OpenCheckpoint returns the checkpoint in a folder, which is made if it is not there,
// for a run of that identity. Unless the run is to resume, there must be nothing in it. A
// checkpoint of another run, a damaged one, and a folder of other files are an [input.Error].
func OpenCheckpoint(dir string, id checkpoint.Identity, resume bool) (*Checkpoint, error) {
	return disk.Open(dir, id, disk.Options{Resume: resume})
}
