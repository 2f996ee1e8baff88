package signals

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
)

// Reason says why a vertex was set aside.
type Reason string

// The reasons.
const (
	TooFewValues     Reason = "too few values"               // fewer than two
	TooFewLeft       Reason = "too few values left"          // fewer than two after preprocessing, which set the others aside
	Constant         Reason = "constant"                     // the same in every signal
	ConstantPrepared Reason = "constant after preprocessing" // it varies, but no longer after preprocessing
	Vanishing        Reason = "vanishing"                    // lost in the rounding errors of the others
)

// An Aside is a vertex that was set aside because nothing can be learned about it. It
// stays in the graph, without edges.
type Aside struct {
	Vertex   int
	Name     string
	Reason   Reason
	Observed int     // values that are not missing
	Signals  int     // how many signals there are
	Value    float64 // the one value of a constant vertex
}

// Sentence says which vertex was set aside, and why.
func (a Aside) Sentence() string {
	switch a.Reason {
	case TooFewValues:
		return fmt.Sprintf("vertex %q has values in only %d of %d signals and was left without edges", a.Name, a.Observed, a.Signals)
	case TooFewLeft:
		return fmt.Sprintf(
			"vertex %q has values in only %d of %d signals after preprocessing and was left without edges", a.Name,
			a.Observed, a.Signals)
	case Constant:
		return fmt.Sprintf("vertex %q is constant (%g in every signal) and was left without edges", a.Name, a.Value)
	case ConstantPrepared:
		return fmt.Sprintf("vertex %q is constant after preprocessing and was left without edges", a.Name)
	}
	return fmt.Sprintf("vertex %q is negligible compared with the others and was left without edges", a.Name)
}

const (
	leastObserved = 2      // values without which nothing is known about a vertex
	vanishing     = 1e-100 // the share of the largest value of all vertices below which a vertex is lost in rounding
)

// A Screening says which vertices can be learned from.
type Screening struct {
	Vertices []int // that vary, in order
	Aside    []Aside
}

// Sentences says what was set aside, a sentence for each vertex.
func (s Screening) Sentences() []string {
	var list []string
	for _, a := range s.Aside {
		list = append(list, a.Sentence())
	}
	return list
}

// Screen checks signals on behalf of op and finds the vertices that can be
// learned from. Every method does so by this rule. Names that are not distinct or
// not as many as there are vertices, an infinite value, and fewer than two
// signals or vertices that vary are an [*input.Error].
func Screen(op string, y *mat.Dense, names []string) (Screening, error) {
	return screen(op, y, names, vanishing)
}

// ScreenInOwnUnits is [Screen] for methods that measure every vertex in a unit of
// its own: no vertex is too small beside others.
func ScreenInOwnUnits(op string, y *mat.Dense, names []string) (Screening, error) {
	return screen(op, y, names, 0)
}

// screen sets aside vertices below a share of the largest value of all.
func screen(op string, y *mat.Dense, names []string, least float64) (Screening, error) {
	n, m := y.Dims()
	switch {
	case n < 2:
		return Screening{}, input.Errorf(op, input.Vertices, "got %d, want at least 2", n)
	case m < 2:
		return Screening{}, input.Errorf(op, input.Signals, "got %d, want at least 2", m)
	case names == nil:
		names = graph.DefaultNames(n)
	case len(names) != n:
		return Screening{}, input.Errorf(op, input.Names, "got %d, want %d", len(names), n)
	}
	if _, err := graph.New(names, nil); err != nil {
		return Screening{}, input.Errorf(op, input.Names, "%v", err)
	}
	var largest float64
	rows := matrix.DescribeRows(y)
	for i, r := range rows {
		if size := r.Size(); !math.IsInf(size, 0) {
			largest = max(largest, size)
			continue
		}
		for k, v := range y.RawRowView(i) {
			if math.IsInf(v, 0) {
				return Screening{}, input.Completef(op, input.Signals, "vertex %q, signal %d: %g is not a finite number", names[i], k+1, v)
			}
		}
	}
	var s Screening
	for i, r := range rows {
		aside := Aside{Vertex: i, Name: names[i], Observed: r.Observed, Signals: m}
		switch {
		case r.Observed < leastObserved:
			aside.Reason = TooFewValues
		case !r.Varies:
			aside.Reason, aside.Value = Constant, r.High
		case r.Size()/largest < least:
			aside.Reason = Vanishing
		default:
			s.Vertices = append(s.Vertices, i)
			continue
		}
		s.Aside = append(s.Aside, aside)
	}
	if len(s.Vertices) < 2 {
		return s, input.Completef(op, input.Signals, "only %d of %d vertices vary, want at least 2", len(s.Vertices), n)
	}
	return s, nil
}

// size is the largest absolute value of a row.
