package metrics

import (
	"math"

	"github.com/nervure/nervure/graph"
)

// WeightError returns the relative error of the weights of found after its
// scale, which signals cannot tell, is matched to that of truth:
//
//	inf over c > 0 of ‖cW − W*‖_F / ‖W*‖_F
//
// with the best c = ⟨W, W*⟩/‖W‖²_F. It is the sine of the angle between W and
// W*, hence symmetric and in [0, 1]: 0 if they are proportional, 1 if they share
// no edge or just one of them is empty. Two empty graphs have error 0.
func WeightError(found, truth *graph.Graph) (float64, error) {
	found, truth, err := align("WeightError", found, truth)
	if err != nil {
		return 0, err
	}
	if found.EdgeCount() == 0 || truth.EdgeCount() == 0 {
		if found.EdgeCount() == truth.EdgeCount() {
			return 0, nil
		}
		return 1, nil
	}
	var peakFound, peakTruth float64 // weights are divided by them: no square overflows
	for a, b := range pairs(found, truth) {
		peakFound, peakTruth = max(peakFound, a), max(peakTruth, b)
	}
	var inner, normFound, normTruth float64
	for a, b := range pairs(found, truth) {
		a, b = a/peakFound, b/peakTruth
		inner += a * b
		normFound += a * a
		normTruth += b * b
	}
	c := inner / normFound
	var miss float64
	for a, b := range pairs(found, truth) {
		d := c*a/peakFound - b/peakTruth
		miss += d * d
	}
	return min(1, math.Sqrt(miss/normTruth)), nil
}
