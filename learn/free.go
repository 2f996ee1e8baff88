package learn

import (
	"slices"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/solver"
)

// Free kernels on a graph that is not known. Polynomials without any shape would
// fit any graph a little; so kernels of known families first find, with their
// scales, a graph that is nearly right, and polynomials go on from these.

// free learns polynomials with the graph.
func (r *run) free(data prepared, m Model) {
	count := r.options.KernelCount
	if _, signals := data.y.Dims(); count == 0 && signals < leastToChoose {
		count = 2
	}
	if count == 0 {
		count = r.bestCount(data, m.Sparsity)
	}
	if r.left || r.err != nil {
		return
	}
	found := r.freely(data, Model{families(count), m.Sparsity})
	if found == nil {
		r.deepen(data) // kernels of known families proved the answer, or there is none
		return
	}
	r.back(found.state)
	r.finalise(found.best, found.status)
	r.deepen(data)
	if r.answer.graph != nil && r.err == nil {
		r.tidy()
	}
}

// families returns so many kernels to begin with, from low-pass to high-pass.
func families(count int) []kernel.Kernel {
	var list []kernel.Kernel
	for s := range count {
		var k kernel.Kernel
		var err error
		switch s {
		case 0:
			k, err = kernel.Heat(1, fieldDegree, kernel.Chebyshev)
		case 1:
			k, err = kernel.HighPass(2, fieldDegree, kernel.Chebyshev)
		default:
			k, err = kernel.Wavelet(float64(s-1), fieldDegree)
		}
		if err != nil {
			panic(err) // fixed numbers: a bug of ours
		}
		list = append(list, k)
	}
	return list
}

// freely learns the scales of the model's kernels, and then polynomials that
// begin as these.
func (r *run) freely(data prepared, m Model) *trial {
	scaled := r.trial(data, m, scaleWay{})
	if scaled == nil {
		return nil
	}
	way := freeWay{newFreeBounds(r.options.KernelDegree, 0, 0)}
	if m.Kernels, r.err = way.like(scaled.model.Kernels); r.err != nil || !r.going() {
		return scaled
	}
	begin := r.begin
	defer func() { r.begin = begin }()
	r.begin = scaled.best.weights
	if freed := r.trial(data, m, way); freed != nil {
		return freed
	}
	return scaled
}

// like returns polynomials near the given kernels.
func (w freeWay) like(kernels []kernel.Kernel) ([]kernel.Kernel, error) {
	var series [][]float64
	for _, k := range kernels {
		p, err := kernel.FromFunction("free", k.Eval, w.degree)
		if err != nil {
			return nil, err
		}
		series = append(series, p.Series())
	}
	return w.kernels(series)
}

// bestCount returns how many kernels describe held-out signals best.
func (r *run) bestCount(data prepared, sparsity int) int {
	_, m := data.y.Dims()
	order := rng.Stream(r.options.Seed, "kernels").Perm(m)
	order = order[:min(m, judgedBy)]
	test, train := slices.Clone(order[:len(order)/hiddenShare]), slices.Clone(order[len(order)/hiddenShare:])
	slices.Sort(test)
	slices.Sort(train)
	learned, held := data.some(train), data.some(test)
	var residuals [][]float64
	for count := 1; count <= mostChosen && r.going(); count++ {
		found := r.freely(learned, Model{families(count), sparsity})
		if found == nil || r.err != nil {
			return count
		}
		if !r.going() {
			r.begin = found.best.weights // the best there is to go on from
			return count
		}
		e, err := heldResiduals(held, found.best.weights, found.best.kernels, sparsity, r.threads)
		if r.err = err; err != nil {
			return count
		}
		residuals = append(residuals, e)
	}
	if len(residuals) == 0 {
		return 1
	}
	return choose(scoreCounts(residuals, r.n, sparsity))
}

// tidy puts free kernels into the form in which they are returned.
func (r *run) tidy() {
	pairs, w := dictionary.EdgesOf(r.answer.graph)
	if r.answer.status == solver.Interrupted {
		pairs, w = dictionary.EdgesOf(r.answer.weights) // that is what was coded on
	}
	r.engine.SetPairs(pairs)
	if r.err = r.engine.At(w); r.err != nil {
		return
	}
	f := &kernelFit{fitter: r.fitter, dense: r.dense, way: r.way}
	f.code = r.answer.codes
	if r.err = r.way.settle(f); r.err == nil {
		r.answer.codes = f.code
	}
}
