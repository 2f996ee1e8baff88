package synth

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
)

// FieldLaw is a way in which values at the vertices depend on a graph, other than
// as sums of few patterns.
type FieldLaw string

// The laws. L is the combinatorial Laplacian over the mean degree, w white noise.
const (
	GaussianField  FieldLaw = "gaussian"  // precision matrix (L + εI)^α
	DiffusionField FieldLaw = "diffusion" // e^(−τL)·w
	// VARField is x_t = a·(I − L/λ)·x_(t−1) + w_t with λ a bound of L's spectrum: rows depend on each other in time.
	VARField FieldLaw = "var"
)

// FieldLaws returns all laws.
func FieldLaws() []FieldLaw { return []FieldLaw{GaussianField, DiffusionField, VARField} }

// A FieldSpec says which field to draw.
type FieldSpec struct {
	Law   FieldLaw // empty means gaussian
	Count int      // signals, at least 1

	Ridge  float64 // gaussian: ε; zero means 0.1
	Order  float64 // gaussian: α; zero means 1
	Tau    float64 // diffusion: τ; zero means 1
	Memory float64 // var: a, below 1; zero means 0.9

	FieldFaults
	Seed uint64 // the streams are "field" and those of FieldFaults
}

// FieldFaults are ways in which measurements spoil a field. Zero is none.
type FieldFaults struct {
	Noise  float64 // standard deviation of white noise, over that of each vertex
	Skew   float64 // values v, in standard deviations, become (e^(skew·v) − 1)/skew
	Hidden float64 // share of the vertices that are not measured, drawn at random
}

// A FieldTruth is a graph and signals on it.
type FieldTruth struct {
	Graph   *graph.Graph // of the vertices that were measured
	Signals *mat.Dense   // vertices × signals
}

func (s FieldSpec) resolve() (FieldSpec, error) {
	var faults []error
	fault := func(field input.Field, format string, args ...any) {
		faults = append(faults, input.Errorf("synth.FieldSpec", field, format, args...))
	}
	if s.Law = cmp.Or(s.Law, GaussianField); !slices.Contains(FieldLaws(), s.Law) {
		fault("law", "got %q, want one of %v", s.Law, FieldLaws())
	}
	if s.Count < 1 {
		fault(input.Signals, "got %d, want at least 1", s.Count)
	}
	for _, v := range []struct {
		field  input.Field
		value  *float64
		unset  float64
		beyond float64
	}{
		{"ridge", &s.Ridge, 0.1, math.Inf(1)},
		{"order", &s.Order, 1, math.Inf(1)},
		{"tau", &s.Tau, 1, math.Inf(1)},
		{"memory", &s.Memory, 0.9, 1},
	} {
		if *v.value = cmp.Or(*v.value, v.unset); !(*v.value > 0 && *v.value < v.beyond) {
			fault(v.field, "got %v, want a number above 0 and below %v", *v.value, v.beyond)
		}
	}
	return s, errors.Join(append(faults, s.check())...)
}

func (f FieldFaults) check() error {
	if !(f.Noise >= 0 && f.Skew >= 0 && f.Hidden >= 0 && f.Hidden < 1) || math.IsInf(f.Noise+f.Skew, 0) {
		return input.Errorf("synth.FieldFaults", "",
			"got noise %v, skew %v, hidden %v, want numbers of at least 0, and hidden below 1", f.Noise, f.Skew, f.Hidden)
	}
	return nil
}

// Field draws signals on g. Each law acts on the eigenvectors of the Laplacian, one by one.
func Field(g *graph.Graph, spec FieldSpec) (*FieldTruth, error) {
	spec, err := spec.resolve()
	if err != nil {
		return nil, err
	}
	n := g.Vertices()
	if g.EdgeCount() == 0 {
		return nil, input.Errorf("synth.Field", input.Graph, "it has no edges")
	}
	if err := input.Negative("synth.Field", input.Graph, g.Negative(), "fields drawn on a graph need"); err != nil {
		return nil, err
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(g.CombinatorialLaplacian(), true) {
		return nil, errors.New("synth.Field: the eigenvalues of the Laplacian were not found")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	lambda := eigen.Values(nil)
	mean, most := 0.0, 0.0
	for _, d := range g.Degrees() {
		mean += d / float64(n)
		most = max(most, d)
	}
	modes := mat.NewDense(n, spec.Count, nil)
	for k := range n {
		spec.fillMode(modes.RawRowView(k), max(lambda[k], 0)/mean, 2*most/mean, rng.Stream(spec.Seed, "field", k))
	}
	var y mat.Dense
	y.Mul(&vectors, modes)
	return spec.Apply(g, &y, spec.Seed)
}

// fillMode draws what the signals have of an eigenvector. bound is at least the largest
// eigenvalue.
func (s FieldSpec) fillMode(row []float64, lambda, bound float64, r *rand.Rand) {
	for t := range row {
		row[t] = r.NormFloat64()
	}
	switch s.Law {
	case GaussianField:
		size := math.Sqrt(lambda + s.Ridge)
		if s.Order != 1 {
			size = portable.Exp(s.Order / 2 * math.Log(lambda+s.Ridge))
		}
		for t := range row {
			row[t] /= size
		}
	case DiffusionField:
		for t := range row {
			row[t] *= portable.Exp(-s.Tau * lambda)
		}
	case VARField:
		a := s.Memory * (1 - lambda/bound)
		row[0] /= math.Sqrt(1 - a*a) // as if it had always gone on
		for t := 1; t < len(row); t++ {
			row[t] += a * row[t-1]
		}
	}
}

// Apply returns what is measured of a field y on g. It changes y.
func (f FieldFaults) Apply(g *graph.Graph, y *mat.Dense, seed uint64) (*FieldTruth, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	n, m := y.Dims()
	for i := range n {
		row, r := y.RawRowView(i), rng.Stream(seed, "field noise", i)
		sum := 0.0
		for _, v := range row {
			sum += v * v
		}
		scale := math.Sqrt(sum / float64(m))
		for t, v := range row {
			if f.Skew > 0 && scale > 0 {
				v = scale * (portable.Exp(f.Skew*v/scale) - 1) / f.Skew
			}
			row[t] = v + f.Noise*scale*r.NormFloat64()
		}
	}
	seen := rng.Stream(seed, "hidden").Perm(n)[int(f.Hidden*float64(n)):]
	slices.Sort(seen)
	return restricted(g, y, seen)
}

// restricted returns the part of a truth at some vertices, in rising order.
func restricted(g *graph.Graph, y *mat.Dense, seen []int) (*FieldTruth, error) {
	_, m := y.Dims()
	at := map[int]int{}
	part := mat.NewDense(len(seen), m, nil)
	for k, i := range seen {
		at[i] = k
		part.SetRow(k, y.RawRowView(i))
	}
	var edges []graph.Edge
	for _, e := range g.Edges() {
		i, first := at[e.I]
		j, second := at[e.J]
		if first && second {
			edges = append(edges, graph.Edge{I: i, J: j, Weight: e.Weight})
		}
	}
	h, err := graph.New(graph.DefaultNames(len(seen)), edges)
	return &FieldTruth{h, part}, err
}
