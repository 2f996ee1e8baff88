package assess

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/evidence"
	"github.com/nervure/nervure/internal/portable"
)

// FieldRegressors are what the calibration of fields is of, in words.
var FieldRegressors = [...]string{
	"constant", "agreement of the halves", "log partial correlation", "log of it over its deviation", "log independent signals",
	"closeness beside the tree", "closeness × log density", "standard errors above the floor", "nearness to a path",
}

const fieldRegressors = len(FieldRegressors)

// FieldCoefficients are what each of the regressors adds to the logit of the
// probability that an edge of a field is true: a logistic regression on
// simulated fields of many families, each sample of signals having the same weight. The experiment
// “calibration” measures and fits them, and a test holds these to its results.
var FieldCoefficients = [fieldRegressors]float64{-1.53, 5.02, 1.03, 0.802, 0.309, -0.422, -0.589, 0.344, -0.141}

const (
	// leastPartial keeps logarithms of partial correlations finite.
	leastPartial = 0.02
	// MostUnsure is the most confidence of an edge that may be below the floor, or come from a path:
	// of such edges that halves agree on, four in five were true in measured and simulated sets.
	MostUnsure = 0.8
	// leastAbove and mostAbove bound the standard errors above the floor that count.
	leastAbove, mostAbove = -3, 5
	// farFromPath is from how many times what a path may leave an edge does not come from it, and
	// nearestPath bounds the logarithm of what is left to that.
	farFromPath, nearestPath = 4, 3
)

// A fieldEvidence is what speaks for an edge of a field, and against it.
type fieldEvidence struct {
	agreement float64 // of the halves, on all edges: between 0 and 1
	observed  float64 // signals, as many as they count for
	partial   float64 // partial correlation, the mean over the halves
	deviation float64 // its standard deviation over the halves

	correlation float64
	inTree      bool    // of the spanning tree of the largest correlations
	density     float64 // edges of the graph for each vertex
	evidence.Margin
}

// regressors returns what the coefficients are of:
//
//	1
//	κ                            agreement of the halves
//	log(p + 0.02)                p the mean partial correlation
//	log((p + 0.02)/(d + 0.02))   d its deviation
//	log m                        of observations
//	c·(not in the tree)          with the closeness c = −log(1 − 0.98r) for the correlation r ≥ 0
//	c·log max(e, 1)              e the edges for each vertex
//	a                            standard errors above the floor, from −3 to 5
//	log(4/s)                     s the size over what a path may leave; 0 if it is 4 or more
//
// The closer vertices follow each other, the less noise it takes for edges past a
// vertex to look direct. Then the tree of the largest correlations is more likely right, and
// a graph of many edges is less likely so.
func (e fieldEvidence) regressors() [fieldRegressors]float64 {
	const closest = 0.98
	closeness := -math.Log(1 - closest*min(max(e.correlation, 0), 1))
	besideTree := closeness
	if e.inTree {
		besideTree = 0
	}
	p := max(e.partial, 0) + leastPartial
	return [...]float64{
		1, e.agreement, math.Log(p), math.Log(p / (e.deviation + leastPartial)), math.Log(max(e.observed, 1)),
		besideTree, closeness * math.Log(max(e.density, 1)),
		min(max(e.Floor, leastAbove), mostAbove), min(max(math.Log(farFromPath/e.Path), 0), nearestPath),
	}
}

// most returns the most confidence that the edge may have.
func (e fieldEvidence) most() float64 {
	if e.Unsure() {
		return MostUnsure
	}
	return maxConfidence
}

// An EdgeBasis is what the confidence of an edge comes from: regressors of the calibration of fields,
// and the most that anything else allows.
type EdgeBasis struct {
	Regressors [fieldRegressors]float64
	Most       float64
}

// Confidence returns the confidence by some coefficients, in thousandths.
func (b EdgeBasis) Confidence(coefficients *[fieldRegressors]float64) float64 {
	z := 0.0
	for k, x := range b.Regressors {
		z += float64(coefficients[k] * x)
	}
	return min(math.Round(1000/(1+portable.Exp(-z)))/1000, b.Most)
}

// A JudgedEdge is an edge of which it is known whether it is true.
type JudgedEdge struct {
	EdgeBasis
	True bool
}

// fitSteps bounds the steps of a fit, which takes about ten.
const fitSteps = 50

// CalibrateField returns the coefficients of the logistic regression of truth on the regressors, by Newton's
// method, each sample having the same weight.
func CalibrateField(samples [][]JudgedEdge) [fieldRegressors]float64 {
	const ridge = 1e-9
	beta := mat.NewVecDense(fieldRegressors, nil)
	for range fitSteps {
		gradient, hessian := mat.NewVecDense(fieldRegressors, nil), mat.NewSymDense(fieldRegressors, nil)
		for k := range fieldRegressors {
			hessian.SetSym(k, k, ridge)
		}
		for _, edges := range samples {
			weight := 1 / float64(len(edges))
			for _, e := range edges {
				x := mat.NewVecDense(fieldRegressors, e.Regressors[:])
				p, y := 1/(1+portable.Exp(-mat.Dot(x, beta))), 0.0
				if e.True {
					y = 1
				}
				gradient.AddScaledVec(gradient, weight*(y-p), x)
				hessian.SymRankOne(hessian, weight*p*(1-p), x)
			}
		}
		var factor mat.Cholesky
		var step mat.VecDense
		if !factor.Factorize(hessian) || factor.SolveVecTo(&step, gradient) != nil {
			break
		}
		beta.AddVec(beta, &step)
	}
	return [fieldRegressors]float64(beta.RawVector().Data)
}
