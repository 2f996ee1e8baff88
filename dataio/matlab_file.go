package dataio

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"slices"

	"github.com/nervure/nervure/input"
)

// What a MATLAB array can be. Classes from matDouble to matUint64 are numbers.
const (
	matCell   = 1
	matStruct = 2
	matChar   = 4
	matSparse = 5
	matDouble = 6
	matUint8  = 9
	matUint64 = 15
	matOpaque = 17 // string arrays, tables and other objects
)

// A matFile is a MATLAB file of version 5 to 7: variables one after another,
// each perhaps compressed.
type matFile struct {
	at        io.ReaderAt
	order     binary.ByteOrder
	variables []matVariable
}

type matVariable struct {
	variable
	class   byte
	complex bool

	start, size int64 // its data in the file
	compressed  bool
}

// openMAT finds the variables of a file without reading their values.
func openMAT(r io.Reader) (*matFile, error) {
	at, size, err := seekable(r)
	if err != nil {
		return nil, err
	}
	if size == 0 {
		return nil, fault("the file is empty")
	}
	f := &matFile{at: at}
	if err := f.readHeader(); err != nil {
		return nil, err
	}
	for start := int64(matHeader); start < size; {
		tag := make([]byte, 8)
		if _, err := at.ReadAt(tag, start); err != nil {
			return nil, shortRead(err, matCut())
		}
		kind, length := f.order.Uint32(tag), int64(f.order.Uint32(tag[4:]))
		if kind>>16 != 0 { // the data is in the tag, and so no variable
			start += 8
			continue
		}
		start += 8
		if length > size-start {
			return nil, matCut()
		}
		if kind == miMatrix || kind == miCompressed {
			v := matVariable{start: start, size: length, compressed: kind == miCompressed}
			if _, err := f.open(&v); err != nil {
				return nil, err
			}
			if v.name != "" { // what belongs to objects has no name
				f.variables = append(f.variables, v)
			}
		}
		start += length
		if kind != miCompressed {
			start += -length & 7
		}
	}
	return f, nil
}

// readHeader tells the versions apart, and the order of bytes.
func (f *matFile) readHeader() error {
	const newer = "this is a MATLAB v7.3 (HDF5) file, which cannot be read: save it with '-v7'"
	header := make([]byte, matHeader)
	n, err := f.at.ReadAt(header, 0)
	if bytes.HasPrefix(header, []byte("\x89HDF")) || bytes.HasPrefix(header, []byte("MATLAB 7.3")) {
		return fault(newer)
	}
	if n >= 20 && slices.Contains(header[:4], 0) && header[0] < 0x80 { // four digits as a number
		return fault("this is a MATLAB v4 file, which cannot be read: save it with '-v7'")
	}
	if err != nil {
		return shortRead(err, matUnknown())
	}
	switch string(header[126:]) {
	case "IM":
		f.order = binary.LittleEndian
	case "MI":
		f.order = binary.BigEndian
	default:
		return matUnknown()
	}
	switch version := f.order.Uint16(header[124:]); version {
	case 0x0100:
		return nil
	case 0x0200:
		return fault(newer)
	}
	return matUnknown()
}

func matUnknown() *input.Error {
	return fault("this is not a MATLAB file: save it with save('signals.mat', 'Y', '-v7')")
}

func matCut() *input.Error { return fault("the file is cut short: copy or save it again") }

// open returns the data of a variable after its header, and notes what that
// says in v.
func (f *matFile) open(v *matVariable) (*matStream, error) {
	var r io.Reader = io.NewSectionReader(f.at, v.start, v.size)
	if v.compressed {
		z, err := zlib.NewReader(r)
		if err != nil {
			return nil, err
		}
		s := &matStream{r: &inflater{r: z, read: func() int64 { return v.size }}, order: f.order}
		kind, _, body, err := s.next()
		if err != nil {
			return nil, err
		}
		if kind != miMatrix {
			v.name = "" // nothing that we know
			return s, nil
		}
		r = body
	}
	s := &matStream{r: r, order: f.order}
	return s, s.header(v)
}
