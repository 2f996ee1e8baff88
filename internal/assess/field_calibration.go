package assess

import (
	"math"

	"github.com/nervure/nervure/internal/portable"
)

// fieldCoefficients are what each of the regressors adds to the logit of the
// probability that an edge of a field is true. They are those of a logistic
// regression on fields that are known (package synth), each sample having the same
// weight, with other seeds and fewer kinds than any test has (see
// TestFieldCalibration, which also fits them):
//
//	go test ./internal/assess -run TestFieldCalibration -timeout 1h -v -args -calibrate 40
var fieldCoefficients = [fieldRegressors]float64{-1.35, 4.5, 1.08, 1.11, 0.415, -0.133, -0.782}

const fieldRegressors = 7

// leastPartial keeps logarithms of partial correlations finite.
const leastPartial = 0.02

// regressors returns what the coefficients are of:
//
//	1
//	κ                            agreement of the halves
//	log(p + 0.02)                p the mean partial correlation
//	log((p + 0.02)/(d + 0.02))   d its deviation
//	log m                        of observations
//	c·(not in the tree)          with the closeness c = −log(1 − 0.98r) for the correlation r ≥ 0
//	c·log max(e, 1)              e the edges for each vertex
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
	p := e.partial + leastPartial
	return [...]float64{
		1, e.agreement, math.Log(p), math.Log(p / (e.deviation + leastPartial)), math.Log(max(e.observed, 1)),
		besideTree, closeness * math.Log(max(e.density, 1)),
	}
}

// probability returns the calibrated confidence, in thousandths.
func (e fieldEvidence) probability() float64 {
	z := 0.0
	for k, x := range e.regressors() {
		z += fieldCoefficients[k] * x
	}
	p := 1 / (1 + portable.Exp(-z))
	return min(math.Round(1000*p)/1000, maxConfidence)
}
