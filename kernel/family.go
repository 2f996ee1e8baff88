package kernel

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/internal/portable"
)

// A Family is a kind of kernel that [Parse] knows by name. Each is registered in a
// declaration: what reads, lists, explains and completes specifications asks [Families].
type Family struct {
	Name     string // such as "heat"
	Argument string // what follows the name and a colon, such as "TAU"
	Formula  string // g(λ), in one line
	About    string // what it is for, in one line
	Example  string // a specification, such as "heat:2"

	shape *shape // of families with a scale; else nil
	// fromNumbers makes a kernel of a family without scale from what was written.
	fromNumbers func(spec string, numbers []float64) (Kernel, error)
}

// Usage returns how kernels of the family are written, such as "heat:TAU".
func (f Family) Usage() string { return f.Name + ":" + f.Argument }

// Families lists all families: those with a scale by name, then the others.
func Families() []Family {
	list := make([]Family, len(families))
	for i, f := range families {
		list[i] = *f
	}
	return list
}

var families []*Family

// register adds a family to those that Families lists. A name that is taken is a bug.
func register(f Family) *Family {
	if find(f.Name) != nil {
		panic("kernel: two families are called " + f.Name)
	}
	families = append(families, &f)
	slices.SortFunc(families, func(a, b *Family) int {
		return cmp.Or(cmp.Compare(a.group(), b.group()), cmp.Compare(a.Name, b.Name))
	})
	return &f
}

// group is 0 for families with a scale and 1 for the others.
func (f *Family) group() int {
	if f.shape != nil {
		return 0
	}
	return 1
}

// find returns the family of that name, or nil.
func find(name string) *Family {
	for _, f := range families {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// either returns what of says of each family, as "a, b or c".
func either(of func(f *Family) string) string {
	words := make([]string, len(families))
	for i, f := range families {
		words[i] = of(f)
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

var heat = register(Family{
	Name: "heat", Argument: "TAU", Example: "heat:2",
	Formula: "e^(−τλ)", About: "low-pass: heat diffused for a time τ",
	shape: &shape{
		value:  func(m member, l float64) float64 { return portable.Exp(-(m.scale * l)) },
		slope:  func(m member, l float64) float64 { return l * -portable.Exp(-(m.scale * l)) },
		taylor: heatTaylor,
	},
})

// Heat returns e^(−τλ), low-pass for τ > 0.
func Heat(tau float64, degree int, by Approximation) (Kernel, error) {
	return heat.with(member{scale: tau}, degree, by)
}

// heatTaylor returns (−τ)^k/k!.
func heatTaylor(tau float64, k int) float64 {
	a := 1.0
	for i := 1; i <= k; i++ {
		a *= -tau / float64(i)
	}
	return a
}

var highPass = register(Family{
	Name: "highpass", Argument: "TAU", Example: "highpass:1",
	Formula: "1 − e^(−τλ)", About: "high-pass: what heat:TAU removes",
	shape: &shape{
		value: func(m member, l float64) float64 { return -math.Expm1(-(m.scale * l)) },
		slope: func(m member, l float64) float64 { return l * portable.Exp(-(m.scale * l)) },
		taylor: func(tau float64, k int) float64 {
			if k == 0 {
				return 0
			}
			return -heatTaylor(tau, k)
		},
	},
})

// HighPass returns 1 − e^(−τλ), zero at λ = 0 and high-pass for τ > 0.
func HighPass(tau float64, degree int, by Approximation) (Kernel, error) {
	return highPass.with(member{scale: tau}, degree, by)
}

var _ = register(Family{
	Name: "poly", Argument: "a0,a1,…", Example: "poly:1,-0.5",
	Formula: "a0 + a1·λ + …", About: "any polynomial, by its coefficients",
	fromNumbers: Polynomial,
})

// Polynomial returns the kernel with the given coefficients: p(λ) = Σ coef[k] λ^k. Its
// degree is [MaxDegree] at most.
func Polynomial(name string, coef []float64) (Kernel, error) {
	if len(coef) == 0 {
		return Kernel{}, fmt.Errorf("kernel %s: no coefficients", name)
	}
	if len(coef) > MaxDegree+1 {
		return Kernel{}, fmt.Errorf("kernel %s: there are %d coefficients, but at most %d can be used: give a "+
			"polynomial of degree up to %d",
			ShortName(name), len(coef), MaxDegree+1, MaxDegree)
	}
	k, err := fromCoef(name, coef, func(l float64) float64 { return horner(coef, l) })
	k.ApproximationError = 0 // what was measured is rounding
	return k, err
}

// InPowers returns the same kernel made from its coefficients in powers of λ,
// under a name that [Parse] reads back to the last bit: poly:a0,a1,….
func (k Kernel) InPowers() (Kernel, error) {
	coef := k.Coef()
	name := "poly:"
	for i, a := range coef {
		if i > 0 {
			name += ","
		}
		name += strconv.FormatFloat(a, 'g', -1, 64)
	}
	return Polynomial(name, coef)
}

var wavelet = register(Family{
	Name: "wavelet", Argument: "SCALE", Example: "wavelet:1.5",
	Formula: "x² for x < 1, 4/x² for x > 2, a cubic between; x = SCALE·λ",
	About:   "band-pass: a spectral graph wavelet, always approximated by chebyshev",
	shape: &shape{
		value: func(m member, l float64) float64 { return waveletValue(m.scale * l) },
		slope: func(m member, l float64) float64 { return l * waveletSlope(m.scale*l) },
	},
})

// Wavelet returns the band-pass spectral graph wavelet kernel g(scale·λ) of
// [hammond2011], section 8.1, with α = β = 2, x₁ = 1 and x₂ = 2. It is always
// approximated by Chebyshev interpolation: its Taylor series at 0 is just λ².
func Wavelet(scale float64, degree int) (Kernel, error) {
	return wavelet.with(member{scale: scale}, degree, Chebyshev)
}

func waveletValue(x float64) float64 {
	switch {
	case x < 1:
		return x * x
	case x <= 2:
		return -5 + x*(11+x*(-6+x))
	default:
		return 4 / (x * x)
	}
}

func waveletSlope(x float64) float64 {
	switch {
	case x < 1:
		return 2 * x
	case x <= 2:
		return 11 + x*(-12+3*x)
	default:
		return -8 / (x * x * x)
	}
}
