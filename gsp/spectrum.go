package gsp

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
)

// A Spectrum is the eigendecomposition L = U·diag(e)·Uᵀ.
//
// Every eigenvector lives on one component. Its sign is such that its entry of
// largest modulus is positive, the first of equals. Where eigenvalues are equal,
// only the energy in all of their space has a meaning.
type Spectrum struct {
	Values []float64 // e_0 ≤ e_1 ≤ …, the frequencies

	threads linalg.Threads
	blocks  []block
}

// A block is the spectrum of one component.
type block struct {
	vertices []int
	vectors  linalg.Dense // in columns, on the vertices
	place    []int        // of each eigenvector in Values
}

// Spectrum computes the spectrum; later calls return the same. A component of more
// than [MaxExact] vertices is an [*input.Error].
func (l *Laplacian) Spectrum() (*Spectrum, error) {
	if !l.IsExact() {
		return nil, input.Completef("gsp.Spectrum", input.Graph, "a component has more than %d vertices, too many to compute its frequencies", l.mostExact)
	}
	l.once.Do(func() { l.spectrum, l.fault = l.decompose() })
	return l.spectrum, l.fault
}

func (l *Laplacian) decompose() (*Spectrum, error) {
	type wave struct {
		value            float64
		component, place int
	}
	var waves []wave
	s := &Spectrum{Values: make([]float64, l.Vertices()), threads: linalg.Threads(l.Threads)}
	for c, vertices := range l.components {
		eigen := linalg.NewEigen(len(vertices))
		eigen.Threads = s.threads
		l.denseBlock(eigen.Vectors, vertices)
		if err := eigen.Factorize(); err != nil {
			return nil, fmt.Errorf("gsp: %w", err)
		}
		if len(vertices) > 1 {
			eigen.Values[0] = 0 // but for rounding
		}
		fixSigns(eigen.Vectors)
		for k, v := range eigen.Values {
			waves = append(waves, wave{max(v, 0), c, k})
		}
		s.blocks = append(s.blocks, block{vertices, eigen.Vectors, make([]int, len(vertices))})
	}
	slices.SortFunc(waves, func(a, b wave) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.component, b.component), cmp.Compare(a.place, b.place))
	})
	for k, w := range waves {
		s.Values[k], s.blocks[w.component].place[w.place] = w.value, k
	}
	return s, nil
}

// denseBlock writes the part of L on the vertices of a component into dst, which is zero.
func (l *Laplacian) denseBlock(dst linalg.Dense, vertices []int) {
	place := make(map[int32]int, len(vertices))
	for k, v := range vertices {
		place[int32(v)] = k
	}
	for k, v := range vertices {
		row := linalg.Row(dst, k)
		row[k] = l.diagonal[v]
		for e := l.others.RowEnd[v]; e < l.others.RowEnd[v+1]; e++ {
			row[place[l.others.Col[e]]] = l.others.Val[e]
		}
	}
}

// fixSigns makes the entry of largest modulus of each column positive, the first of
// those that are equal but for rounding.
func fixSigns(vectors linalg.Dense) {
	const rounding = 1e-9
	largest := make([]float64, vectors.Cols)
	for i := range vectors.Rows {
		for k, v := range linalg.Row(vectors, i) {
			largest[k] = max(largest[k], math.Abs(v))
		}
	}
	sign := make([]float64, vectors.Cols)
	for i := range vectors.Rows {
		for k, v := range linalg.Row(vectors, i) {
			if sign[k] == 0 && math.Abs(v) >= largest[k]*(1-rounding) {
				sign[k] = math.Copysign(1, v)
			}
		}
	}
	for i := range vectors.Rows {
		row := linalg.Row(vectors, i)
		for k := range row {
			row[k] *= sign[k]
		}
	}
}

// Transform returns the graph Fourier transform Uᵀy of each signal: row l belongs to
// frequency Values[l].
func (s *Spectrum) Transform(y *mat.Dense) (*mat.Dense, error) {
	return s.change("gsp.Transform", y, false)
}

// Inverse returns U·waves, the signals with the given transforms.
func (s *Spectrum) Inverse(waves *mat.Dense) (*mat.Dense, error) {
	return s.change("gsp.Inverse", waves, true)
}

// change returns Uᵀy or, for the inverse, U·y, a component of the graph at a time.
func (s *Spectrum) change(op string, y *mat.Dense, inverse bool) (*mat.Dense, error) {
	if err := checkShape(op, y, len(s.Values)); err != nil {
		return nil, err
	}
	n, m := y.Dims()
	out := mat.NewDense(n, m, nil)
	for _, b := range s.blocks {
		from, to, multiply := b.vertices, b.place, s.threads.MulTransA
		if inverse {
			from, to, multiply = b.place, b.vertices, s.threads.Mul
		}
		changed := linalg.NewDense(len(from), m)
		multiply(changed, b.vectors, matrix.Rows(y, from).RawMatrix())
		put(out.RawMatrix(), to, changed)
	}
	return out, nil
}

// Filter returns g(L)·y = U·diag(g(e))·Uᵀ·y for the response g of the filter to
// each frequency, such as the Value of a kernel.Kernel.
func (s *Spectrum) Filter(y *mat.Dense, response func(frequency float64) float64) (*mat.Dense, error) {
	waves, err := s.Transform(y)
	if err != nil {
		return nil, err
	}
	for k, e := range s.Values {
		floats.Scale(response(e), waves.RawRowView(k))
	}
	return s.Inverse(waves)
}

// Energy returns for each frequency the mean of the squared transforms of the
// signals.
func (s *Spectrum) Energy(y *mat.Dense) ([]float64, error) {
	waves, err := s.Transform(y)
	if err != nil {
		return nil, err
	}
	energy := make([]float64, len(s.Values))
	for k := range energy {
		row := waves.RawRowView(k)
		energy[k] = linalg.Dot(row, row) / float64(len(row))
	}
	return energy, nil
}

// put writes some rows of a.
func put(a linalg.Dense, rows []int, some linalg.Dense) {
	for k, i := range rows {
		copy(linalg.Row(a, i), linalg.Row(some, k))
	}
}

// A Band is the waves of one frequency. Where several have the same, only their
// energy together has a meaning.
type Band struct {
	Frequency float64
	Waves     int     // how many have it
	Energy    float64 // of the signals in all of them, the mean over the signals
}

// Bands returns the energy of signals by frequency, in ascending order. The
// energies sum to the mean energy of the signals.
func (s *Spectrum) Bands(y *mat.Dense) ([]Band, error) {
	energy, err := s.Energy(y)
	if err != nil {
		return nil, err
	}
	const rounding = 1e-10 // of the largest frequency
	apart := rounding * s.Values[len(s.Values)-1]
	var bands []Band
	for k, e := range s.Values {
		if last := len(bands) - 1; last >= 0 && e-s.Values[k-1] <= apart {
			bands[last].Waves++
			bands[last].Energy += energy[k]
			continue
		}
		bands = append(bands, Band{e, 1, energy[k]})
	}
	return bands, nil
}
