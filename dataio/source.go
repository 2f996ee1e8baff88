package dataio

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/codec/inflate"
)

// Open opens a file for reading by one of the Decode functions. A file that is not
// there, or cannot be opened, is an [input.Error].
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &input.Error{File: path, Msg: "there is no such file", Err: err}
	case err == nil && info.IsDir():
		return nil, &input.Error{File: path, Msg: "this is a directory: give a file in it", Err: syscall.EISDIR}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, inFile(path, err)
	}
	return f, nil
}

// ReadFile returns the content of a file, for what is to be decoded elsewhere. Faults
// are those of [Open].
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	content, err := io.ReadAll(f)
	if err != nil {
		return nil, inFile(path, err)
	}
	return content, nil
}

// inputBuffer is what is read ahead; formats and separators are told from it.
const inputBuffer = 64 << 10

// checkText refuses the start of a file that is not text as we read it.
func checkText(start []byte) error {
	if err := recognise(start); err != nil {
		return err
	}
	if bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")) {
		return fault("this is UTF-16 text: save it as UTF-8")
	}
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

// seekable returns a file that is read here and there: itself, or a copy in
// memory of what is a stream or gzipped. An empty file is an error.
func seekable(r io.Reader) (at io.ReaderAt, size int64, err error) {
	if at, size, err = seekableFrom(r); err == nil && size == 0 {
		err = fault("the file is empty")
	}
	return at, size, err
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

func seekableFrom(r io.Reader) (at io.ReaderAt, size int64, err error) {
	if at, size, ok := onDisk(r); ok {
		return at, size, nil
	}
	b, _, err := gunzipped(r)
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
