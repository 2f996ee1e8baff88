package margins

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/words"
)

// A Finding is what was done to make signals those of a Gaussian field.
type Finding struct {
	NotNormal float64 // share of the vertices whose values are clearly not normal
	Ordinal   int     // vertices with so few levels that their correlations were corrected
	Rare      int     // vertices with few levels that hardly vary, of which nothing is learned
	Freedom   float64 // of the t distribution that signals were weighed by; infinite if they were not
	Outliers  int     // signals that were brought in to a usual size
}

// String says what was done, as a part of a sentence.
func (f Finding) String() string {
	var parts []string
	if f.Ordinal > 0 {
		parts = append(parts, fmt.Sprintf("correlations of %s by their tables (polychoric)", words.Plural(f.Ordinal, "ordinal column")))
	}
	if f.Rare > 0 {
		parts = append(parts, fmt.Sprintf("%s with hardly any variation left out", words.Plural(f.Rare, "column")))
	}
	if !math.IsInf(f.Freedom, 1) {
		parts = append(parts, fmt.Sprintf("signals weighed as of a t distribution with %.3g degrees of freedom", f.Freedom))
	}
	if f.Outliers > 0 {
		parts = append(parts, fmt.Sprintf("%s brought in to a usual size", words.Plural(f.Outliers, "outlying signal")))
	}
	if len(parts) == 0 {
		return "normal scores"
	}
	return "normal scores, " + strings.Join(parts, ", ")
}

const (
	// signalsForHidden is how many signals for each vertex it takes to correct correlations, and
	// mostHiddenVertices up to how many vertices that is done.
	signalsForHidden, mostHiddenVertices = 2, 500
	// leastRoot is the eigenvalue, over that of the scores, that corrected correlations have at least.
	leastRoot = 0.5
	// fewestLeft is how many vertices must be left to learn a graph of.
	fewestLeft = 2
)

// An Inspection is how the values of vertices are distributed, each by itself.
type Inspection struct {
	NotNormal float64 // share of the vertices whose values are clearly not normal
	y         *mat.Dense
	axes      []*axis // of ordinal vertices, nil for others
}

// Inspect looks at the rows of y, which must stay as it is.
func Inspect(y *mat.Dense) Inspection {
	n, _ := y.Dims()
	in := Inspection{NotNormal: NotNormal(y), y: y, axes: make([]*axis, n)}
	for i := range n {
		if a, ordinal := newAxis(y.RawRowView(i)); ordinal {
			in.axes[i] = &a
		}
	}
	return in
}

// CallsForScores reports whether the values of at least a quarter of the vertices are clearly not
// normal, or those of at least a quarter ordinal.
func (in Inspection) CallsForScores() bool {
	return in.NotNormal >= someVertices || float64(len(in.ordinal())) >= someVertices*float64(len(in.axes))
}

// ordinal returns which vertices are.
func (in Inspection) ordinal() []int {
	return matrix.Where(in.axes, func(_ int, a *axis) bool { return a != nil })
}

// Field returns signals of a Gaussian field in the place of the values: normal scores, with the
// correlations of the variables behind ordinal vertices as far as levels tell, less the size of each
// signal where that is as of a t distribution. Rows have mean 0. An ordinal vertex that hardly ever
// varies is 0 in all signals: a single value would decide about all its edges. Missing values stay
// missing; fill is asked for what they may be, as the last two steps need them.
func (in Inspection) Field(fill func(*mat.Dense) (*mat.Dense, error)) (*mat.Dense, Finding, error) {
	f := Finding{NotNormal: in.NotNormal, Freedom: math.Inf(1)}
	scores := NormalScores(in.y)
	for _, i := range in.rare() {
		f.Rare++
		row := scores.RawRowView(i)
		for k, v := range row {
			row[k] = 0 * v // NaN stays
		}
	}
	z, err := fill(scores)
	if err != nil {
		return nil, f, err
	}
	z = mat.DenseCopyOf(z)
	varying := inOwnUnits(z)
	n, m := in.y.Dims()
	if len(varying) > 1 && m >= signalsForHidden*len(varying) && len(varying) <= mostHiddenVertices {
		part := matrix.Rows(z, varying)
		axes := make([]*axis, len(varying))
		var seen []int // vertices whose values are not only levels
		for k, i := range varying {
			if axes[k] = in.axes[i]; axes[k] == nil {
				seen = append(seen, k)
			}
		}
		ordinal := len(varying) - len(seen)
		if ordinal > 0 {
			if hidden, corrected := hiddenCorrelations(matrix.Rows(scores, varying), axes); corrected > 0 && takeCorrelations(part, hidden) {
				f.Ordinal = corrected
			}
		}
		if 2*ordinal < len(varying) {
			// Levels have no size: one that is rare would make signals look as of heavy tails.
			student := FitStudent(matrix.Rows(part, seen))
			part, f.Freedom, f.Outliers = student.Weigh(part), student.Freedom, student.Outliers
		}
		for k, i := range varying {
			z.SetRow(i, part.RawRowView(k))
		}
	}
	for i := range n {
		to := z.RawRowView(i)
		for k, v := range in.y.RawRowView(i) {
			if math.IsNaN(v) {
				to[k] = v
			}
		}
	}
	return z, f, nil
}

// rare returns which ordinal vertices hardly ever vary; none if hardly anything else would be left.
func (in Inspection) rare() []int {
	rare := matrix.Where(in.axes, func(_ int, a *axis) bool { return a != nil && a.rare })
	if varying := len(matrix.Where(matrix.DescribeRows(in.y), func(_ int, r matrix.Row) bool { return r.Varies })); varying-len(rare) < fewestLeft {
		return nil
	}
	return rare
}

// inOwnUnits gives each row that varies mean 0 and variance 1, and returns which do.
func inOwnUnits(z *mat.Dense) (varying []int) {
	for i, r := range matrix.DescribeRows(z) {
		if r.Varies {
			varying = append(varying, i)
			matrix.Standardise(z.RawRowView(i), z.RawRowView(i), r.Mean, r.SD)
		}
	}
	return varying
}

// takeCorrelations gives the rows of z, of mean 0 and variance 1, the correlations r by the map
// A = S^(−½)·(S^½·R·S^½)^½·S^(−½), S being those of z: of all that do, it changes z least. R is drawn
// towards the identity as far as its eigenvalues call for. It reports whether S has an inverse.
func takeCorrelations(z *mat.Dense, r *mat.SymDense) bool {
	n, m := z.Dims()
	s := mat.NewSymDense(n, nil)
	s.SymOuterK(1/float64(m), z)
	var eigenS, eigenR mat.EigenSym
	if !eigenS.Factorize(s, true) || !eigenR.Factorize(r, false) {
		return false
	}
	least, lowest := eigenS.Values(nil)[0], eigenR.Values(nil)[0]
	const singular = 1e-8
	if least < singular {
		return false
	}
	if want := leastRoot * least; lowest < want {
		share := (want - lowest) / (1 - lowest)
		for i := range n {
			for j := range i {
				r.SetSym(i, j, (1-share)*r.At(i, j))
			}
		}
	}
	root, inverse := applied(&eigenS, math.Sqrt), applied(&eigenS, func(v float64) float64 { return 1 / math.Sqrt(v) })
	var middle, product mat.Dense
	middle.Mul(root, r)
	product.Mul(&middle, root)
	between := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			between.SetSym(i, j, (product.At(i, j)+product.At(j, i))/2)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(between, true) {
		return false
	}
	var left, by, moved mat.Dense
	left.Mul(inverse, applied(&eigen, math.Sqrt))
	by.Mul(&left, inverse)
	moved.Mul(&by, z)
	z.Copy(&moved)
	return true
}

// applied returns a function of a matrix by its eigenvalues.
func applied(e *mat.EigenSym, of func(float64) float64) *mat.Dense {
	var vectors, scaled, out mat.Dense
	e.VectorsTo(&vectors)
	values := e.Values(nil)
	scaled.Apply(func(_, j int, v float64) float64 { return v * of(max(values[j], 0)) }, &vectors)
	out.Mul(&scaled, vectors.T())
	return &out
}
