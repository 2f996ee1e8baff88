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
	Freedom   float64 // of the t distribution that signals were weighed by; infinite if they were not
	Outliers  int     // signals that were brought in to a usual size
}

// String says what was done, as a part of a sentence.
func (f Finding) String() string {
	var parts []string
	if f.Ordinal > 0 {
		parts = append(parts, fmt.Sprintf("correlations of %s by their tables (polychoric)", words.Plural(f.Ordinal, "ordinal column")))
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
)

// CalledFor reports whether the values of at least a quarter of the vertices are clearly not normal,
// or ordinal, and how many are of either kind.
func CalledFor(y *mat.Dense) (notNormal float64, called bool) {
	notNormal = NotNormal(y)
	if notNormal >= someVertices {
		return notNormal, true
	}
	n, _ := y.Dims()
	ordinal := 0
	for i := range n {
		if _, is := newAxis(y.RawRowView(i)); is {
			ordinal++
		}
	}
	return notNormal, float64(ordinal) >= someVertices*float64(n)
}

// Field returns signals of a Gaussian field in the place of y: normal scores, with the correlations of
// the variables behind ordinal vertices, less the size of each signal where that is as of a t
// distribution. Rows have mean 0. Missing values of y stay missing; fill is asked for what they may be, as
// the last two steps need them.
func Field(y *mat.Dense, fill func(*mat.Dense) (*mat.Dense, error)) (*mat.Dense, Finding, error) {
	f := Finding{NotNormal: NotNormal(y), Freedom: math.Inf(1)}
	scores := NormalScores(y)
	z, err := fill(scores)
	if err != nil {
		return nil, f, err
	}
	z = mat.DenseCopyOf(z)
	varying := standardise(z)
	n, m := y.Dims()
	if len(varying) > 1 && m >= signalsForHidden*len(varying) && len(varying) <= mostHiddenVertices {
		given := matrix.Rows(y, varying)
		hidden, ordinal := hiddenCorrelations(given, matrix.Rows(scores, varying))
		part := matrix.Rows(z, varying)
		if ordinal > 0 && takeCorrelations(part, hidden) {
			f.Ordinal = ordinal
		}
		if 2*ordinal < len(varying) {
			student := FitStudent(part)
			part, f.Freedom, f.Outliers = student.Weigh(part), student.Freedom, student.Outliers
		}
		for k, i := range varying {
			z.SetRow(i, part.RawRowView(k))
		}
	}
	for i := range n {
		to := z.RawRowView(i)
		for k, v := range y.RawRowView(i) {
			if math.IsNaN(v) {
				to[k] = v
			}
		}
	}
	return z, f, nil
}

// standardise gives each row that varies mean 0 and variance 1, and returns which do.
func standardise(z *mat.Dense) (varying []int) {
	for i, r := range matrix.DescribeRows(z) {
		if !r.Varies {
			continue
		}
		varying = append(varying, i)
		row := z.RawRowView(i)
		for k, v := range row {
			row[k] = (v - r.Mean) / r.SD
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
