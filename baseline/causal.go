package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// Causal learns a directed graph from signals in the order of time: which vertices
// depend on the past of which. Of the rows of the signals, each with mean 0 and
// variance 1, it minimises
//
//	½ Σ_k ‖x_k − Σ_{i=1..M} R_i x_{k−i}‖² + λ₁‖R_1‖₁   over R_1 … R_M
//
// ([mei2017], the simplified first step for graph processes of order M). With order 1
// it is a sparse vector autoregression. The arrow from j to i has weight |A_ij|, where
// A is R_1 fitted without penalty to the entries that are not zero; the own past of a
// vertex is no edge.
//
// λ₁, the same for all vertices, is the one of up to 25 from the largest that leaves an
// arrow down to a hundredth with the least
//
//	Σ_a [K log(RSS_a/K) + |S_a|·(log K + log N)]
//
// of these refitted A, with S_a the entries of row a and K signals that have a past.
// Weights before the cut are those of the smallest penalty tried.
//
// The signals must follow each other at equal times without gaps, and slow common
// movements such as trends make arrows between all that move. Rounds counts
// penalties. If ctx ends, the best graph so far comes with the cause.
type Causal struct {
	Order       int     `param:"order" about:"number of past signals that one depends on, 1 to 3; 0 means 1, which finds the edges of longer ones, too"`
	ChooseOrder bool    `param:"choose-order,omitzero" about:"1 to choose the order up to 3 by the criterion that chooses the penalty"`
	Penalty     float64 `param:"penalty" about:"λ₁ over the number of signals, on the scale of correlations; 0 means to choose it"`
}

var causalEntry = register(method.Entry{
	Default: Causal{}, Source: "mei2017", NewOwn: func() method.Kept { return &CausalFit{} },
	About: "directed graph of what vertices tell about the next signals of others: a sparse autoregression, for " +
		"signals in the order of time",
})

// mostOrder is the largest order: beyond it there are more free coefficients than
// signals tell.
const mostOrder = 3

// leastCausal is the least number of signals with a past.
const leastCausal = 3

// MarshalBinary keeps the contract of [method.Kept].
func (f *CausalFit) MarshalBinary() ([]byte, error) { return checkpoint.Marshal(f.code) }

// UnmarshalBinary keeps the contract of [method.Kept].
func (f *CausalFit) UnmarshalBinary(data []byte) error { return checkpoint.Decode(data, f.code) }

func (f *CausalFit) code(c *checkpoint.Coder) {
	checkpoint.Slice(c, &f.Lags, func(c *checkpoint.Coder, lag **mat.Dense) {
		if c.Reading() {
			*lag = &mat.Dense{}
		}
		c.Binary(*lag)
	})
	c.Float(&f.Predicted)
	c.Float(&f.Radius)
	c.Int(&f.Shuffled)
	c.Bool(&f.Chance)
}

// Findings keeps the contract of [method.Reporter].
func (f *CausalFit) Findings(r *method.Result) []string {
	sentence := fmt.Sprintf("the past predicts %s of the signals' variance", words.Percent(f.Predicted))
	if !math.IsNaN(f.Radius) {
		sentence += fmt.Sprintf(", with spectral radius %.2f", f.Radius)
	}
	if arrows := r.Graph.EdgeCount(); arrows > 0 {
		sentence += fmt.Sprintf("; %s of the arrows are one-way", words.Percent(float64(r.Graph.OneWay())/float64(arrows)))
	}
	return []string{sentence}
}

// A CausalFit is what only this method has to say. Vertices are those that were
// learned from, in their order.
type CausalFit struct {
	Lags      []*mat.Dense // R_1 … R_M fitted without penalty, with vertices in units of their standard deviation
	Predicted float64      // share of the variance that the past explains
	Radius    float64      // spectral radius of the process; NaN if it is too large to tell
	Shuffled  int          // arrows that the same penalty leaves if the signals are shuffled
	Chance    bool         // no vertex is correlated with the last signal of another beyond chance
}

// OnVertices keeps the contract of [method.ByVertex].
func (f *CausalFit) OnVertices(vertices []int, names []string, _ []signals.Aside) any {
	on := *f
	on.Lags = slices.Clone(f.Lags)
	for k, lag := range f.Lags {
		among := mat.NewDense(len(names), len(names), nil)
		for a, i := range vertices {
			for b, j := range vertices {
				among.Set(i, j, lag.At(a, b))
			}
		}
		on.Lags[k] = among
	}
	return &on
}

// Name returns "causal".
func (Causal) Name() string { return "causal" }

// Capabilities keeps the contract of [method.Capable].
func (Causal) Capabilities() []method.Capability {
	return []method.Capability{method.UsesOrder, method.DirectedEdges}
}

// Learn keeps the contract of [method.Method].
func (m Causal) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return causalEntry.Run(ctx, m, p, m.learn)
}

// orders returns the orders to try.
func (m Causal) orders(n, signals int) ([]int, error) {
	fits := func(order int) bool { return signals-order >= leastCausal && signals-order > n*(order-1) }
	switch order := max(m.Order, 1); {
	case m.Order > mostOrder:
		return nil, input.Errorf(m.Name(), "order", "got %d, want at most %d", m.Order, mostOrder)
	case m.ChooseOrder && m.Order > 0:
		return nil, input.Errorf(m.Name(), "order", "got %d and that it is to be chosen, want one of them", m.Order)
	case !fits(order):
		return nil, input.Errorf(m.Name(), input.Signals, "got %d, want at least %d for order %d and %s",
			signals, order+max(leastCausal, n*(order-1)+1), order, words.Plural(n, "vertex"))
	case !m.ChooseOrder:
		return []int{order}, nil
	}
	var list []int
	for order := 1; order <= mostOrder && fits(order); order++ {
		list = append(list, order)
	}
	return list, nil
}

func (m Causal) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, signals := p.Y.Dims()
	orders, err := m.orders(n, signals)
	if err != nil {
		return nil, err
	}
	u, threads := standardised(p.Y), max(p.Threads, 1)
	var best *causalPath
	rounds, status := 0, method.Converged
	for _, order := range orders {
		// All orders are judged by the same signals.
		path := newCausalPath(newLagged(u, order, orders[len(orders)-1], threads))
		status = path.follow(ctx, m.Penalty, p.Cut.Edges, threads)
		rounds += path.done
		if best == nil || path.best.criterion < best.best.criterion {
			best = path
		}
		if status == method.Interrupted {
			break
		}
	}
	m.Order, m.ChooseOrder = best.order, false
	if chosen := best.best.penalty / float64(best.count); chosen > 0 && !math.IsInf(chosen, 1) {
		m.Penalty = chosen
	}
	r := &method.Result{Method: m, Rounds: rounds, Status: status}
	r.Graph, r.Weights = arrowsOf(best.best.refit), arrowsOf(best.weights())
	if status == method.Interrupted {
		return r, nil
	}
	fit := &CausalFit{Lags: best.lags(best.best.refit), Predicted: best.predicted()}
	fit.Radius = spectralRadius(fit.Lags, threads)
	fit.Shuffled, fit.Chance = m.shuffledArrows(u, best, p.Seed, threads), best.isChance()
	r.Own = fit
	r.Warnings = fit.warnings(r.Graph.EdgeCount())
	return r, nil
}

// arrowsOf returns the graph with an arrow from j to i for every entry (i, j) off the
// diagonal that is not zero.
func arrowsOf(a linalg.Dense) *graph.Graph {
	var arrows []graph.Edge
	for i := range a.Rows {
		for j, v := range linalg.Row(a, i) {
			if i != j && v != 0 {
				arrows = append(arrows, graph.Edge{I: j, J: i, Weight: math.Abs(v)})
			}
		}
	}
	g, err := graph.NewDirected(graph.DefaultNames(a.Rows), arrows)
	if err != nil {
		panic(err)
	}
	return g
}

// shuffledArrows counts the arrows that the penalty leaves if the signals come in a
// random order.
func (m Causal) shuffledArrows(u linalg.Dense, found *causalPath, seed uint64, threads int) int {
	shuffled := linalg.NewDense(u.Rows, u.Cols)
	for k, s := range rng.Stream(seed, "causal").Perm(u.Cols) {
		for i := range u.Rows {
			linalg.Row(shuffled, i)[k] = linalg.Row(u, i)[s]
		}
	}
	path := newCausalPath(newLagged(shuffled, found.order, found.order, threads))
	path.fit(context.Background(), found.best.penalty, threads)
	return path.arrows()
}

// warnings says why not to trust arrows.
func (f *CausalFit) warnings(arrows int) []string {
	var list []string
	switch {
	case arrows == 0:
		list = append(list, "the order of the signals says nothing about edges: no vertex helps to predict the next signal of another; "+
			"if the signals are not in the order of time, use another method")
	case f.Chance:
		list = append(list, "the order of the signals says nothing about edges: no vertex is correlated with the "+
			"last signal of another beyond chance; "+
			"if the signals are not in the order of time, use another method")
	case 2*f.Shuffled >= arrows:
		list = append(list, fmt.Sprintf("the order of the signals says little about edges: shuffled, they have %s, in order %d; "+
			"if they are not in the order of time, use another method", words.Plural(f.Shuffled, "arrow"), arrows))
	}
	if f.Radius >= 1 {
		list = append(list, fmt.Sprintf("the process is not stationary (spectral radius %.3g): its arrows may come from trends", f.Radius))
	}
	return list
}

// spectralRadius returns the largest absolute eigenvalue of the companion matrix of a
// process with the given coefficients: below 1 it is stationary. It is the limit of
// ‖C^k‖^(1/k), here with k = 2^20; NaN if the matrix is too large.
func spectralRadius(lags []*mat.Dense, threads int) float64 {
	n, _ := lags[0].Dims()
	size := n * len(lags)
	if size > mostForRadius {
		return math.NaN()
	}
	c := linalg.NewDense(size, size)
	for a, r := range lags {
		for i := range n {
			copy(linalg.Row(c, i)[a*n:], r.RawRowView(i))
		}
	}
	for i := n; i < size; i++ {
		linalg.Row(c, i)[i-n] = 1
	}
	logarithm, share := 0.0, 1.0 // of the norm of the power, over that of c and its exponent
	next := linalg.NewDense(size, size)
	for range 21 {
		norm := floats.Norm(c.Data, 2)
		if norm == 0 {
			return 0
		}
		floats.Scale(1/norm, c.Data)
		logarithm += share * math.Log(norm)
		share /= 2
		linalg.Threads(threads).Mul(next, c, c)
		c, next = next, c
	}
	return portable.Exp(logarithm)
}
