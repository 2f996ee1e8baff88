package learn

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// An InputError says in one sentence what is wrong with the signals or with an
// option. Several faults come joined.
type InputError struct {
	Field string // what is at fault, such as "signals" or "sparsity"
	Msg   string
}

func (e *InputError) Error() string { return "learn: " + e.Field + ": " + e.Msg }

func fault(field, format string, args ...any) error {
	return &InputError{field, fmt.Sprintf(format, args...)}
}

// prepared are the signals a recipe works on: the vertices that vary, in a
// scale where nothing overflows.
type prepared struct {
	y    *mat.Dense
	kept []int   // which vertices these are
	unit float64 // the signals as given are unit·y
}

// constant is the share of a vertex's largest value within which its values
// count as one and the same; vanishing, that of the largest value of all
// vertices below which nothing can be told.
const (
	constant  = 1e-12
	vanishing = 1e-100
)

// prepare checks the signals and sets aside the vertices that never change.
// Such a vertex says nothing about its neighbours; it stays in the result,
// isolated, and a warning names it.
func prepare(y *mat.Dense, names []string) (prepared, []string, error) {
	n, m := y.Dims()
	var largest float64
	for i := range n {
		for s, v := range y.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return prepared{}, nil, fault("signals", "vertex %q, signal %d: %g is not a finite number", names[i], s+1, v)
			}
			largest = max(largest, math.Abs(v))
		}
	}
	// A power of two changes no digit.
	_, exponent := math.Frexp(largest)
	p := prepared{unit: math.Ldexp(1, exponent-1)}
	var rows [][]float64
	var warnings []string
	for i := range n {
		row := slices.Clone(y.RawRowView(i))
		for s := range row {
			row[s] /= p.unit
		}
		low, high := slices.Min(row), slices.Max(row)
		size := max(-low, high)
		switch {
		case high-low <= constant*size:
			warnings = append(warnings, fmt.Sprintf("vertex %q is %g in every signal: left isolated", names[i], y.At(i, 0)))
		case size < vanishing:
			warnings = append(warnings, fmt.Sprintf("vertex %q is vanishingly small beside the others: left isolated", names[i]))
		default:
			p.kept, rows = append(p.kept, i), append(rows, row)
		}
	}
	if len(p.kept) < 2 {
		return p, nil, fault("signals", "only %d of %d vertices vary, want at least 2", len(p.kept), n)
	}
	p.y = mat.NewDense(len(rows), m, slices.Concat(rows...))
	return p, warnings, nil
}
