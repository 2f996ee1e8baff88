// Package kernel holds the spectral kernels g(λ) that generate a dictionary,
// as polynomials on the spectrum [0, 2] of a normalised Laplacian: heat kernels
// and high-pass kernels ([maretic2017], section 4), spectral graph wavelets
// ([hammond2011]), those of Matérn fields ([lindgren2011]), and coefficients given or learned
// beforehand ([thanou2014]).
//
// Whatever it was made from, a Kernel keeps its polynomial in the Chebyshev
// basis of [0, 2], where evaluation and recurrences are stable at any degree.
package kernel

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Kernel is a polynomial p(λ) on [0, 2], standing for some function g(λ).
type Kernel struct {
	// Name is the specification it came from, such as "heat:2".
	Name string
	// ApproximationError is max |p(λ) − g(λ)| over [0, 2], measured on a fine
	// grid; zero if the polynomial was given.
	ApproximationError float64

	series []float64 // c_k: p(λ) = Σ c_k T_k(λ − 1)
	coef   []float64 // α_k where the kernel was made from them, else nil
	peak   float64   // max |g| on [0, 2]

	family *Family // of which the kernel is a member by its scale; else nil
	member member
	by     Approximation
	slope  []float64 // Chebyshev coefficients of ∂p/∂scale
}

// Approximation says how a function becomes a polynomial.
type Approximation string

const (
	// Taylor is the series at λ = 0, as in [maretic2017]. On [0, 2] it needs a
	// degree well above 2eτ for a heat kernel of scale τ.
	Taylor Approximation = "taylor"
	// Chebyshev interpolates at Chebyshev points: near the best possible for the degree.
	Chebyshev Approximation = "chebyshev"
)

// MaxDegree bounds the degree of polynomials. It is far
// above what any function needs on [0, 2]; a slip of the finger above it would take
// hours.
const MaxDegree = 1000

// PoorFit is the approximation error, relative to the kernel's peak, above
// which Warning speaks.
const PoorFit = 0.01

// largest bounds the size of kernels, so that squares of atoms neither overflow nor underflow.
const largest = 1e100

// gridPoints is how finely [0, 2] is sampled to measure errors.
const gridPoints = 2001

// FromSeries returns the kernel with the given Chebyshev coefficients:
// p(λ) = Σ series[k] T_k(λ − 1).
func FromSeries(name string, series []float64) (Kernel, error) {
	if len(series) == 0 {
		return Kernel{}, fmt.Errorf("kernel %s: no coefficients", name)
	}
	k, err := build(name, slices.Clone(series), Kernel{series: series}.Eval)
	k.ApproximationError = 0
	return k, err
}

// FromFunction returns the kernel of the given degree that agrees with g at the
// Chebyshev points of [0, 2].
func FromFunction(name string, g func(lambda float64) float64, degree int) (Kernel, error) {
	if degree < 0 {
		return Kernel{}, fmt.Errorf("kernel %s: degree %d is below 0", name, degree)
	}
	if degree > MaxDegree {
		return Kernel{}, fmt.Errorf("kernel %s: degree %d is above %d", name, degree, MaxDegree)
	}
	return build(name, interpolate(g, degree), g)
}

// fromCoef stands p(λ) = Σ coef[k] λ^k for g.
func fromCoef(name string, coef []float64, g func(float64) float64) (Kernel, error) {
	series := interpolate(func(l float64) float64 { return horner(coef, l) }, len(coef)-1)
	k, err := build(name, series, g)
	k.coef = slices.Clone(coef)
	return k, err
}

// build measures how well the series stands for g and refuses what cannot
// generate atoms.
func build(name string, series []float64, g func(float64) float64) (Kernel, error) {
	k := Kernel{Name: name, series: series}
	var peak float64
	for i := range gridPoints {
		l := 2 * float64(i) / (gridPoints - 1)
		p, want := k.Eval(l), g(l)
		if math.IsNaN(p) || math.IsInf(p, 0) {
			return Kernel{}, fmt.Errorf("kernel %s: not finite at λ = %g", name, l)
		}
		peak = max(peak, math.Abs(p))
		k.peak = max(k.peak, math.Abs(want))
		k.ApproximationError = max(k.ApproximationError, math.Abs(p-want))
	}
	switch {
	case peak == 0:
		return Kernel{}, fmt.Errorf("kernel %s: zero on all of [0, 2], so it generates no atoms", name)
	case peak > largest || peak < 1/largest:
		return Kernel{}, fmt.Errorf("kernel %s: its largest value on [0, 2] is %.2g, want one between %.0g and %.0g",
			name, peak, 1/largest, largest)
	}
	return k, nil
}

// Degree returns the degree K of the polynomial.
func (k Kernel) Degree() int { return len(k.series) - 1 }

// Series returns a copy of the Chebyshev coefficients c_k, with
// p(λ) = Σ c_k T_k(λ − 1).
func (k Kernel) Series() []float64 { return slices.Clone(k.series) }

// Eval returns p(λ).
func (k Kernel) Eval(lambda float64) float64 { return clenshaw(k.series, lambda) }

// DividedDifference returns (p(a) − p(b))/(a − b), and p′(a) if a = b, without
// cancellation however near the two are.
func (k Kernel) DividedDifference(a, b float64) float64 {
	x, y := a-1, b-1
	// T_{k+1}[x,y] = 2(x T_k[x,y] + T_k(y)) − T_{k−1}[x,y]
	var sum, d0, d1 float64 = 0, 0, 1
	t0, t1 := 1.0, y
	for i := 1; i < len(k.series); i++ {
		sum += k.series[i] * d1
		d0, d1 = d1, 2*(x*d1+t1)-d0
		t0, t1 = t1, 2*y*t1-t0
	}
	return sum
}

// Coef returns the coefficients α_k of p(λ) = Σ α_k λ^k: those the kernel was
// made from, or else a change of basis from Series, which loses about two bits
// per degree. Computations should use Series.
func (k Kernel) Coef() []float64 {
	if k.coef != nil {
		return slices.Clone(k.coef)
	}
	n := len(k.series)
	alpha := make([]float64, n)
	prev, cur := make([]float64, n), make([]float64, n) // T_{i−1}, T_i of λ − 1 in powers of λ
	cur[0] = 1
	for i, c := range k.series {
		next := make([]float64, n)
		for j, t := range cur {
			alpha[j] += c * t
			// T_1 = x·T_0, then T_{i+1} = 2x·T_i − T_{i−1}, with x = λ − 1.
			twice := 2 * t
			if i == 0 {
				twice = t
			}
			next[j] -= twice + prev[j]
			if j+1 < n {
				next[j+1] += twice
			}
		}
		prev, cur = cur, next
	}
	return alpha
}

// Warning returns a sentence if the polynomial is a poor stand-in for its
// function, and "" otherwise.
func (k Kernel) Warning() string {
	if k.ApproximationError <= PoorFit*k.peak {
		return ""
	}
	mend := "a higher degree"
	if k.coef != nil {
		mend = "the chebyshev approximation or " + mend
	}
	return fmt.Sprintf("kernel %s: its polynomial of degree %d has an error of up to %.2g on [0, 2]; use %s",
		k.Name, k.Degree(), k.ApproximationError, mend)
}

// interpolate returns the Chebyshev coefficients of the polynomial of the given
// degree that agrees with f at the Chebyshev points of [0, 2]. A polynomial of
// that degree or less is reproduced.
func interpolate(f func(float64) float64, degree int) []float64 {
	n := degree + 1
	series := make([]float64, n)
	for j := range n {
		theta := math.Pi * (float64(j) + 0.5) / float64(n)
		v := f(1+math.Cos(theta)) * 2 / float64(n)
		for k := range series {
			series[k] += v * math.Cos(float64(k)*theta)
		}
	}
	series[0] /= 2
	return series
}

// clenshaw returns Σ series[k] T_k(λ − 1).
func clenshaw(series []float64, lambda float64) float64 {
	x := lambda - 1
	var b1, b2 float64
	for i := len(series) - 1; i > 0; i-- {
		b1, b2 = series[i]+2*x*b1-b2, b1
	}
	return series[0] + x*b1 - b2
}

func horner(coef []float64, l float64) float64 {
	var p float64
	for i := len(coef) - 1; i >= 0; i-- {
		p = p*l + coef[i]
	}
	return p
}

// Names lists the names of kernels.
func Names(kernels []Kernel) []string {
	var names []string
	for _, k := range kernels {
		names = append(names, k.Name)
	}
	return names
}

// ShortName is the name of a kernel for people: numbers in four digits, and no
// more than the beginning of a long polynomial.
func ShortName(name string) string {
	family, argument, _ := strings.Cut(name, ":")
	numbers := strings.Split(argument, ",")
	for k, n := range numbers {
		if v, err := strconv.ParseFloat(n, 64); err == nil {
			numbers[k] = strconv.FormatFloat(v, 'g', 4, 64)
		}
	}
	if len(numbers) > 3 {
		numbers = append(numbers[:3], "…")
	}
	return family + ":" + strings.Join(numbers, ",")
}

// PaperSpecs lists the kernels of [maretic2017], section 4, in the notation of
// [Parse]. They are what learning begins with.
func PaperSpecs() []string { return []string{"heat:2", "highpass:1"} }

// Paper returns the kernels of [maretic2017], section 4: Taylor polynomials of
// degree 15 for e^(−2λ) and 1 − e^(−λ).
func Paper() []Kernel {
	var kernels []Kernel
	for _, spec := range PaperSpecs() {
		k, err := Parse(spec, 15, Taylor)
		if err != nil {
			panic(err) // fixed numbers: a bug of ours
		}
		kernels = append(kernels, k)
	}
	return kernels
}

// Parse reads a kernel specification: the name of one of the [Families], a colon
// and its argument, such as "heat:2" or "poly:1,-0.5". degree and by apply to
// families with a scale; one without a Taylor series is always interpolated.
func Parse(spec string, degree int, by Approximation) (Kernel, error) {
	name, argument, _ := strings.Cut(spec, ":")
	var numbers []float64
	for field := range strings.SplitSeq(argument, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil {
			return Kernel{}, fmt.Errorf("kernel %q: %q is not a number (write %s)", spec, field,
				either(func(f *Family) string { return f.Example }))
		}
		numbers = append(numbers, v)
	}
	family := find(name)
	switch {
	case family == nil:
		return Kernel{}, fmt.Errorf("kernel %q: unknown family %q (%s)", spec, name, either(func(f *Family) string { return f.Name }))
	case family.shape == nil:
		return family.fromNumbers(spec, numbers)
	}
	m, err := family.parsed(spec, numbers)
	if err != nil {
		return Kernel{}, err
	}
	k, err := family.with(m, degree, by)
	if err == nil && family.shape.order != nil && len(numbers) == 1 {
		k.Name = fmt.Sprintf("%s:%v", name, m.order) // its scale was left open
	}
	return k, err
}
