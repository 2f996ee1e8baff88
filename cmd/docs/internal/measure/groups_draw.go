package measure

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/groups"
)

// Simulated graphs are precision matrices with a diagonal of one, so that entries are partial correlations with the
// sign turned. They are as those of python/benchmarks/groups.py.
const (
	degree      = 1.5  // edges for each vertex
	mostEdges   = 4    // of a vertex
	mostChanged = 3    // of them, edges that differ between groups
	margin      = 0.2  // smallest eigenvalue of a group
	varied      = 0.05 // standard deviation of a partial correlation from subject to subject
	drift       = 0.08 // by how much an edge depends on age, for each standard deviation
)

var (
	keptSizes    = [2]float64{0.15, 0.35} // partial correlations of edges that do not differ
	changedSizes = [2]float64{0.25, 0.35} // and of those that do, in the group that has them
)

// A population is two groups of subjects.
type population struct {
	precision [2]*mat.SymDense
	changed   [][2]int // pairs that differ
}

// newPopulation draws two groups that differ by a number of edges: each is removed, added or changes its sign, in
// turn.
func newPopulation(n, changes int, draw *rand.Rand) population {
	for {
		if p, ok := attempt(n, changes, draw); ok {
			return p
		}
	}
}

// attempt draws groups. Edges that do not differ give way until both are well conditioned; false if in vain.
func attempt(n, changes int, draw *rand.Rand) (population, bool) {
	order := groups.AllPairs(n)
	draw.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	used := make([]int, n)
	take := func(from [][2]int, most, count int) (taken, left [][2]int) {
		for _, pair := range from {
			if len(taken) < count && max(used[pair[0]], used[pair[1]]) < most {
				taken = append(taken, pair)
				used[pair[0]]++
				used[pair[1]]++
			} else {
				left = append(left, pair)
			}
		}
		return taken, left
	}
	changed, rest := take(order, mostChanged, changes)
	if len(changed) < changes {
		return population{}, false
	}
	kept, _ := take(rest, mostEdges, max(int(math.Round(degree*float64(n)))-changes, n/2))
	value := func(sizes [2]float64) float64 {
		return (sizes[0] + (sizes[1]-sizes[0])*draw.Float64()) * float64(1-2*draw.IntN(2))
	}
	before, after, both := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	kind := draw.IntN(3)
	for k, pair := range changed {
		x := value(changedSizes)
		of := [3][2]float64{{x, 0}, {0, x}, {x, -x}}[(kind+k)%3]
		before.SetSym(pair[0], pair[1], of[0])
		after.SetSym(pair[0], pair[1], of[1])
	}
	for _, pair := range kept {
		both.SetSym(pair[0], pair[1], value(keptSizes))
	}
	for range 10 {
		p := population{changed: changed}
		for g, own := range []*mat.SymDense{before, after} {
			p.precision[g] = mat.NewSymDense(n, nil)
			p.precision[g].AddSym(own, both)
			for i := range n {
				p.precision[g].SetSym(i, i, 1)
			}
		}
		if conditioned(p.precision[0], margin) && conditioned(p.precision[1], margin) {
			return p, true
		}
		both.ScaleSym(0.9, both)
	}
	return population{}, false
}

// conditioned reports whether all eigenvalues are at least so large.
func conditioned(precision *mat.SymDense, least float64) bool {
	shifted := mat.NewSymDense(precision.SymmetricDim(), nil)
	shifted.CopySym(precision)
	for i := range precision.SymmetricDim() {
		shifted.SetSym(i, i, precision.At(i, i)-least)
	}
	var factor mat.Cholesky
	return factor.Factorize(shifted)
}

// subject draws the precision matrix of a subject: that of its group with other weights on the same edges, all of
// them moved by age, which is in standard deviations.
func subject(of *mat.SymDense, age float64, draw *rand.Rand) *mat.SymDense {
	n := of.SymmetricDim()
	noise := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i + 1; j < n; j++ {
			if of.At(i, j) != 0 {
				noise.SetSym(i, j, varied*draw.NormFloat64()-drift*age)
			}
		}
	}
	for {
		own := mat.NewSymDense(n, nil)
		own.AddSym(of, noise)
		if conditioned(own, margin/4) {
			return own
		}
		noise.ScaleSym(0.5, noise)
	}
}

// rowsOf draws rows as columns, each correlated with the one before.
func rowsOf(precision *mat.SymDense, rows int, correlation float64, draw *rand.Rand) *mat.Dense {
	n := precision.SymmetricDim()
	y := mat.NewDense(n, rows, nil)
	for i := range n {
		before, fresh := 0.0, math.Sqrt(1-correlation*correlation)
		for k, row := 0, y.RawRowView(i); k < rows; k++ {
			if k == 0 {
				before = draw.NormFloat64()
			} else {
				before = correlation*before + fresh*draw.NormFloat64()
			}
			row[k] = before
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(precision) {
		panic("measure: a precision matrix that is not positive definite")
	}
	var lower mat.TriDense
	factor.LTo(&lower)
	var x mat.Dense
	if err := x.Solve(lower.T(), y); err != nil {
		panic(err)
	}
	return &x
}
