package learn

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/sparse"
)

// prepared are the signals a recipe works on: the vertices that vary, in a
// scale where nothing overflows and in an order that depends on the values
// alone. Relabelled or reordered signals then give the same numbers, and so the
// same bits in every later step.
type prepared struct {
	y        *mat.Dense
	vertices []int     // row k is this vertex of the input
	signals  []int     // column k is this signal of the input
	unit     float64   // the signals as given are unit·y
	rounding []float64 // energy of the rounding errors that signal k came with
	missing  [][]int32 // rows that are NaN in column k; nil if none is anywhere
}

// observed returns the entries that are not missing.
func observed(row []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(row), math.IsNaN)
}

// findMissing lists the entries that are missing.
func (p *prepared) findMissing() {
	n, m := p.y.Dims()
	for i := range n {
		for s, v := range p.y.RawRowView(i) {
			if math.IsNaN(v) {
				if p.missing == nil {
					p.missing = make([][]int32, m)
				}
				p.missing[s] = append(p.missing[s], int32(i))
			}
		}
	}
}

// filled returns y with each missing entry replaced by the mean of its vertex, for
// what can only be computed from complete signals; y itself if none is missing.
// Unlike in [signals.FillMissing], means are plain: the unit keeps them from
// overflowing, and their last bits are part of every answer.
func (p *prepared) filled() *mat.Dense {
	if p.missing == nil {
		return p.y
	}
	y := mat.DenseCopyOf(p.y)
	n, _ := y.Dims()
	for i := range n {
		row := y.RawRowView(i)
		seen := observed(row)
		mean := floats.Sum(seen) / float64(max(len(seen), 1))
		for s, v := range row {
			if math.IsNaN(v) {
				row[s] = mean
			}
		}
	}
	return y
}

// prepare takes the given vertices of the signals, those that vary.
func prepare(y *mat.Dense, vertices []int) prepared {
	p := inOrder(y, vertices)
	p.findMissing()
	p.rounding = roundingEnergy(y, p)
	return p
}

// inOrder takes the given vertices of the signals in the scale and the order of
// [prepared], and finds out nothing else about them.
func inOrder(y *mat.Dense, vertices []int) prepared {
	_, m := y.Dims()
	p := prepared{unit: unitOf(y), vertices: vertices}
	rows := make([][]float64, len(vertices))
	for k, i := range vertices {
		rows[k] = slices.Clone(y.RawRowView(i))
		for s := range rows[k] {
			rows[k][s] /= p.unit
		}
	}
	p.arrange(rows, m)
	return p
}

// subset returns the given signals only.
func (p prepared) subset(some []int) prepared {
	out := p
	out.y, out.signals, out.rounding, out.missing = signals.Columns(p.y, some), nil, nil, nil
	for _, s := range some {
		out.signals, out.rounding = append(out.signals, p.signals[s]), append(out.rounding, p.rounding[s])
	}
	out.findMissing()
	return out
}

// arrange fills y with the rows in the order of their sorted values, and the
// columns in the order of theirs from the first row down.
func (p *prepared) arrange(rows [][]float64, m int) {
	sorted := make([][]float64, len(rows))
	for k, row := range rows {
		sorted[k] = slices.Sorted(slices.Values(row))
	}
	order := sortedIndex(len(rows), func(a, b int) int { return slices.Compare(sorted[a], sorted[b]) })
	vertices := p.vertices
	p.vertices = make([]int, len(rows))
	for k, i := range order {
		p.vertices[k] = vertices[i]
	}
	p.signals = sortedIndex(m, func(a, b int) int {
		for _, i := range order {
			if c := cmp.Compare(rows[i][a], rows[i][b]); c != 0 {
				return c
			}
		}
		return 0
	})
	p.y = mat.NewDense(len(rows), m, nil)
	for k, i := range order {
		for s, from := range p.signals {
			p.y.Set(k, s, rows[i][from])
		}
	}
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

// inUnits returns y divided by a unit, whose inverse may be infinite.
func inUnits(y *mat.Dense, unit float64) *mat.Dense {
	var out mat.Dense
	out.Apply(func(_, _ int, v float64) float64 { return v / unit }, y)
	return &out
}

// prepareAsGiven takes all vertices and signals as they come, in a scale where
// nothing overflows: on a known graph a vertex that never varies has something to
// say.
func prepareAsGiven(y *mat.Dense) prepared {
	n, m := y.Dims()
	p := prepared{unit: unitOf(y), vertices: upTo(0, n), signals: upTo(0, m)}
	p.y = inUnits(y, p.unit)
	p.rounding = roundingEnergy(y, p)
	p.findMissing()
	return p
}

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
