package assess

import (
	"math"

	"github.com/nervure/nervure/internal/portable"
)

// The calibration: the probability that an edge is true, by what halves say
// about it, is
//
//	1/(1 + e^(−z)),   z = base + agreement·κ + strength·(1−κ)·s + found·κ·f
//
// with the agreement κ of the halves, the logit s of how strongly they find the
// edge and the logit f of how often. Where halves agree, an edge that all of them
// find is true even if it is the weakest; where they do not, many edges are found
// by chance and only those that are always among the first can be told. The
// coefficients are those of a logistic regression on synthetic signals, with
// other seeds than any test has (see TestCalibration):
//
//	go test ./internal/assess -run TestCalibration -timeout 2h -v -args -calibrate 200
//
// Logits count half a half for and half a half against, so that few halves say
// less than many.
var calibration = struct{ base, agreement, strength, found float64 }{0.607, 1.37, 2.38, 1.54}

// maxConfidence is the most that stability can say: 1 is for what is proved.
const maxConfidence = 0.999

// regressors returns what the coefficients are of: 1, κ, (1−κ)·s and κ·f.
func (e evidence) regressors() [4]float64 {
	k := min(max(e.agreement, 0), 1)
	return [4]float64{1, k, (1 - k) * e.strength, k * e.found}
}

// probability returns the calibrated confidence, in thousandths.
func probability(e evidence) float64 {
	c, x := calibration, e.regressors()
	p := 1 / (1 + portable.Exp(-(c.base*x[0] + c.agreement*x[1] + c.strength*x[2] + c.found*x[3])))
	return min(math.Round(1000*p)/1000, maxConfidence)
}

// logit returns log(count : rest) of all, with half a count more for each side.
func logit(count, all float64) float64 {
	return math.Log((count + 0.5) / (all - count + 0.5))
}
