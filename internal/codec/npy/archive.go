package npy

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"io"
	"math"
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

// OpenArchive lists the arrays of an archive. What the archive says of a file at its end
// has no checksum; it must agree with what stands before the file.
func OpenArchive(r io.ReaderAt, size int64) ([]Member, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, ErrArchive
	}
	var members []Member
	for _, f := range z.File {
		if err := checkLocal(r, f); err != nil {
			return nil, err
		}
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

// Header reads the header of the array, and its data to the end, where the checksum is
// compared: damage could change which array is looked for. Data that grows beyond reason is left to who reads it.
func (m Member) Header() (h Header, err error) {
	err = m.Read(func(header Header, data io.Reader) error {
		h = header
		if _, err := io.Copy(io.Discard, data); !errors.Is(err, inflate.ErrRatio) {
			return err
		}
		return nil
	})
	return h, err
}

// checkLocal compares what is said of a file at the end of the archive and before its
// data. The second has a place for each number, but not always the number.
func checkLocal(r io.ReaderAt, f *zip.File) error {
	const fixed, absent, inDescriptor = 30, 1<<32 - 1, 8
	data, err := f.DataOffset()
	if err != nil {
		return ErrArchive
	}
	// The library keeps to itself where the header begins, which has two parts of any length.
	before := make([]byte, min(data, fixed+2*math.MaxUint16))
	if _, err := r.ReadAt(before, data-int64(len(before))); err != nil {
		return ErrArchive
	}
	for start := len(before) - fixed; start >= 0; start-- {
		h := before[start:]
		if string(h[:4]) != ArchiveMagic {
			continue
		}
		short := func(at int) uint16 { return binary.LittleEndian.Uint16(h[at:]) }
		long := func(at int) uint32 { return binary.LittleEndian.Uint32(h[at:]) }
		if name := int(short(26)); fixed+name+int(short(28)) != len(h) || string(h[fixed:fixed+name]) != f.Name {
			continue
		}
		differs := short(6) != f.Flags || short(8) != f.Method
		if f.Flags&inDescriptor == 0 {
			differs = differs || long(14) != f.CRC32 ||
				long(18) != absent &&
					uint64(long(18)) != f.CompressedSize64 || long(22) != absent && uint64(long(22)) != f.UncompressedSize64
		}
		if differs {
			return ErrArchive
		}
		return nil
	}
	return ErrArchive
}

// WriteArchive writes an archive of a matrix under a name and, unless they are nil, texts
// called names.
func WriteArchive(w io.Writer, name string, m mat.Matrix, names []string) error {
	z := zip.NewWriter(w)
	array, err := z.Create(name + ".npy")
	if err == nil {
		err = WriteMatrix(array, m)
	}
	if err == nil && names != nil {
		if array, err = z.Create("names.npy"); err == nil {
			err = WriteTexts(array, names)
		}
	}
	if err != nil {
		return err
	}
	return z.Close()
}
