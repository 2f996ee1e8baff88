package learn

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/signals"
)

// prepared are the signals a method works on: the vertices that vary, in a
// scale where nothing overflows and in an order that depends on the values
// alone. Relabelled or reordered signals then give the same numbers, and so the
// same bits in every later step.
//
// Signals are rows: it is by signals that all work is shared out. There is no other
// copy of them.
type prepared struct {
	yt       *mat.Dense // Yᵀ, M×N; the mean of the vertex where an entry is missing
	vertices []int      // column k is this vertex of the input
	signals  []int      // row k is this signal of the input
	unit     float64    // the signals as given are unit·y
	rounding []float64  // energy of the rounding errors that signal k came with
	missing  [][]int32  // columns that row k does not have; nil if none is missing anywhere
}

// count returns how many signals there are.
func (p prepared) count() int {
	m, _ := p.yt.Dims()
	return m
}

// findMissing lists the entries, NaN, that are missing.
func (p *prepared) findMissing() {
	p.missing = nil
	m, _ := p.yt.Dims()
	for s := range m {
		for i, v := range p.yt.RawRowView(s) {
			if math.IsNaN(v) {
				if p.missing == nil {
					p.missing = make([][]int32, m)
				}
				p.missing[s] = append(p.missing[s], int32(i))
			}
		}
	}
}

// observed returns a copy of the entries of signal s that are not missing, in room if
// there is enough. It is never the signal itself: the last bits of gonum's sums depend
// on whether a slice begins at a multiple of 16 bytes.
func (p prepared) observed(room []float64, s int) []float64 {
	row, from := p.yt.RawRowView(s), 0
	room = room[:0]
	if p.missing != nil {
		for _, i := range p.missing[s] {
			room = append(room, row[from:i]...)
			from = int(i) + 1
		}
	}
	return append(room, row[from:]...)
}

// fill replaces each missing entry by the mean of its vertex, for what can only be
// computed from complete signals. Unlike in [signals.FillMissing], means are plain:
// the unit keeps them from overflowing, and their last bits are part of every answer.
func (p prepared) fill() {
	if p.missing == nil {
		return
	}
	m, n := p.yt.Dims()
	gaps := make([][]int, n) // signals that a vertex is missing from
	for s, rows := range p.missing {
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
				seen = append(seen, p.yt.At(s, i))
			}
			from = gap + 1
		}
		mean := portable.Sum(seen) / float64(max(len(seen), 1))
		for _, s := range list {
			p.yt.Set(s, i, mean)
		}
	}
}

// prepare takes the given vertices of the signals, those that vary.
func prepare(y *mat.Dense, vertices []int) prepared {
	p := inOrder(y, vertices)
	p.rounding = roundingEnergy(y, p)
	p.fill()
	return p
}

// inOrder takes the given vertices of the signals in the scale and the order of
// [prepared]. Missing entries are listed and still NaN.
func inOrder(y *mat.Dense, vertices []int) prepared {
	_, m := y.Dims()
	p := prepared{unit: unitOf(y), vertices: vertices}
	rows := make([][]float64, len(vertices))
	for k, i := range vertices {
		rows[k] = y.RawRowView(i)
	}
	p.arrange(rows, m)
	p.findMissing()
	return p
}

// subset returns the given signals only.
func (p prepared) subset(some []int) prepared {
	out := p
	out.yt, out.signals, out.rounding, out.missing = signals.Rows(p.yt, some), nil, nil, nil
	for _, s := range some {
		out.signals, out.rounding = append(out.signals, p.signals[s]), append(out.rounding, p.rounding[s])
	}
	if slices.ContainsFunc(some, func(s int) bool { return p.missing != nil && len(p.missing[s]) > 0 }) {
		for _, s := range some {
			out.missing = append(out.missing, p.missing[s])
		}
	}
	out.fill()
	return out
}

// arrange fills yt with the rows, which are vertices, in the order of their sorted
// values, and the signals in the order of theirs from the first vertex on.
func (p *prepared) arrange(rows [][]float64, m int) {
	order := p.orderOf(rows)
	vertices := p.vertices
	p.vertices = make([]int, len(rows))
	for k, i := range order {
		p.vertices[k] = vertices[i]
	}
	p.signals = sortedIndex(m, func(a, b int) int {
		for _, i := range order {
			if c := cmp.Compare(rows[i][a]/p.unit, rows[i][b]/p.unit); c != 0 {
				return c
			}
		}
		return 0
	})
	p.yt = mat.NewDense(m, len(rows), nil)
	to := p.yt.RawMatrix()
	for k, i := range order {
		for s, from := range p.signals {
			to.Data[s*to.Stride+k] = rows[i][from] / p.unit
		}
	}
}

// orderOf returns the order of the rows by their sorted values in the unit, in which
// NaN come first. The least value nearly always decides, so rows are sorted only where
// it does not.
func (p *prepared) orderOf(rows [][]float64) []int {
	gaps, least := make([]int, len(rows)), make([]float64, len(rows))
	for k, row := range rows {
		least[k] = math.Inf(1)
		for _, v := range row {
			if math.IsNaN(v) {
				gaps[k]++
			} else {
				least[k] = min(least[k], v/p.unit)
			}
		}
	}
	sorted := make([][]float64, len(rows))
	values := func(k int) []float64 {
		if sorted[k] == nil {
			sorted[k] = slices.Clone(rows[k])
			for s := range sorted[k] {
				sorted[k][s] /= p.unit
			}
			slices.Sort(sorted[k])
		}
		return sorted[k]
	}
	return sortedIndex(len(rows), func(a, b int) int {
		if c := cmp.Or(cmp.Compare(gaps[b], gaps[a]), cmp.Compare(least[a], least[b])); c != 0 {
			return c
		}
		return slices.Compare(values(a), values(b))
	})
}

// largestValue returns the largest absolute value, 0 if all are missing.
func largestValue(y *mat.Dense) float64 {
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

// unitOf returns the power of two, which changes no digit, in whose scale the
// largest value is between 1 and 2; 1 if there is none.
func unitOf(y *mat.Dense) float64 {
	largest := largestValue(y)
	if largest == 0 {
		return 1
	}
	_, exponent := math.Frexp(largest)
	return math.Ldexp(1, exponent-1)
}

// transposedInUnits sets dst to yᵀ divided by a unit, whose inverse may be infinite.
func transposedInUnits(dst linalg.Dense, y *mat.Dense, unit float64) {
	n, _ := y.Dims()
	for i := range n {
		for s, v := range y.RawRowView(i) {
			dst.Data[s*dst.Stride+i] = v / unit
		}
	}
}

// prepareAsGiven takes all vertices and signals as they come, in a scale where
// nothing overflows: on a known graph a vertex that never varies has something to
// say.
func prepareAsGiven(y *mat.Dense) prepared {
	p := inUnits(y, unitOf(y))
	p.rounding = roundingEnergy(y, p)
	p.fill()
	return p
}

// inUnits takes all vertices and signals as they come, in the given unit. Missing
// entries are listed and still NaN.
func inUnits(y *mat.Dense, unit float64) prepared {
	n, m := y.Dims()
	p := prepared{yt: mat.NewDense(m, n, nil), unit: unit, vertices: upTo(0, n), signals: upTo(0, m)}
	transposedInUnits(p.yt.RawMatrix(), y, unit)
	p.findMissing()
	return p
}

// vertexRows returns the values of the given vertices, each over all signals; room is
// used if it is large enough.
func vertexRows(room linalg.Dense, yt *mat.Dense, from, upto int) linalg.Dense {
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

// vertexBlock is how many vertices vertexRows takes at a time: they share the cache
// lines of each signal.
const vertexBlock = 8

// embedCodes renumbers atoms and signals to those of the input, with its n
// vertices, and undoes the unit.
func (p prepared) embedCodes(c *sparse.Code, n int) *sparse.Code {
	own, m := c.Dims()
	varying := len(p.vertices)
	out := sparse.NewCode(own/varying*n, m, c.Sparsity())
	var atoms []int32
	var coefs []float64
	for s := range m {
		atom, coef := c.Column(s)
		atoms, coefs = atoms[:0], coefs[:0]
		for q, j := range atom {
			k, v := int(j)/varying, int(j)%varying
			atoms, coefs = append(atoms, int32(k*n+p.vertices[v])), append(coefs, coef[q]*p.unit)
		}
		out.SetColumn(p.signals[s], atoms, coefs)
	}
	return out
}
