package dataio

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// decodeNPZ reads signals from a NumPy archive. An array "names" of text names
// the vertices.
func decodeNPZ(r io.Reader, o ReadOptions) (*signals.Set, error) {
	at, size, err := seekable(r)
	if err != nil {
		return nil, err
	}
	z, err := zipReader(at, size)
	if err != nil {
		return nil, err
	}
	var names []string
	var held []variable
	var files []*zip.File // of held
	for _, f := range z.File {
		name, ok := strings.CutSuffix(f.Name, ".npy")
		if !ok {
			continue
		}
		if name == "names" {
			if names, err = readNames(f); err != nil {
				return nil, inArray(name, err)
			}
			continue
		}
		h, err := arrayHeader(f)
		if err != nil {
			return nil, inArray(name, err)
		}
		held, files = append(held, variable{name, h.shape}), append(files, f)
	}
	if len(held) == 0 {
		return nil, fault("the archive holds no NumPy array: write it with numpy.savez")
	}
	k, err := pick(held, o.Variable, "archive")
	if err != nil {
		return nil, err
	}
	a, err := readArray(files[k], o)
	if err != nil {
		return nil, inArray(held[k].name, err)
	}
	return a.signals(names, o.Transpose)
}

func zipReader(r io.ReaderAt, size int64) (*zip.Reader, error) {
	if size == 0 {
		return nil, fault("the file is empty")
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fault("this is not a NumPy archive, or it is cut short: write it with numpy.savez, or copy it again")
	}
	return z, nil
}

// inArray says in which array of the archive something is wrong.
func inArray(name string, err error) error {
	if e, ok := err.(*input.Error); ok { //nolint:errorlint // only our own, as it is
		e.Msg = "array " + quote(name) + ": " + e.Msg
	}
	return err
}

func arrayHeader(f *zip.File) (npyHeader, error) {
	r, err := inflated(f)
	if err != nil {
		return npyHeader{}, err
	}
	defer r.Close()
	return readNPYHeader(r)
}

// readArray reads no further than the header's shape asks for, whatever the
// archive could be inflated to.
func readArray(f *zip.File, o ReadOptions) (*array, error) {
	r, err := inflated(f)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return readNPY(r, o)
}

// inflated opens a file of an archive.
func inflated(f *zip.File) (io.ReadCloser, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{&inflater{r: r, read: func() int64 { return int64(f.CompressedSize64) }}, r}, nil
}

// readNames reads an array of text.
func readNames(f *zip.File) ([]string, error) {
	r, err := inflated(f)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	h, err := readNPYHeader(r)
	if err != nil {
		return nil, err
	}
	if h.kind != 'U' && h.kind != 'S' || len(h.shape) != 1 {
		return nil, fault("it holds %s of shape %s, but names are a list of text: save it as numpy.array(names, dtype=str)", quote(h.descr), h.shapeString())
	}
	size := h.size
	if h.kind == 'U' {
		size *= 4
	}
	const maxBytes = 1 << 28
	if h.shape[0] > maxVertices || size > maxBytes/max(h.shape[0], 1) {
		return nil, fault("it claims %d names of %d bytes: that is too much", h.shape[0], size)
	}
	var names []string
	item := make([]byte, size)
	for i := range h.shape[0] {
		if _, err := io.ReadFull(r, item); err != nil {
			return nil, shortRead(err, fault("the data ends after %d of %d names: copy or save the file again", i, h.shape[0]))
		}
		name := string(bytes.TrimRight(item, "\x00"))
		if h.kind == 'U' {
			name = utf32(item, h.order)
		}
		names = append(names, name)
	}
	return names, checkNames(names, func(i int) string { return fmt.Sprintf("entry [%d]", i) })
}

// checkNames refuses names that cannot be written or are given twice; place is
// where each of them stands.
func checkNames(names []string, place func(i int) string) error {
	for i, name := range names {
		if err := checkName(name); err != nil {
			return fault("%s: %s", place(i), err)
		}
	}
	return distinct(names, func(i int) (string, int, int) { return place(i), 0, 0 })
}

// utf32 decodes text padded with zeros. What is not a character becomes U+FFFD.
func utf32(b []byte, order binary.ByteOrder) string {
	var s []rune
	for ; len(b) >= 4; b = b[4:] {
		c := order.Uint32(b)
		if c > utf8.MaxRune {
			c = utf8.RuneError
		}
		s = append(s, rune(c))
	}
	return strings.TrimRight(string(s), "\x00")
}

type namedMatrix struct {
	name string
	m    mat.Matrix
}

// writeNPZ writes an archive of a matrix and, unless they are nil, names.
func writeNPZ(w io.Writer, a namedMatrix, names []string) error {
	z := zip.NewWriter(w)
	f, err := z.Create(a.name + ".npy")
	if err != nil {
		return err
	}
	if err := writeNPY(f, a.m); err != nil {
		return err
	}
	if names != nil {
		if f, err = z.Create("names.npy"); err != nil {
			return err
		}
		if err := writeNames(f, names); err != nil {
			return err
		}
	}
	return z.Close()
}

// writeNames writes an array of text, as numpy.save writes a list of strings.
func writeNames(w io.Writer, names []string) error {
	width := 1
	for _, name := range names {
		width = max(width, utf8.RuneCountInString(name))
	}
	if err := writeNPYHeader(w, fmt.Sprintf("<U%d", width), fmt.Sprintf("(%d,)", len(names))); err != nil {
		return err
	}
	for _, name := range names {
		item := make([]byte, 0, 4*width)
		for _, c := range name {
			item = binary.LittleEndian.AppendUint32(item, uint32(c))
		}
		if _, err := w.Write(item[:cap(item)]); err != nil {
			return err
		}
	}
	return nil
}
