// Package matlab is the files of MATLAB, versions 5 to 7 (.mat): matrices, full or
// sparse, and text.
package matlab

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/nervure/nervure/internal/codec/inflate"
	"github.com/nervure/nervure/internal/codec/numeric"
)

// Magic is how files start that MATLAB itself writes.
const Magic = "MATLAB 5.0 MAT-file"

// What can be wrong with a file, beside the errors of numeric and inflate.
var (
	ErrFormat   = errors.New("matlab: not a MATLAB file")
	ErrVersion4 = errors.New("matlab: a file of version 4")
	ErrHDF5     = errors.New("matlab: a file of version 7.3, which is HDF5")
	ErrCut      = errors.New("matlab: the file is cut short")
	ErrDamaged  = errors.New("matlab: the data cannot be understood")
	ErrTooLarge = errors.New("matlab: sizes in the file have 32 bits, and the matrix needs more")
)

// A Class is what an array holds. Those from Double to Uint64 are full matrices of
// numbers.
type Class byte

// The classes.
const (
	Cell   Class = 1
	Struct Class = 2
	Char   Class = 4
	Sparse Class = 5
	Double Class = 6
	Uint8  Class = 9
	Uint64 Class = 15

	opaque Class = 17 // string arrays, tables and other objects
)

// IsNumeric reports whether arrays of the class hold numbers.
func (c Class) IsNumeric() bool { return c >= Sparse && c <= Uint64 }

// A File holds variables one after another, each perhaps compressed.
type File struct {
	Variables []Variable

	at    io.ReaderAt
	order binary.ByteOrder
}

// A Variable is an array under a name.
type Variable struct {
	Name    string
	Class   Class
	Complex bool
	Shape   []int // nil for objects
	Bytes   int64 // that it takes in the file, where it may be compressed

	start      int64
	compressed bool
}

// What an element of a file may hold.
const (
	miInt8       = 1
	miUint8      = 2
	miInt16      = 3
	miUint16     = 4
	miInt32      = 5
	miUint32     = 6
	miSingle     = 7
	miDouble     = 9
	miInt64      = 12
	miUint64     = 13
	miMatrix     = 14
	miCompressed = 15
	miUTF8       = 16
	miUTF16      = 17
	miUTF32      = 18
)

const headerBytes = 128

// Open finds the variables of a file. It checks that the compressed ones are whole,
// whether or not they will be read: damage could change under which name a variable is
// looked for. Those that grow beyond reason are left to who reads them. No name comes
// twice in a file that is whole.
func Open(at io.ReaderAt, size int64) (*File, error) {
	f := &File{at: at}
	if err := f.readHeader(); err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for start := int64(headerBytes); start < size; {
		tag := make([]byte, 8)
		n, err := at.ReadAt(tag, start)
		if len(bytes.Trim(tag[:n], "\x00")) == 0 { // no element, but perhaps padding
			if zero, wrong := allZero(io.NewSectionReader(at, start, size-start)); wrong != nil || zero {
				return f, wrong
			}
		}
		if n < len(tag) {
			return nil, numeric.IfShort(err, ErrCut)
		}
		kind, length := f.order.Uint32(tag), int64(f.order.Uint32(tag[4:]))
		start += 8
		if kind != miMatrix && kind != miCompressed { // nothing else is a variable
			return nil, ErrDamaged
		}
		if length > size-start {
			return nil, ErrCut
		}
		v := Variable{Bytes: length, start: start, compressed: kind == miCompressed}
		if v.compressed {
			if err := f.checkCompressed(v); err != nil && !errors.Is(err, inflate.ErrRatio) {
				return nil, err
			}
		}
		if _, err := f.open(&v); err != nil {
			return nil, err
		}
		if v.Name != "" { // what belongs to objects has no name
			if named[v.Name] { // other software takes the last one
				return nil, ErrDamaged
			}
			named[v.Name] = true
			f.Variables = append(f.Variables, v)
		}
		start += length
		if kind != miCompressed {
			start += -length & 7
		}
	}
	return f, nil
}

// allZero reports whether nothing but zeros is left: some programs and disks fill up files
// with them.
func allZero(r io.Reader) (bool, error) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := r.Read(buffer)
		if len(bytes.Trim(buffer[:n], "\x00")) > 0 {
			return false, nil
		}
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// readHeader tells the versions apart, and the order of bytes.
func (f *File) readHeader() error {
	header := make([]byte, headerBytes)
	n, err := f.at.ReadAt(header, 0)
	if bytes.HasPrefix(header, []byte("\x89HDF")) || bytes.HasPrefix(header, []byte("MATLAB 7.3")) {
		return ErrHDF5
	}
	if n >= 20 && slices.Contains(header[:4], 0) && header[0] < 0x80 { // four digits as a number
		return ErrVersion4
	}
	if err != nil {
		return numeric.IfShort(err, ErrFormat)
	}
	switch string(header[126:]) {
	case "IM":
		f.order = binary.LittleEndian
	case "MI":
		f.order = binary.BigEndian
	default:
		return ErrFormat
	}
	switch version := f.order.Uint16(header[124:]); version {
	case 0x0100:
		return nil
	case 0x0200:
		return ErrHDF5
	}
	return ErrFormat
}

// open returns the data of a variable after its header, and notes what that
// says in v.
func (f *File) open(v *Variable) (*stream, error) {
	var r io.Reader = io.NewSectionReader(f.at, v.start, v.Bytes)
	if v.compressed {
		z, err := zlib.NewReader(r)
		if err != nil {
			return nil, err
		}
		s := &stream{r: inflate.NewReader(z, func() int64 { return v.Bytes }), order: f.order}
		kind, _, body, err := s.next()
		if err != nil {
			return nil, err
		}
		if kind != miMatrix {
			v.Name = "" // nothing that we know
			return s, nil
		}
		r = body
	}
	s := &stream{r: r, order: f.order}
	return s, s.header(v)
}

// checkCompressed reads a compressed variable to its end, where its checksum is compared.
// Nothing but padding may follow.
func (f *File) checkCompressed(v Variable) error {
	r := bufio.NewReader(io.NewSectionReader(f.at, v.start, v.Bytes))
	z, err := zlib.NewReader(r)
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, inflate.NewReader(z, func() int64 { return v.Bytes })); err != nil {
		return err
	}
	const most = 7 // bytes up to a multiple of eight
	rest, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return err
	}
	if len(rest) > most || len(bytes.Trim(rest, "\x00")) > 0 {
		return ErrDamaged
	}
	return nil
}
