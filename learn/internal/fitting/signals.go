package fitting

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/sparse"
)

// Signals are the signals a method works on: the vertices that vary, in a
// scale where nothing overflows and in an order that depends on the values
// alone. Relabelled or reordered signals then give the same numbers, and so the
// same bits in every later step.
//
// Signals are rows: it is by signals that all work is shared out. There is no other
// copy of them.
type Signals struct {
	Rows     *mat.Dense // Yᵀ, M×N; the mean of the vertex where an entry is missing
	Vertices []int      // column k is this vertex of the input
	Signals  []int      // row k is this signal of the input
	Unit     float64    // the signals as given are unit·y
	Rounding []float64  // energy of the rounding errors that signal k came with
	Missing  [][]int32  // columns that row k does not have; nil if none is missing anywhere
}

// Count returns how many signals there are.
func (p Signals) Count() int {
	m, _ := p.Rows.Dims()
	return m
}

// FindMissing lists the entries, NaN, that are missing.
func (p *Signals) FindMissing() {
	p.Missing = nil
	m, _ := p.Rows.Dims()
	for s := range m {
		for i, v := range p.Rows.RawRowView(s) {
			if math.IsNaN(v) {
				if p.Missing == nil {
					p.Missing = make([][]int32, m)
				}
				p.Missing[s] = append(p.Missing[s], int32(i))
			}
		}
	}
}

// observed returns a copy of the entries of signal s that are not missing, in room if
// there is enough. It is never the signal itself: the last bits of gonum's sums depend
// on whether a slice begins at a multiple of 16 bytes.
func (p Signals) observed(room []float64, s int) []float64 {
	row, from := p.Rows.RawRowView(s), 0
	room = room[:0]
	if p.Missing != nil {
		for _, i := range p.Missing[s] {
			room = append(room, row[from:i]...)
			from = int(i) + 1
		}
	}
	return append(room, row[from:]...)
}

// Fill replaces each missing entry by the mean of its vertex, for what can only be
// computed from complete signals. Unlike in [signals.FillMissing], means are plain:
// the unit keeps them from overflowing, and their last bits are part of every answer.
func (p Signals) Fill() {
	if p.Missing == nil {
		return
	}
	m, n := p.Rows.Dims()
	gaps := make([][]int, n) // signals that a vertex is missing from
	for s, rows := range p.Missing {
		for _, i := range rows {
			gaps[i] = append(gaps[i], s)
		}
	}
	seen := make([]float64, 0, m)
	for i, list := range gaps {
		seen = seen[:0]
		from := 0
		for _, gap := range append(list, m) {
			for s := from; s < gap; s++ {
				seen = append(seen, p.Rows.At(s, i))
			}
			from = gap + 1
		}
		mean := portable.Sum(seen) / float64(max(len(seen), 1))
		for _, s := range list {
			p.Rows.Set(s, i, mean)
		}
	}
}

// Arrange takes the given vertices of the signals, those that vary.
func Arrange(y *mat.Dense, vertices []int) Signals {
	p := InOrder(y, vertices)
	p.Rounding = roundingEnergy(y, p)
	p.Fill()
	return p
}

// InOrder takes the given vertices of the signals in the scale and the order of
// [prepared]. Missing entries are listed and still NaN.
func InOrder(y *mat.Dense, vertices []int) Signals {
	_, m := y.Dims()
	p := Signals{Unit: UnitOf(y), Vertices: vertices}
	rows := make([][]float64, len(vertices))
	for k, i := range vertices {
		rows[k] = y.RawRowView(i)
	}
	p.arrange(rows, m)
	p.FindMissing()
	return p
}

// Subset returns the given signals only.
func (p Signals) Subset(some []int) Signals {
	out := p
	out.Rows, out.Signals, out.Rounding, out.Missing = matrix.Rows(p.Rows, some), nil, nil, nil
	for _, s := range some {
		out.Signals, out.Rounding = append(out.Signals, p.Signals[s]), append(out.Rounding, p.Rounding[s])
	}
	if slices.ContainsFunc(some, func(s int) bool { return p.Missing != nil && len(p.Missing[s]) > 0 }) {
		for _, s := range some {
			out.Missing = append(out.Missing, p.Missing[s])
		}
	}
	out.Fill()
	return out
}

// arrange fills yt with the rows, which are vertices, in the order of their sorted
// values, and the signals in the order of theirs from the first vertex on.
func (p *Signals) arrange(rows [][]float64, m int) {
	order := p.orderOf(rows)
	vertices := p.Vertices
	p.Vertices = make([]int, len(rows))
	for k, i := range order {
		p.Vertices[k] = vertices[i]
	}
	p.Signals = matrix.Sorted(m, func(a, b int) int {
		for _, i := range order {
			if c := cmp.Compare(rows[i][a]/p.Unit, rows[i][b]/p.Unit); c != 0 {
				return c
			}
		}
		return 0
	})
	p.Rows = mat.NewDense(m, len(rows), nil)
	to := p.Rows.RawMatrix()
	for k, i := range order {
		for s, from := range p.Signals {
			to.Data[s*to.Stride+k] = rows[i][from] / p.Unit
		}
	}
}

// orderOf returns the order of the rows by their sorted values in the unit, in which
// NaN come first. The least value nearly always decides, so rows are sorted only where
// it does not.
func (p *Signals) orderOf(rows [][]float64) []int {
	gaps, least := make([]int, len(rows)), make([]float64, len(rows))
	for k, row := range rows {
		least[k] = math.Inf(1)
		for _, v := range row {
			if math.IsNaN(v) {
				gaps[k]++
			} else {
				least[k] = min(least[k], v/p.Unit)
			}
		}
	}
	sorted := make([][]float64, len(rows))
	values := func(k int) []float64 {
		if sorted[k] == nil {
			sorted[k] = slices.Clone(rows[k])
			for s := range sorted[k] {
				sorted[k][s] /= p.Unit
			}
			slices.Sort(sorted[k])
		}
		return sorted[k]
	}
	return matrix.Sorted(len(rows), func(a, b int) int {
		if c := cmp.Or(cmp.Compare(gaps[b], gaps[a]), cmp.Compare(least[a], least[b])); c != 0 {
			return c
		}
		return slices.Compare(values(a), values(b))
	})
}

// LargestValue returns the largest absolute value, 0 if all are missing.
func LargestValue(y *mat.Dense) float64 {
	n, _ := y.Dims()
	var largest float64
	for i := range n {
		for _, v := range y.RawRowView(i) {
			if !math.IsNaN(v) {
				largest = max(largest, math.Abs(v))
			}
		}
	}
	return largest
}

// UnitOf returns the power of two, which changes no digit, in whose scale the
// largest value is between 1 and 2; 1 if there is none.
func UnitOf(y *mat.Dense) float64 {
	largest := LargestValue(y)
	if largest == 0 {
		return 1
	}
	_, exponent := math.Frexp(largest)
	return math.Ldexp(1, exponent-1)
}

// TransposedInUnits sets dst to yᵀ divided by a unit, whose inverse may be infinite.
func TransposedInUnits(dst linalg.Dense, y *mat.Dense, unit float64) {
	n, _ := y.Dims()
	for i := range n {
		for s, v := range y.RawRowView(i) {
			dst.Data[s*dst.Stride+i] = v / unit
		}
	}
}

// AsGiven takes all vertices and signals as they come, in a scale where
// nothing overflows: on a known graph a vertex that never varies has something to
// say.
func AsGiven(y *mat.Dense) Signals {
	p := InUnits(y, UnitOf(y))
	p.Rounding = roundingEnergy(y, p)
	p.Fill()
	return p
}

// InUnits takes all vertices and signals as they come, in the given unit. Missing
// entries are listed and still NaN.
func InUnits(y *mat.Dense, unit float64) Signals {
	n, m := y.Dims()
	p := Signals{Rows: mat.NewDense(m, n, nil), Unit: unit, Vertices: matrix.Span(0, n), Signals: matrix.Span(0, m)}
	TransposedInUnits(p.Rows.RawMatrix(), y, unit)
	p.FindMissing()
	return p
}

// VertexRows returns the values of the given vertices, each over all signals; room is
// used if it is large enough.
func VertexRows(room linalg.Dense, yt *mat.Dense, from, upto int) linalg.Dense {
	m, _ := yt.Dims()
	if room.Cols != m || len(room.Data) < (upto-from)*m {
		room = linalg.NewDense(upto-from, m)
	}
	room.Rows = upto - from
	for s := range m {
		for k, v := range yt.RawRowView(s)[from:upto] {
			room.Data[k*m+s] = v
		}
	}
	return room
}

// VertexBlock is how many vertices vertexRows takes at a time: they share the cache
// lines of each signal.
const VertexBlock = 8

// EmbedCodes renumbers atoms and signals to those of the input, with its n
// vertices, and undoes the unit.
func (p Signals) EmbedCodes(c *sparse.Code, n int) *sparse.Code {
	own, m := c.Dims()
	varying := len(p.Vertices)
	out := sparse.NewCode(own/varying*n, m, c.Sparsity())
	var atoms []int32
	var coefs []float64
	for s := range m {
		atom, coef := c.Column(s)
		atoms, coefs = atoms[:0], coefs[:0]
		for q, j := range atom {
			k, v := int(j)/varying, int(j)%varying
			atoms, coefs = append(atoms, int32(k*n+p.Vertices[v])), append(coefs, coef[q]*p.Unit)
		}
		out.SetColumn(p.Signals[s], atoms, coefs)
	}
	return out
}

// WithoutCommonMode returns the signals with the mean of each over the vertices
// taken out.
func (p Signals) WithoutCommonMode() Signals {
	p.Rows = mat.DenseCopyOf(p.Rows)
	p.SubtractCommonMode()
	p.Fill()
	return p
}

// SubtractCommonMode takes the mean over the vertices out of each signal, and
// returns it; zero for a signal that has no values.
func (p Signals) SubtractCommonMode() []float64 {
	m, n := p.Rows.Dims()
	mode, room := make([]float64, m), make([]float64, 0, n)
	for s := range mode {
		seen := p.observed(room, s)
		if len(seen) == 0 {
			continue
		}
		mode[s] = portable.Sum(seen) / float64(len(seen))
		floats.AddConst(-mode[s], p.Rows.RawRowView(s))
	}
	return mode
}
