package auto

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/method"
)

// With many vertices methods are not compared by held-out signals: codes of each half would take as long
// as learning. But then it shows whether signals can be sums of few patterns at all. Each pattern is
// local, so that at any moment few vertices have nearly all the energy. Fields are everywhere.
//
// By the kurtosis over the vertices, 3 for Gaussian signals: that of sparse signals on 1500 vertices was
// 28 (40 wide patterns each) to 360, after neighbours were subtracted 54 to 190. That of measured fields
// and of photographs was up to 5, and then up to 10.
const (
	// concentrated is the kurtosis from which on the sparse method is taken.
	concentrated = 12
	// concentratedRest is that of what neighbours leave.
	concentratedRest = 20
	// plainlySpread is the kurtosis below which there is no need to try codes on held-out signals, from
	// plainlyFrom vertices on, where that takes far longer than learning the field.
	plainlySpread, plainlyFrom = 4, 500
)

// isPlainField reports whether signals of some hundred vertices are so evenly spread that they cannot be sums of a few
// patterns.
func isPlainField(y *mat.Dense) bool {
	n, _ := y.Dims()
	return n >= plainlyFrom && concentration(y) < plainlySpread
}

// IsLearningField reports whether a phase is one of the field of many vertices that is learned while a method is chosen.
func IsLearningField(p method.Phase) bool {
	return p == baseline.CandidatesSearched || p == baseline.VerticesRegressed || p == baseline.SampleChecked
}

// FieldName returns the name of the method for fields.
func FieldName() string { return fieldMethod.Name() }

// chooseLarge decides for signals of many vertices, and learns the field.
func chooseLarge(ctx context.Context, p, field method.Problem) (Decision, error) {
	sparse := Decision{Method: sparseMethod(p), Choice: &Choice{Method: sparseMethod(p).Name()}}
	if k := concentration(p.Y); k > concentrated {
		sparse.Choice.uncompared = fmt.Sprintf("signals are concentrated on few vertices at a time, as sums of a few patterns are (their kurtosis is %.0f, that of a field 3)", k)
		return sparse, nil
	}
	r, err := fieldMethod.Learn(ctx, field)
	choice := &Choice{Method: fieldMethod.Name()}
	if r == nil {
		if choice.uncompared = endedBefore; ctx.Err() == nil && choice.Instead(input.Find(err)) {
			err = nil
		}
		return Decision{Method: choice.Taken(), Choice: choice}, err
	}
	choice.uncompared = "signals are spread over all vertices at any time, and sums of a few patterns are not"
	fit := baseline.FieldFitOf(r).Local
	switch {
	case fit == nil: // few of the vertices vary
	case fit.Concentration > concentratedRest:
		sparse.Choice.uncompared = fmt.Sprintf("what neighbours leave of the signals is concentrated on few vertices at a time, as sums of a few patterns are (its kurtosis is %.0f, that of a field 3)", fit.Concentration)
		return sparse, err
	default:
		choice.Predicted = fit.Predicted
	}
	return Decision{Method: fieldMethod, Choice: choice, Result: r}, err
}

// concentration returns the kurtosis of signals over the vertices, each in units of its own: the median.
func concentration(y *mat.Dense) float64 {
	n, m := y.Dims()
	squares, fourths, observed := make([]float64, m), make([]float64, m), make([]float64, m)
	for i := range n {
		row := matrix.Describe(y.RawRowView(i))
		if !row.Varies {
			continue
		}
		for t, v := range y.RawRowView(i) {
			if v == v { // it is not missing
				s := (v - row.Mean) / row.SD
				s *= s
				squares[t] += s
				fourths[t] += float64(s * s)
				observed[t]++
			}
		}
	}
	return matrix.Kurtosis(squares, fourths, observed)
}
