package dataio

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/codec/npy"
	"github.com/nervure/nervure/internal/codec/numeric"
	"github.com/nervure/nervure/signals"
)

var _ = register(codec{
	format: NPY, Description: Description{Name: "NumPy array", GraphAs: "W"}, rank: 80,
	has:           []Capability{KeepsIsolated, Gzips},
	signature:     signature{npy.Magic, "a NumPy array", "name it .npy"},
	seeks:         true,
	openBlocks:    openNPYBlocks,
	encodeSignals: func(w io.Writer, s *signals.Set) error { return npy.WriteMatrix(w, s.Y.T()) },
	encodeMatrix:  func(w io.Writer, m Matrix) error { return npy.WriteMatrix(w, m.Values) },
	decodeGraph:   decodeNPYGraph,
	encodeGraph:   func(w io.Writer, g GraphFile) error { return writeGraphNPY(w, g.Graph) },
})

// openNPYBlocks opens a NumPy array whose signals are read by blocks.
func openNPYBlocks(at io.ReaderAt, size int64, o ReadOptions) (*blocks, error) {
	start := &counter{r: io.NewSectionReader(at, 0, size)}
	h, err := npy.ReadHeader(start)
	if err != nil {
		return nil, npyFault(h, err)
	}
	if err := checkNPYMatrix(h, o); err != nil {
		return nil, err
	}
	m, err := h.OpenMatrix(at, start.n, size)
	if err != nil {
		return nil, npyFault(h, err)
	}
	b := &blocks{array: array{rows: h.Shape[0], cols: h.Shape[1]}, vertices: h.Shape[1], signals: h.Shape[0]}
	if o.Transpose {
		b.vertices, b.signals = b.signals, b.vertices
	}
	b.read = func(yield func(from int, y *mat.Dense) bool) error {
		room := make([]float64, min(blockSignals(b.vertices), b.signals)*b.vertices)
		for from := 0; from < b.signals; from += blockSignals(b.vertices) {
			upto := min(from+blockSignals(b.vertices), b.signals)
			part := room[:(upto-from)*b.vertices]
			if err := m.Rows(part, from, upto, o.Transpose); err != nil {
				return npyFault(h, err)
			}
			if !yield(from, newDense(part, upto-from, b.vertices, true)) {
				return nil
			}
		}
		return nil
	}
	return b, nil
}

// writeGraphNPY writes the weights W with all of their zeros.
func writeGraphNPY(w io.Writer, g *graph.Graph) error {
	const mend = "write the graph in a format that has its edges alone, such as .mtx or .mat"
	if err := checkDense(g.Vertices(), g.Vertices(), mend); err != nil {
		return err
	}
	return npy.WriteMatrix(w, g.Adjacency())
}

// decodeNPYGraph reads a NumPy array as a weight matrix.
func decodeNPYGraph(r io.Reader) (*parsedGraph, error) {
	content, _, err := gunzipped(r)
	if err != nil {
		return nil, err
	}
	h, err := npy.ReadHeader(content)
	if err != nil {
		return nil, npyFault(h, err)
	}
	a, err := readNPYMatrix(h, content, ReadOptions{})
	if err != nil {
		return nil, err
	}
	return a.weights()
}

// readNPYMatrix reads a numeric array of two dimensions.
func readNPYMatrix(h npy.Header, data io.Reader, o ReadOptions) (*array, error) {
	if err := checkNPYMatrix(h, o); err != nil {
		return nil, err
	}
	values, err := h.Numbers(data)
	if err != nil {
		return nil, npyFault(h, err)
	}
	return &array{rows: h.Shape[0], cols: h.Shape[1], value: values, byColumn: h.Fortran}, nil
}

// checkNPYMatrix refuses what is not a matrix of numbers.
func checkNPYMatrix(h npy.Header, o ReadOptions) error {
	switch {
	case h.IsObject():
		return fault("the array holds Python objects, not numbers: convert it with .astype(float) and save it again")
	case !h.IsNumeric():
		return fault("the array holds %s, not real numbers: convert it with .astype(float) and save it again", quote(h.Descr))
	case len(h.Shape) != 2:
		return fault("the array has shape %s, but two dimensions are needed: reshape it and save it again", tuple(h.Shape))
	case h.Shape[0] == 0 || h.Shape[1] == 0:
		return fault("the array is empty (shape %s)", tuple(h.Shape))
	}
	return o.checkSize(h.Shape[0], h.Shape[1], tuple(h.Shape))
}

// tuple writes a shape as Python does.
func tuple(shape []int) string {
	var parts []string
	for _, n := range shape {
		parts = append(parts, strconv.Itoa(n))
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// npyFault puts into words what is wrong with a NumPy array.
func npyFault(h npy.Header, err error) error {
	if e, ok := errors.AsType[*npy.HeaderSizeError](err); ok {
		return fault("the header claims to be %d bytes long: save the array again as plain numbers", e.Bytes)
	}
	if e, ok := errors.AsType[*npy.ShapeError](err); ok {
		return fault("the header gives the shape %s, which cannot be: save the array again", quote("("+e.Shape+")"))
	}
	if e, ok := errors.AsType[*numeric.ShortError](err); ok {
		return shortFault(e, h.Shape)
	}
	if errors.Is(err, npy.ErrTrailing) {
		return fault("there is more data than the header declares (%s of shape %s): save the array again", h.Descr, tuple(h.Shape))
	}
	return inSentence(inflateFault(err), map[error]string{
		npy.ErrEmpty:     "the file is empty",
		npy.ErrFormat:    "this is not a NumPy array: save it with numpy.save",
		npy.ErrHeaderCut: "the header is cut short: copy or save the file again",
		npy.ErrHeader:    "the header of the array cannot be understood: save it again with numpy.save",
	})
}

// shortFault says that the data of an array ends early.
func shortFault(e *numeric.ShortError, shape []int) error {
	return fault("the header declares %d values (shape %s) but the data ends after %d: copy or save the file again",
		e.Want, tuple(shape), e.Read)
}

var _ = register(codec{
	format: NPZ, Description: Description{Name: "NumPy archive"}, rank: 90,
	has:           []Capability{KeepsNames, HoldsVariables},
	signature:     signature{npy.ArchiveMagic, "a zip archive (.npz or a spreadsheet)", "name it .npz or export it as CSV"},
	seeks:         true,
	decodeSignals: decodeNPZSignals,
	encodeSignals: func(w io.Writer, s *signals.Set) error { return npy.WriteArchive(w, "signals", s.Y.T(), s.Names) },
	encodeMatrix:  func(w io.Writer, m Matrix) error { return npy.WriteArchive(w, "arr_0", m.Values, m.Names) },
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
			return fault(
				"it holds %s of shape %s, but names are a list of text: save it as numpy.array(names, dtype=str)",
				quote(h.Descr), tuple(h.Shape))
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
