package pages

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/synth"
)

// The square grids of the figures of fields: side, and signals for each vertex.
const (
	edgeSide, edgeSignals   = 7, 200
	limitSide, limitSignals = 10, 10
)

// figureRidge is κ² of the fields in the figures; the smallest eigenvalue of the grids'
// Laplacian is zero.
const figureRidge = 0.1

// A fieldLaw is a kernel of the figures: the variance at each frequency, and back.
type fieldLaw struct {
	name                string
	order               float64 // zero for heat
	variance, frequency func(v float64) float64
}

func fieldLaws() []fieldLaw {
	var laws []fieldLaw
	for _, order := range []float64{1, 2, 4} {
		laws = append(laws, fieldLaw{
			fmt.Sprintf("order %g", order), order,
			func(lambda float64) float64 { return math.Pow(lambda+figureRidge, -order) },
			func(variance float64) float64 { return math.Pow(variance, -1/order) },
		})
	}
	return append(laws, fieldLaw{
		"heat", 0,
		func(lambda float64) float64 { return portable.Exp(-2 * lambda) },
		func(variance float64) float64 { return -math.Log(variance) / 2 },
	})
}

// fieldFigures are the figures of docs/fields.md.
func fieldFigures() ([]File, error) {
	var files []File
	for _, f := range []struct {
		name string
		draw func() (figure.Drawing, float64, error)
	}{
		{"field-models", modelsFigure},
		{"field-edges", edgesFigure},
		{"field-limits", limitsFigure},
	} {
		drawing, width, err := f.draw()
		if err != nil {
			return nil, err
		}
		var svg strings.Builder
		if err := figure.Write(&svg, figure.SVG, figure.Page{Width: width}, drawing); err != nil {
			return nil, err
		}
		files = append(files, File{Path: "docs/figures/" + f.name + ".svg", Text: svg.String(), Computed: true})
	}
	return files, nil
}

// fourWide is the width of four fields beside each other, in mm.
const fourWide = 200

// squareGrid is a grid of edges of weight one, and its drawing.
func squareGrid(side int) (*graph.Graph, figure.Network, error) {
	drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: side * side})
	if err != nil {
		return nil, figure.Network{}, err
	}
	var on figure.Network
	for k := range side * side {
		on.Vertices = append(on.Vertices, figure.Vertex{X: float64(k % side), Y: float64(side - k/side)})
	}
	for _, e := range drawn.Graph.Edges() {
		on.Edges = append(on.Edges, figure.Edge{From: e.I, To: e.J, Weight: e.Weight})
	}
	return drawn.Graph, on, nil
}

// draw draws signals by the law on a graph.
func (l fieldLaw) draw(g *graph.Graph, count int) (*mat.Dense, error) {
	mean := 0.0
	for _, d := range g.Degrees() {
		mean += d / float64(g.Vertices())
	}
	spec := synth.FieldSpec{Count: count, Ridge: figureRidge / mean, Order: l.order, Seed: 1}
	if l.order == 0 {
		spec.Law, spec.Tau = synth.DiffusionField, mean
	}
	truth, err := synth.Field(g, spec)
	if err != nil {
		return nil, err
	}
	y := truth.Signals
	if l.order > 0 {
		y.Scale(math.Pow(mean, -l.order/2), y) // synth divides L by the mean degree
	}
	return y, nil
}

// edgesFigure shows what the middle of a grid has in common with every other vertex, given
// all others: in the precision matrix of the signals, above, and in its root, below.
func edgesFigure() (figure.Drawing, float64, error) {
	g, on, err := squareGrid(edgeSide)
	if err != nil {
		return nil, 0, err
	}
	n, middle := g.Vertices(), g.Vertices()/2
	var precisions, roots []figure.Field
	for _, l := range fieldLaws() {
		y, err := l.draw(g, edgeSignals*n)
		if err != nil {
			return nil, 0, err
		}
		var s mat.SymDense
		s.SymOuterK(1/float64(edgeSignals*n), y)
		precision, err := spectral(&s, func(v float64) float64 { return 1 / v })
		if err != nil {
			return nil, 0, err
		}
		root, err := spectral(&s, l.frequency)
		if err != nil {
			return nil, 0, err
		}
		precisions = append(precisions, figure.Field{
			Title: l.name + ": precision", Network: on,
			Values: partials(precision, middle), Marked: []int{middle},
		})
		roots = append(roots, figure.Field{Title: l.name + ": root", Network: on, Values: partials(root, middle), Marked: []int{middle}})
	}
	return figure.Fields{Title: "What each order does to an edge: precision matrix and root, seen from the middle of a grid", PerRow: len(roots), Fields: append(precisions, roots...)}, fourWide, nil
}

// spectral applies a function to the eigenvalues of a matrix.
func spectral(s mat.Symmetric, f func(float64) float64) (*mat.Dense, error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(s, true) {
		return nil, errors.New("the eigenvalues of a covariance were not found")
	}
	values := eigen.Values(nil)
	for k, v := range values {
		values[k] = f(v)
	}
	var v, m mat.Dense
	eigen.VectorsTo(&v)
	m.Mul(&v, mat.NewDiagDense(len(values), values))
	m.Mul(&m, v.T())
	return &m, nil
}

// partials are −θ_ij/√(θ_ii θ_jj) for a vertex i and every other.
func partials(theta *mat.Dense, i int) []float64 {
	n, _ := theta.Dims()
	values := make([]float64, n)
	for j := range values {
		if j != i {
			values[j] = -theta.At(i, j) / math.Sqrt(theta.At(i, i)*theta.At(j, j))
		}
	}
	return values
}

// modelsFigure shows a sparse excitation and a dense one, and the signals that they cause
// on a grid.
func modelsFigure() (figure.Drawing, float64, error) {
	g, on, err := squareGrid(limitSide)
	if err != nil {
		return nil, 0, err
	}
	n := g.Vertices()
	few, every := make([]float64, n), make([]float64, n)
	marked := []int{22, 37, 74}
	for k, size := range []float64{1, -0.8, 0.9} {
		few[marked[k]] = size
	}
	r := rng.Stream(3, "excitation of a figure")
	for k := range every {
		every[k] = r.NormFloat64()
	}
	l := g.CombinatorialLaplacian()
	atoms, err := spectral(l, func(lambda float64) float64 { return portable.Exp(-lambda) })
	if err != nil {
		return nil, 0, err
	}
	equilibrium, err := spectral(l, func(lambda float64) float64 { return 1 / (max(lambda, 0) + figureRidge) })
	if err != nil {
		return nil, 0, err
	}
	times := func(m *mat.Dense, x []float64) []float64 {
		var y mat.VecDense
		y.MulVec(m, mat.NewVecDense(n, x))
		return y.RawVector().Data
	}
	return figure.Fields{Title: "A sparse excitation and a dense one, and the signals they cause", Fields: []figure.Field{
		{Title: "Sparse: x", Network: on, Values: few, Marked: marked},
		{Title: "Few atoms: y = ĝ(L) x", Network: on, Values: times(atoms, few), Marked: marked},
		{Title: "Dense: z", Network: on, Values: every},
		{Title: "Field: y = ĝ(L) z", Network: on, Values: times(equilibrium, every)},
	}}, fourWide, nil
}

// limitsFigure shows the spectrum of fields against noise, and how many of its values
// stand out of the noise.
func limitsFigure() (figure.Drawing, float64, error) {
	g, _, err := squareGrid(limitSide)
	if err != nil {
		return nil, 0, err
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(g.CombinatorialLaplacian(), false) {
		return nil, 0, errors.New("the eigenvalues of a Laplacian were not found")
	}
	lambda := eigen.Values(nil)
	spectrum := figure.Chart{Title: "Spectrum", XLabel: "frequency on the graph", YLabel: "variance, as a power of ten"}
	counts := figure.Chart{
		Title: "What noise leaves", XLabel: "noise, % of the amplitude",
		YLabel: "eigenvalues above the noise", LogX: true, MaxY: float64(len(lambda)),
	}
	noises := []float64{0.1, 0.3, 1, 3, 10, 30}
	for k, l := range fieldLaws() {
		variances, mean := make([]float64, len(lambda)), 0.0
		for i, v := range lambda {
			variances[i] = l.variance(max(v, 0))
			mean += variances[i] / float64(len(lambda))
		}
		line := figure.Series{Name: l.name, Color: k, Plain: true}
		for i, v := range lambda {
			line.X, line.Y = append(line.X, v), append(line.Y, math.Log10(variances[i]/mean))
		}
		spectrum.Series = append(spectrum.Series, line)
		left := figure.Series{Name: l.name, Color: k}
		for _, noise := range noises {
			left.X, left.Y = append(left.X, noise), append(left.Y, float64(aboveNoise(variances, mean*noise*noise/1e4)))
		}
		counts.Series = append(counts.Series, left)
	}
	floor := figure.Series{
		Name: "noise of 10 %", Color: 4, Dashed: true, Plain: true,
		X: []float64{0, lambda[len(lambda)-1]}, Y: []float64{-2, -2},
	}
	spectrum.Series = append(spectrum.Series, floor)
	return figure.Charts{
		Title:  "Spectra of fields on a grid of 100 vertices, and how much of them noise leaves",
		PerRow: 2, Charts: []figure.Chart{spectrum, counts},
	}, 0, nil
}

// aboveNoise counts the variances that, with noise of some variance, are above the largest
// eigenvalue that noise alone would have: (1 + √(N/M))² times its variance
// ([marchenko1967]).
func aboveNoise(variances []float64, noise float64) (count int) {
	edge := 1 + math.Sqrt(1.0/limitSignals)
	for _, v := range variances {
		if v+noise > noise*edge*edge {
			count++
		}
	}
	return count
}
