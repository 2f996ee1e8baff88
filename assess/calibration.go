package assess

import "math"

// The calibration: the probability that an edge is true, by what halves say
// about it. It is a logistic regression, so it rises with each of them. The
// coefficients were fitted on synthetic signals with other seeds than any test
// has (see TestCalibration):
//
//	go test ./assess -run TestCalibration -timeout 2h -v -args -calibrate
//
// The shares' logits count half a half for and half a half against, so that few
// halves say less than many.
var calibration = struct{ base, found, strength, agreement float64 }{-0.24, 0.68, 1.62, 3.9}

// surest is the most that stability can say: 1 is for what is proved.
const surest = 0.999

// probability returns the calibrated confidence, in thousandths.
func probability(e evidence) float64 {
	c := calibration
	p := 1 / (1 + math.Exp(-(c.base + c.found*e.found + c.strength*e.strength + c.agreement*e.agreement)))
	return min(math.Round(1000*p)/1000, surest)
}

// logit returns log(count : rest) of all, with half a count more for each side.
func logit(count, all float64) float64 {
	return math.Log((count + 0.5) / (all - count + 0.5))
}
