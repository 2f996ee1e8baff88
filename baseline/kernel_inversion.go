package baseline

import (
	"context"
	"fmt"
	"math"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
)

// KernelInversion learns the graph of signals whose kernels, those of the problem,
// are known. Signals y = Σ_s p_s(L)x_s with white codes have second moments
//
//	E[yyᵀ] = s·h(L),  h(λ) = Σ_s p_s(λ)²,
//
// for some scale s. So it takes C = YYᵀ/M = V diag(c) Vᵀ, inverts h on c, and
// weighs each pair by max(0, −L_ij) of L = V diag(λ) Vᵀ, an estimate of the
// normalised Laplacian: the weights are those of D^(−1/2) W D^(−1/2). The mean of
// the signals is taken to be zero and not removed.
//
// Values outside the range of h are moved to its ends; more than one warns. The
// eigenvector of one sign has λ = 0 whatever its c. The scale is the one for
// which Σλ = N, the trace of a normalised Laplacian. Where h rises and falls on
// [0, 2], only one of its monotone branches can be inverted: the one onto whose
// range most eigenvalues then fall, the wider one of equals; the others are
// misplaced, and a warning says so. No kernels, or kernels with a constant h, are
// an error.
//
// The method's own cut is at the largest gap of these weights, found as by
// [graph.Graph.CutAtGap] but without normalising them once more.
//
// If ctx ends, a graph without edges comes with the cause.
// The method is an observation on the model of [maretic2017], not of that paper.
type KernelInversion struct{}

var kernelInversionEntry = register(method.Entry{
	Default: KernelInversion{}, About: "known kernels, inverted on the spectrum of the covariance",
})

// Name returns "kernel-inversion".
func (KernelInversion) Name() string { return "kernel-inversion" }

// Capabilities keeps the contract of [method.Capable].
func (KernelInversion) Capabilities() []method.Capability {
	return []method.Capability{method.UsesKernels, method.UsesMeans, method.UsesScales}
}

// Learn keeps the contract of [method.Method].
func (m KernelInversion) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return kernelInversionEntry.Run(ctx, m, p, m.learn)
}

func (m KernelInversion) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if len(p.Kernels) == 0 {
		p.Kernels = kernel.Paper()
	}
	branches := branchesOf(p.Kernels)
	if len(branches) == 0 {
		return nil, input.Errorf(m.Name(), input.Kernels,
			"the sum of their squares is constant on [0, 2], so signals tell nothing of the graph")
	}
	n, _ := p.Y.Dims()
	w := make([]float64, n*(n-1)/2)
	if ctx.Err() != nil {
		//nolint:nilerr // the status says so, and Run returns the cause
		return &method.Result{Weights: fromPairs(n, w), Status: method.Interrupted}, nil
	}
	c, err := moments(p.Y)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name(), err)
	}
	lambda, inside := c.invert(branches)
	lap := c.rebuild(lambda)
	eachPair(n, func(e, i, j int) { w[e] = max(0, -lap.Data[i*n+j]) })
	g := fromPairs(n, w)
	r := &method.Result{Weights: g, Graph: c.cutAtGap(g), Status: method.Converged}
	if len(branches) > 1 {
		r.Warnings = append(r.Warnings, "the sum of the squared kernels both rises and falls on [0, 2]: "+
			"eigenvalues on its smaller branches are misplaced")
	}
	if outside := n - 1 - inside; outside > 1 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d eigenvalues are outside the range of the kernels", outside, n))
	}
	return r, nil
}

// invert returns λ for each eigenvalue on the branch that holds most of them, and
// how many it holds. The first vector of the Perron space counts as placed at 0.
func (s *spectrum) invert(branches []branch) (lambda []float64, inside int) {
	inside = -1
	var width float64
	for _, b := range branches {
		l, count := s.invertOn(b)
		if count > inside || count == inside && b.high-b.low > width {
			lambda, inside, width = l, count, b.high-b.low
		}
	}
	return lambda, inside
}

// invertOn inverts one branch at the scale for which Σλ = N, or the nearest to it.
func (s *spectrum) invertOn(b branch) (lambda []float64, inside int) {
	n := len(s.values)
	lambda = make([]float64, n)
	sum := func(scale float64) float64 {
		var total float64
		for k, c := range s.values {
			if s.space[k] == s.perronSpace {
				lambda[k] = 0
			} else {
				lambda[k] = b.inverse(c / scale)
			}
			total += lambda[k]
		}
		return total
	}
	// λ falls with the value to invert on a falling branch, so the sum rises with
	// the scale there, and falls on a rising branch.
	rises := b.hLow > b.hHigh
	low, high := math.Log(0x1p-60*s.values[0]/b.great), math.Log(0x1p60*s.values[0]/b.great)
	for range 100 {
		middle := (low + high) / 2
		if sum(portable.Exp(middle)) < float64(n) == rises {
			low = middle
		} else {
			high = middle
		}
	}
	scale := portable.Exp((low + high) / 2)
	sum(scale)
	for k, c := range s.values {
		if v := c / scale; s.space[k] != s.perronSpace && v >= b.least && v <= b.great {
			inside++
		}
	}
	return lambda, inside
}

// rebuild returns V diag(λ) Vᵀ.
func (s *spectrum) rebuild(lambda []float64) linalg.Dense {
	n := len(lambda)
	scaled, product := linalg.NewDense(n, n), linalg.NewDense(n, n)
	for i := range n {
		for k, l := range lambda {
			scaled.Data[i*n+k] = s.vectors.Data[i*n+k] * l
		}
	}
	linalg.MulTransB(product, scaled, s.vectors)
	return product
}

// A branch is an interval of [0, 2] on which h(λ) = Σ p_s(λ)² is strictly monotone.
type branch struct {
	h            func(lambda float64) float64
	low, high    float64 // λ
	hLow, hHigh  float64 // h there
	least, great float64 // the same in order
}

// branchPoints is how finely [0, 2] is sampled to find where h turns.
const branchPoints = 4001

// branchesOf splits [0, 2] where h turns; flat stretches belong to no branch.
func branchesOf(kernels []kernel.Kernel) []branch {
	h := func(l float64) float64 {
		var sum float64
		for _, k := range kernels {
			p := k.Eval(l)
			sum += p * p
		}
		return sum
	}
	at := func(i int) float64 { return 2 * float64(i) / (branchPoints - 1) }
	values := make([]float64, branchPoints)
	var peak float64
	for i := range values {
		values[i] = h(at(i))
		peak = max(peak, values[i])
	}
	direction := func(i int) int {
		switch step := values[i+1] - values[i]; {
		case step > 1e-13*peak:
			return 1
		case step < -1e-13*peak:
			return -1
		}
		return 0
	}
	var branches []branch
	for i := 0; i < branchPoints-1; {
		d, first := direction(i), i
		for i < branchPoints-1 && direction(i) == d {
			i++
		}
		if d != 0 {
			a, b := values[first], values[i]
			branches = append(branches, branch{h, at(first), at(i), a, b, min(a, b), max(a, b)})
		}
	}
	return branches
}

// inverse returns the λ of the branch with h(λ) = v, or its nearer end.
func (b branch) inverse(v float64) float64 {
	rising := b.hHigh > b.hLow
	before := func(x, y float64) bool { return x <= y == rising } // in the order of h along the branch
	low, high := b.low, b.high
	switch {
	case v == b.hLow || before(v, b.hLow):
		return low
	case v == b.hHigh || !before(v, b.hHigh):
		return high
	}
	for range 60 {
		if middle := (low + high) / 2; before(b.h(middle), v) {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
