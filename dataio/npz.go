package dataio

import (
	"errors"
	"fmt"
	"io"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/codec/npy"
	"github.com/nervure/nervure/internal/codec/numeric"
	"github.com/nervure/nervure/signals"
)

// NPZ is an archive of NumPy arrays. Signals are the only matrix in it, or the one
// with a usual name ([ReadOptions]); an array called names names the vertices.
const NPZ Format = "npz"

var _ = register(codec{
	format: NPZ, Description: Description{Name: "NumPy archive"}, rank: 90,
	has:           []Capability{KeepsNames, HoldsVariables},
	signature:     signature{npy.ArchiveMagic, "a zip archive (.npz or a spreadsheet)", "name it .npz or export it as CSV"},
	seeks:         true,
	decodeSignals: decodeNPZSignals,
	encodeSignals: func(w io.Writer, s *signals.Set) error { return writeNPZ(w, "signals", s.Y.T(), s.Names) },
	encodeMatrix:  func(w io.Writer, m Matrix) error { return writeNPZ(w, "arr_0", m.Values, m.Names) },
})

// decodeNPZSignals reads signals from a NumPy archive. An array "names" of text
// names the vertices.
func decodeNPZSignals(r io.Reader, o ReadOptions) (*signals.Set, error) {
	at, size, err := seekable(r)
	if err != nil {
		return nil, err
	}
	members, err := npy.OpenArchive(at, size)
	if err != nil {
		return nil, fault("this is not a NumPy archive, or it is cut short: write it with numpy.savez, or copy it again")
	}
	var names []string
	var held []variable
	var arrays []npy.Member // of held
	for _, m := range members {
		if m.Name == "names" {
			if names, err = readNPZNames(m); err != nil {
				return nil, inPart("array", m.Name, err)
			}
			continue
		}
		h, err := m.Header()
		if err != nil {
			return nil, inPart("array", m.Name, npyFault(h, err))
		}
		held, arrays = append(held, variable{m.Name, h.Shape}), append(arrays, m)
	}
	if len(held) == 0 {
		return nil, fault("the archive holds no NumPy array: write it with numpy.savez")
	}
	k, err := pickVariable(held, o.Variable, "archive")
	if err != nil {
		return nil, err
	}
	var a *array
	err = arrays[k].Read(func(h npy.Header, data io.Reader) error {
		a, err = readNPYMatrix(h, data, o)
		return err
	})
	if err != nil {
		return nil, inPart("array", held[k].name, npyFault(npy.Header{}, err))
	}
	return a.signals(names, nil, o)
}

// readNPZNames reads an array of text.
func readNPZNames(m npy.Member) (names []string, err error) {
	err = m.Read(func(h npy.Header, data io.Reader) error {
		if !h.IsText() || len(h.Shape) != 1 {
			return fault("it holds %s of shape %s, but names are a list of text: save it as numpy.array(names, dtype=str)", quote(h.Descr), tuple(h.Shape))
		}
		const maxBytes = 1 << 28
		if h.Shape[0] > maxVertices || h.TextBytes() > maxBytes/max(h.Shape[0], 1) {
			return fault("it claims %d names of %d bytes: that is too much", h.Shape[0], h.TextBytes())
		}
		names, err = h.Texts(data)
		if e, ok := errors.AsType[*numeric.ShortError](err); ok {
			return fault("the data ends after %d of %d names: copy or save the file again", e.Read, e.Want)
		}
		return err
	})
	if err != nil {
		return nil, npyFault(npy.Header{}, err)
	}
	return names, checkNames(names, func(i int) string { return fmt.Sprintf("entry [%d]", i) })
}

// writeNPZ writes an archive of a matrix and, unless they are nil, names.
func writeNPZ(w io.Writer, name string, m mat.Matrix, names []string) error {
	z := npy.NewArchiveWriter(w)
	if err := z.Matrix(name, m); err != nil {
		return err
	}
	if names != nil {
		if err := z.Texts("names", names); err != nil {
			return err
		}
	}
	return z.Close()
}
