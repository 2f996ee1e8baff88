package prepare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
)

const (
	// skewed is the median skewness from which values count as skewed; that of the
	// exponential distribution is 2.
	skewed = 1

	// strongAutocorrelation is the median autocorrelation at lag 1 from which signals
	// count as a time series, if it also exceeds chanceAutocorrelation/√M, which
	// independent signals never reach.
	strongAutocorrelation = 0.5
	chanceAutocorrelation = 4

	// duplicateGap is how far below 1 the correlation may be of two vertices that
	// carry the same signal, perhaps rounded or in another unit. Under the model two
	// vertices with no other neighbour come nearest to it, with 7·10⁻⁴ for heat:2.
	duplicateGap = 1e-4
	// duplicateSignals is how many signals must be observed at both vertices; three
	// may agree by chance.
	duplicateSignals = 10
	// duplicateVertices is the most vertices for which all pairs are compared.
	duplicateVertices = 5000
)

// A Warning is a doubt about the signals.
type Warning struct {
	Kind   WarningKind
	Doubt  string // what there is to doubt
	Advice string // what may help; "" if nothing is known to
}

// Sentence returns the doubt, and the advice if there is one.
func (w Warning) Sentence() string {
	if w.Advice == "" {
		return w.Doubt
	}
	return w.Doubt + ": " + w.Advice
}

// A WarningKind says what a warning is about, so that a program can say what to do.
type WarningKind string

// The kinds of warnings.
const (
	Skewed              WarningKind = "skewed"               // logarithms may help
	SkewedFromZero      WarningKind = "skewed from zero"     // logarithms with an offset may help
	Autocorrelated      WarningKind = "autocorrelated"       // differences may help
	StillAutocorrelated WarningKind = "still autocorrelated" // signals are fewer than they seem
	Duplicates          WarningKind = "duplicates"           // vertices carry the same signal
)

// The kinds of warnings about what was found and done before preprocessing, or because of
// the method.
const (
	CommonModeKept            WarningKind = "common mode kept"               // removing it may help
	CommonModeKeptForHighPass WarningKind = "common mode kept for high-pass" // low-pass kernels without it may do better
	CommonModeInTime          WarningKind = "common mode in time"            // it may make arrows
	DifferencesInTime         WarningKind = "differences in time"            // they are not what the method is a model of
	BadSensors                WarningKind = "bad sensors"                    // Prepared.Faults lists them; their values were set aside
	BadSensorsKept            WarningKind = "bad sensors kept"               // their values were not
	BadSensorsInTime          WarningKind = "bad sensors in time"            // nor could they be
	OutOfScale                WarningKind = "out of scale"                   // Prepared.OutOfScale lists signals that were set aside
	OutOfScaleKept            WarningKind = "out of scale kept"              // they were not
	OutOfScaleInTime          WarningKind = "out of scale in time"           // nor could they be
	EqualVertices             WarningKind = "equal vertices"                 // Prepared.Equal lists them; they were learned as one
	OutOfTime                 WarningKind = "out of time"                    // something was not looked for
)

// ofValues reports whether a warning is about the values that were given: differences do
// not change it.
func (k WarningKind) ofValues() bool { return k == Skewed || k == SkewedFromZero }

// warnOfSkew suggests logarithms for positive values that are skewed, if logarithms
// would make them less so.
func warnOfSkew(ctx context.Context, y *mat.Dense, o Options) []Warning {
	if o.Log {
		return nil
	}
	low := math.Inf(1)
	var before, after []float64
	rows := matrix.DescribeRows(y)
	for _, r := range rows {
		if r.Observed > 0 {
			low = min(low, r.Low)
		}
	}
	if low < 0 {
		return nil
	}
	for i := range run.While(ctx, len(rows)) {
		r := rows[i]
		if !r.Varies {
			continue
		}
		offset := 0.0
		if low == 0 {
			offset = r.Mean // in the unit of the vertex
		}
		logs := make([]float64, 0, r.Observed)
		for _, v := range y.RawRowView(i) {
			logs = append(logs, math.Log(v+offset))
		}
		before, after = append(before, skewness(y.RawRowView(i), r)), append(after, math.Abs(skewness(logs, matrix.Describe(logs))))
	}
	if len(before) == 0 {
		return nil
	}
	was := matrix.Median(before)
	if was < skewed || matrix.Median(after) > was/2 {
		return nil
	}
	if low == 0 {
		return []Warning{{
			SkewedFromZero, fmt.Sprintf("values are non-negative and skewed (skewness %.2g)", was),
			"logarithms with an offset may help",
		}}
	}
	return []Warning{{Skewed, fmt.Sprintf("values are positive and skewed (skewness %.2g)", was), "logarithms may help"}}
}

// skewness returns the third standardised moment of a row that r describes, 0 if it does
// not vary.
func skewness(x []float64, r matrix.Row) float64 {
	if !r.Varies {
		return 0
	}
	var third float64
	for _, v := range x {
		if !math.IsNaN(v) {
			d := (v - r.Mean) / r.SD
			third += d * d * d
		}
	}
	return third / float64(r.Observed)
}

// warnOfTime says that signals are autocorrelated.
func warnOfTime(ctx context.Context, seen evidence, r *Report) []Warning {
	_, m := seen.z.Dims()
	var next []float64
	for i, row := range seen.rows {
		if row.Varies {
			x := standardised(seen.z.RawRowView(i), row)
			next = append(next, correlation(x[:m-1], x[1:]))
		}
	}
	if len(next) == 0 {
		return nil
	}
	typical := matrix.Median(next)
	if typical < max(strongAutocorrelation, chanceAutocorrelation/math.Sqrt(float64(m))) {
		return nil
	}
	doubt := fmt.Sprintf("consecutive signals are correlated (%.2g), so the %d signals count as about %.0f independent ones",
		typical, m, effectiveObservations(ctx, seen.z))
	if r.Difference.Done || r.Autoregression.Done {
		return []Warning{{StillAutocorrelated, doubt, ""}}
	}
	return []Warning{{Autocorrelated, doubt, "if they form a time series, differences may help"}}
}

// warnOfDuplicates names pairs of vertices that carry the same signal.
func warnOfDuplicates(ctx context.Context, z *mat.Dense, o Options) []Warning {
	same, _ := SameSignals(ctx, z)
	var pairs []string
	for _, p := range same {
		pairs = append(pairs, fmt.Sprintf("%q and %q", nameOf(o.Names, p[0]), nameOf(o.Names, p[1])))
	}
	const most = 3
	switch {
	case len(pairs) == 0:
		return nil
	case len(pairs) > most:
		pairs = append(pairs[:most], fmt.Sprintf("%d more pairs", len(pairs)-most))
	}
	doubt := fmt.Sprintf("vertices carry the same signal: %s; remove one of each pair, otherwise their edges mean little",
		strings.Join(pairs, ", "))
	return []Warning{{Duplicates, doubt, ""}}
}

// SameSignals returns the pairs of vertices that carry the same signal, perhaps rounded or in
// another unit; none if there are more than 5000 vertices. If ctx ends first, there is only
// its cause.
func SameSignals(ctx context.Context, y *mat.Dense) ([][2]int, error) {
	rows := matrix.DescribeRows(y)
	vertices := varyingOf(rows)
	if len(vertices) > duplicateVertices {
		return nil, nil
	}
	unit := make([][]float64, len(vertices))
	for k, i := range vertices {
		unit[k] = standardised(y.RawRowView(i), rows[i])
	}
	var pairs [][2]int
	for b := range run.While(ctx, len(unit)) {
		for a := range b {
			if duplicates(unit[a], unit[b]) {
				pairs = append(pairs, [2]int{vertices[a], vertices[b]})
			}
		}
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return pairs, nil
}

// duplicates reports whether two standardised rows agree up to sign and rounding, and
// not only in a few large values.
func duplicates(a, b []float64) bool {
	// For n values observed in both, Σ(a ∓ b)² is 2n(1 ∓ ρ), nearly. Unrelated rows
	// exceed twice the bound within a few terms, however long they are.
	bound := 4 * duplicateGap * float64(len(a))
	var apart, opposed float64
	for k, v := range a {
		w := b[k]
		if math.IsNaN(v) || math.IsNaN(w) {
			continue
		}
		apart += (v - w) * (v - w)
		opposed += (v + w) * (v + w)
		if apart > bound && opposed > bound {
			return false
		}
	}
	both := matrix.Where(a, func(k int, v float64) bool { return !math.IsNaN(v) && !math.IsNaN(b[k]) })
	if len(both) < duplicateSignals {
		return false
	}
	// A correlation may rest on a few large values: it must hold without the largest
	// tenth, too.
	slices.SortFunc(both, func(i, j int) int { return cmp.Compare(math.Abs(a[i]), math.Abs(a[j])) })
	most := both[:len(both)-len(both)/10-1]
	return math.Abs(centredCorrelation(a, b, both)) > 1-duplicateGap && math.Abs(centredCorrelation(a, b, most)) > 1-100*duplicateGap
}

// centredCorrelation returns the correlation over the places given.
func centredCorrelation(a, b []float64, places []int) float64 {
	x, y := make([]float64, len(places)), make([]float64, len(places))
	for k, at := range places {
		x[k], y[k] = a[at], b[at]
	}
	ofX, ofY := matrix.Describe(x), matrix.Describe(y)
	if !ofX.Varies || !ofY.Varies {
		return 0
	}
	return correlation(standardised(x, ofX), standardised(y, ofY))
}
