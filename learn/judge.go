package learn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
)

const (
	// judgedBy is the most signals by which kernels are compared.
	judgedBy = 400
	// clearly is how many standard errors a prediction must be better by. Where
	// the kernels begun with are right, that of low-pass ones is next to nothing.
	clearly = 1
	// nearlyBest is the share of the best prediction that is good enough. Of the
	// low-pass kernels within it, those on levelled signals come first, because a
	// level is no sum of few atoms, and then the narrowest, because wider ones
	// need more edges for the same field.
	nearlyBest = 0.95
	// fieldAtoms is how many atoms a signal of a field is coded with at most, a
	// quarter of the vertices if that is less: it has no few atoms of its own.
	fieldAtoms = 8
)

// fieldScales are the scales of the low-pass kernels that are tried.
var fieldScales = []float64{1, 2}

// A KernelScore says how well the graph that some kernels lead to predicts.
type KernelScore struct {
	Kernels           []string
	Sparsity          int
	CommonModeRemoved bool    // with each signal's mean over the vertices taken out
	Prediction        float64 // as of PathPoint, before any cut

	model Model
}

// signals returns the signals that the score is of.
func (k KernelScore) signals(data prepared) prepared {
	if k.CommonModeRemoved {
		return data.levelled()
	}
	return data
}

// bestKernels compares low-pass kernels with those of the model and returns those
// that are better, nil if none are.
func (r *run) bestKernels(data prepared, first Model) *KernelScore {
	atoms := first.Sparsity
	if r.chooseSparsity {
		atoms = max(min(fieldAtoms, len(data.vertices)/4), 1)
	}
	r.way = nil // all are judged as they are
	r.scores = []KernelScore{{model: first}}
	for _, levelled := range []bool{true, false} {
		for _, scale := range fieldScales {
			r.scores = append(r.scores, KernelScore{CommonModeRemoved: levelled, model: Model{lowPass(scale), atoms}})
		}
	}
	_, m := data.y.Dims()
	order := rng.Stream(r.options.Seed, "kernels").Perm(m)
	order = order[:min(m, judgedBy)]
	slices.Sort(order)
	some := data.some(order)
	errors := make([][]float64, len(r.scores))
	for k := range r.scores {
		s := &r.scores[k]
		var rival []float64
		errors[k], rival = r.judge(s.signals(some), s.model)
		if !r.going() {
			r.scores = nil
			return nil
		}
		s.Kernels, s.Sparsity = names(s.model.Kernels), s.model.Sparsity
		if total := floats.Sum(rival); total > 0 {
			s.Prediction = 1 - floats.Sum(errors[k])/total
		}
	}
	best := 0.0
	for _, s := range r.scores[1:] {
		best = max(best, s.Prediction)
	}
	for k, s := range r.scores {
		if k == 0 || s.Prediction < nearlyBest*best || best == 0 || errors[0] == nil || errors[k] == nil {
			continue
		}
		if mean, err := paired(errors[0], errors[k]); mean > clearly*err {
			return &r.scores[k]
		}
	}
	return nil
}

// fieldDegree is the degree of the low-pass kernels.
const fieldDegree = 15

// lowPass returns heat kernels of the given scales.
func lowPass(scales ...float64) []kernel.Kernel {
	var kernels []kernel.Kernel
	for _, scale := range scales {
		k, err := kernel.Heat(scale, fieldDegree, kernel.Chebyshev)
		if err != nil {
			panic(err) // fixed numbers: a bug of ours
		}
		kernels = append(kernels, k)
	}
	return kernels
}

func names(kernels []kernel.Kernel) []string {
	var list []string
	for _, k := range kernels {
		list = append(list, k.Name)
	}
	return list
}

// judge learns with a model from three quarters of the signals and returns the
// errors of its predictions in the others and those of the rival; see neighbourly.
func (r *run) judge(data prepared, m Model) (errors, rival []float64) {
	_, signals := data.y.Dims()
	var train, test []int
	for k := range signals {
		if k%4 == 0 {
			test = append(test, k)
		} else {
			train = append(train, k)
		}
	}
	r.adopt(data.some(train), m)
	weights := r.searchOnce()
	if weights == nil {
		return nil, nil
	}
	pairs, w := dictionary.EdgesOf(weights)
	r.engine.SetPairs(pairs)
	if r.err = r.engine.At(w); r.err != nil {
		return nil, nil
	}
	return neighbourly(eigenOf(r.dense.Spectral), r.kernels, linalg.Transposed(data.filled()), train, test)
}

// searchOnce returns the weights that a first start finds, nil if there are none.
func (r *run) searchOnce() *graph.Graph {
	best := candidate{score: math.Inf(1)}
	r.start = 1
	r.search(r.startWeights(1), &best)
	if r.answer.graph != nil {
		return r.answer.weights
	}
	return best.weights
}

// paired returns the mean of a − b and its standard error.
func paired(a, b []float64) (mean, err float64) {
	n := float64(len(a))
	for k := range a {
		mean += (a[k] - b[k]) / n
	}
	for k := range a {
		d := a[k] - b[k] - mean
		err += d * d
	}
	return mean, math.Sqrt(err / (n - 1) / n)
}
