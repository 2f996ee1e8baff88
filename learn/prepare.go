package learn

import (
	"fmt"
	"math"

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
// count as one and the same.
const constant = 1e-12

// prepare checks the signals and sets aside the vertices that never change.
// Such a vertex says nothing about its neighbours; it stays in the result,
// isolated, and a warning names it.
func prepare(y *mat.Dense, names []string) (prepared, []string, error) {
	n, m := y.Dims()
	var largest float64
	var p prepared
	var warnings []string
	for i := range n {
		low, high := math.Inf(1), math.Inf(-1)
		for s, v := range y.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return p, nil, fault("signals", "vertex %q, signal %d: %g is not a finite number", names[i], s+1, v)
			}
			low, high = min(low, v), max(high, v)
		}
		size := max(math.Abs(low), math.Abs(high))
		if high/2-low/2 <= constant/2*size { // halves, because the difference could overflow
			warnings = append(warnings, fmt.Sprintf("vertex %q is %g in every signal: left isolated", names[i], high))
			continue
		}
		largest = max(largest, size)
		p.kept = append(p.kept, i)
	}
	if len(p.kept) < 2 {
		return p, nil, fault("signals", "only %d of %d vertices vary, want at least 2", len(p.kept), n)
	}
	// A power of two changes no digit.
	_, exponent := math.Frexp(largest)
	p.unit = math.Ldexp(1, exponent)
	p.y = mat.NewDense(len(p.kept), m, nil)
	for k, i := range p.kept {
		for s, v := range y.RawRowView(i) {
			p.y.Set(k, s, v/p.unit)
		}
	}
	return p, warnings, nil
}
