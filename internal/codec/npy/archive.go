package npy

import (
	"archive/zip"
	"errors"
	"io"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/codec/inflate"
)

// ArchiveMagic is how archives start.
const ArchiveMagic = "PK\x03\x04"

// ErrArchive says that a file is not an archive, or that it is cut short.
var ErrArchive = errors.New("npy: not an archive, or cut short")

// A Member is an array of an archive.
type Member struct {
	Name string // without .npy

	file *zip.File
}

// OpenArchive lists the arrays of an archive.
func OpenArchive(r io.ReaderAt, size int64) ([]Member, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, ErrArchive
	}
	var members []Member
	for _, f := range z.File {
		if name, ok := strings.CutSuffix(f.Name, ".npy"); ok {
			members = append(members, Member{name, f})
		}
	}
	return members, nil
}

// Read calls read with the array's header and a reader of its data, which fails
// with inflate.ErrRatio where that grows beyond reason.
func (m Member) Read(read func(Header, io.Reader) error) error {
	r, err := m.file.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	data := inflate.NewReader(r, func() int64 { return int64(m.file.CompressedSize64) })
	h, err := ReadHeader(data)
	if err != nil {
		return err
	}
	return read(h, data)
}

// Header reads the header of the array.
func (m Member) Header() (h Header, err error) {
	err = m.Read(func(header Header, _ io.Reader) error { h = header; return nil })
	return h, err
}

// An ArchiveWriter writes arrays into an archive.
type ArchiveWriter struct{ z *zip.Writer }

// NewArchiveWriter starts an archive.
func NewArchiveWriter(w io.Writer) *ArchiveWriter { return &ArchiveWriter{zip.NewWriter(w)} }

// Matrix adds a matrix under a name.
func (a *ArchiveWriter) Matrix(name string, m mat.Matrix) error {
	w, err := a.z.Create(name + ".npy")
	if err != nil {
		return err
	}
	return WriteMatrix(w, m)
}

// Texts adds an array of text under a name.
func (a *ArchiveWriter) Texts(name string, texts []string) error {
	w, err := a.z.Create(name + ".npy")
	if err != nil {
		return err
	}
	return WriteTexts(w, texts)
}

// Close ends the archive.
func (a *ArchiveWriter) Close() error { return a.z.Close() }
