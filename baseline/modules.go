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
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// A ModuleKind says how [Modules] relates modules to each other.
type ModuleKind int

const (
	// LatentModules have a latent signal each: the module graphical lasso.
	LatentModules ModuleKind = iota
	// MeanModules have the mean of their vertices, and [GGM] relates the means.
	MeanModules
)

// Modules groups vertices that behave alike, and learns the graph of the groups. With
// LatentModules a vertex is the latent signal of its module and noise, and the latent
// signals are Gaussian with a sparse precision matrix Θ ([celik2014]):
//
//	minimise ½ Σ_i ‖x_i − L_z(i)‖² + M/2 [tr(SΘ) − log det Θ + λ Σ_ab |Θ_ab|],   S = LLᵀ/M,
//
// over latent signals L, the module z(i) of each vertex and Θ, in units in which the noise
// has variance 1. With MeanModules the vertices are clustered, and [GGM] finds the graph
// of the clusters' means ([toh2002]).
//
// The answer is a graph of the vertices all the same: in each module the vertex most
// correlated with the module's signal is its centre. The method's own cut joins each
// vertex to the centre of its module, and centres as their modules are joined. So the
// module of a vertex can be read from the edges. A vertex that is not correlated with the
// rest of its module beyond chance has no edge; what is chance depends on how far signals
// follow each other in their order. The weight of any two vertices is the
// product of their correlations with the signals of their modules and, between modules,
// of the partial correlation of these, −Θ_ab/√(Θ_aa Θ_bb), where it is positive. Result.Own
// is a [*ModuleGraph].
//
// The first modules are the clusters of vertices by [ward1963], and four times by
// k-means from scattered starts ([arthur2007]); of the ends they lead to the one of the least
// objective is kept. A number of modules not given is that of the least BIC, at most half
// the number of vertices ([pelleg2000]). The variance of the noise is that in clusters. A λ
// not given is that of the least BIC of the model between means. If it is small, and so are
// modules, latent signals and the variance that Θ gives them may pull each other to zero;
// a warning then says so.
//
// Means are removed; scales are not, because noise is taken to be the same for all
// vertices. Rounds counts repetitions of the three steps from the start that is kept. If
// ctx ends, the modules found so far come with the cause.
//
// Departures from [celik2014]: the noise is estimated; S is divided by M, which makes
// each step the exact minimum over its unknowns. From [toh2002]: Ward's clusters and
// k-means instead of its clustering, and edges are chosen as GGM does.
type Modules struct {
	Count  int        `param:"modules" about:"number of modules; 0 means chosen"`
	Lambda float64    `param:"lambda,omitzero" about:"penalty λ on the precision matrix between modules, in units of the noise; 0 means chosen"`
	Kind   ModuleKind `param:"model" about:"0 for latent signals (module graphical lasso), 1 for the means of clusters and their stepwise Gaussian model"`
}

// A ModuleGraph is the modules behind an answer of [Modules].
type ModuleGraph struct {
	Of      []int        // the module of each vertex; −1 for one that was set aside
	Centres []int        // the vertex that stands for each module
	Graph   *graph.Graph // of the modules, named after their centres; weights are partial correlations
}

var modulesEntry = register(method.Entry{
	Default: Modules{}, Source: "celik2014", NewOwn: func() method.Kept { return &ModuleGraph{} },
	About: "groups vertices that behave alike and learns the graph of the groups; each vertex is joined to the centre of its group",
})

const (
	// moduleStarts is how many scattered starts there are beside Ward's clusters.
	moduleStarts = 4
	// moduleRounds bounds the repetitions of the three steps.
	moduleRounds = 1000
	// leastNoise is the least share of the energy that is taken to be noise.
	leastNoise = 1e-3
)

// Name returns "modules".
func (Modules) Name() string { return "modules" }

// Capabilities keeps the contract of [method.Capable].
func (Modules) Capabilities() []method.Capability {
	return []method.Capability{method.UsesScales, method.CutUsesOrder}
}

// Learn keeps the contract of [method.Method].
func (m Modules) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return modulesEntry.Run(ctx, m, p, m.learn)
}

// MarshalBinary keeps the contract of [method.Kept].
func (g *ModuleGraph) MarshalBinary() ([]byte, error) { return checkpoint.Marshal(g.code) }

// UnmarshalBinary keeps the contract of [method.Kept].
func (g *ModuleGraph) UnmarshalBinary(data []byte) error { return checkpoint.Decode(data, g.code) }

func (g *ModuleGraph) code(c *checkpoint.Coder) {
	checkpoint.Slice(c, &g.Of, (*checkpoint.Coder).Int)
	checkpoint.Slice(c, &g.Centres, (*checkpoint.Coder).Int)
	c.Graph(&g.Graph)
}

// OnVertices keeps the contract of [method.ByVertex].
func (g *ModuleGraph) OnVertices(vertices []int, names []string, _ []signals.Aside) any {
	on := &ModuleGraph{Of: slices.Repeat([]int{-1}, len(names)), Centres: matrix.Pick(vertices, g.Centres)}
	for k, i := range vertices {
		on.Of[i] = g.Of[k]
	}
	on.Graph = mustGraph(matrix.Pick(names, on.Centres), g.Graph.Edges())
	return on
}

func (m Modules) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, _ := p.Y.Dims()
	switch {
	case m.Kind != LatentModules && m.Kind != MeanModules:
		return nil, input.Errorf(m.Name(), "model", "want 0 (latent signals) or 1 (means)")
	case m.Count > n:
		return nil, input.Errorf(m.Name(), "modules", "got %d, want at most %d, the number of vertices", m.Count, n)
	}
	x := centred(p.Y)
	starts := m.starts(ctx, x, p.Seed)
	m.Count = starts[0].means.Rows
	found := moduleAnswer{of: starts[0].of, signals: starts[0].means, status: method.Converged}
	if m.Kind == LatentModules {
		found = m.latent(ctx, x, starts)
	} else {
		m.Lambda = 0
		if err := found.relateMeans(ctx, p); err != nil {
			return nil, err
		}
	}
	if ctx.Err() != nil {
		found.status = method.Interrupted
	}
	r := found.result(x, prepare.EffectiveObservations(p.Y))
	r.Method = m
	return r, nil
}

// centred returns the rows of y without their means, in a unit near the largest entry.
func centred(y *mat.Dense) linalg.Dense {
	x := unscaled(y).RawMatrix()
	for i := range x.Rows {
		row := linalg.Row(x, i)
		floats.AddConst(-portable.Sum(row)/float64(len(row)), row)
	}
	return x
}

// starts returns clusterings of the same number of clusters, that of the least loss
// first.
func (m Modules) starts(ctx context.Context, x linalg.Dense, seed uint64) []clustering {
	list := mergers(ctx, x)
	k := m.Count
	if k == 0 {
		floor := leastNoise * linalg.Dot(x.Data, x.Data) / float64(len(x.Data))
		k = clusterCount(x, list, max(x.Rows/2, 1), floor)
	}
	starts := []clustering{merged(x, list, k).settle(ctx, x)}
	for start := range moduleStarts {
		if c := scattered(x, k, seed, start).settle(ctx, x); c.means.Rows == starts[0].means.Rows {
			starts = append(starts, c)
		}
	}
	slices.SortStableFunc(starts, func(a, b clustering) int {
		if math.Abs(a.loss-b.loss) <= 1e-9*a.loss {
			return 0 // the same clusters, but for rounding
		}
		return int(math.Copysign(1, a.loss-b.loss))
	})
	return starts
}

// latent learns the model with latent signals from all starts, in units of the noise,
// and keeps the best.
func (m *Modules) latent(ctx context.Context, x linalg.Dense, starts []clustering) moduleAnswer {
	first := starts[0]
	freedom := float64(max(x.Rows-first.means.Rows, 1) * x.Cols)
	energy := linalg.Dot(x.Data, x.Data) / float64(len(x.Data))
	unit := 1 / math.Sqrt(max(first.loss/freedom, leastNoise*energy))
	floats.Scale(unit, x.Data)
	for _, s := range starts {
		floats.Scale(unit, s.means.Data)
	}
	if m.Lambda == 0 {
		m.Lambda = chooseLambda(ctx, first.means)
	}
	var best *moduleModel
	var answer moduleAnswer
	least := math.Inf(1)
	for k, s := range starts {
		model := newModuleModel(ctx, x, s.means, m.Lambda, float64(x.Cols))
		rounds, status := model.solve(ctx, moduleRounds)
		if g := model.objective(); g < least-1e-9*math.Abs(g) || k == 0 {
			best, least = model, g
			answer.rounds, answer.status = rounds, status
		}
		if status == method.Interrupted {
			break
		}
	}
	answer.of, answer.signals = best.of, best.latent
	answer.between = best.model.edgeWeights(false)
	switch count := best.collapsed(); {
	case count > 0:
		answer.warnings = append(answer.warnings, fmt.Sprintf("the latent signals of %s are all but zero: a larger "+
			"lambda, or model 1, does not let them vanish", words.Plural(count, "module")))
	case answer.status == method.MaxRounds:
		answer.warnings = append(answer.warnings, fmt.Sprintf("modules and their signals still moved after %d rounds", answer.rounds))
	}
	return answer
}

// A moduleAnswer is modules, their signals and how these are related.
type moduleAnswer struct {
	of       []int
	signals  linalg.Dense
	between  []float64 // weights over the pairs of modules; nil for none
	rounds   int
	status   method.Status
	warnings []string
}

// relateMeans finds the graph of the means.
func (a *moduleAnswer) relateMeans(ctx context.Context, p method.Problem) error {
	k := a.signals.Rows
	if k < 2 {
		return nil
	}
	r, err := GGM{}.Learn(ctx, method.Problem{Y: mat.NewDense(k, a.signals.Cols, a.signals.Data), Threads: p.Threads})
	if r == nil {
		return err
	}
	a.rounds, a.status = r.Rounds, r.Status
	a.between = make([]float64, k*(k-1)/2)
	for _, e := range r.Graph.Edges() {
		a.between[pairIndex(k, e.I, e.J)] = e.Weight
	}
	return nil
}

// result returns the graph of the vertices. The signals count as that many independent
// observations.
func (a *moduleAnswer) result(x linalg.Dense, observations float64) *method.Result {
	n, k := x.Rows, a.signals.Rows
	own := &ModuleGraph{Of: a.of, Centres: make([]int, k)}
	likeness := make([]float64, n) // correlation of each vertex with the signal of its module
	for c := range own.Centres {
		own.Centres[c] = -1
	}
	for i, c := range a.of {
		likeness[i] = max(cosine(linalg.Row(x, i), linalg.Row(a.signals, c)), 0)
		if at := own.Centres[c]; at < 0 || likeness[i] > likeness[at]+1e-9 {
			own.Centres[c] = i
		}
	}
	for i := range a.unlike(x, observations) {
		likeness[i] = 0
	}
	var all, skeleton, modules []graph.Edge
	eachPair(n, func(_, i, j int) {
		c, d := a.of[i], a.of[j]
		w, joined := likeness[i]*likeness[j], own.Centres[c] == i || own.Centres[d] == j
		if c != d {
			w *= a.related(c, d)
			joined = own.Centres[c] == i && own.Centres[d] == j
		}
		if w > leastLikeness {
			e := graph.Edge{I: i, J: j, Weight: w}
			all = append(all, e)
			if joined {
				skeleton = append(skeleton, e)
			}
		}
	})
	names := graph.DefaultNames(n)
	own.drop()
	eachPair(len(own.Centres), func(_, c, d int) {
		if w := a.related(a.of[own.Centres[c]], a.of[own.Centres[d]]); w > 0 {
			modules = append(modules, graph.Edge{I: c, J: d, Weight: w})
		}
	})
	own.Graph = mustGraph(graph.DefaultNames(len(own.Centres)), modules)
	return &method.Result{
		Weights: mustGraph(names, all), Graph: mustGraph(names, skeleton), Rounds: a.rounds, Status: a.status,
		Warnings: a.warnings, Own: own,
	}
}

// leastLikeness is the least weight that is not a rounding error.
const leastLikeness = 1e-12

// related returns the weight between two modules.
func (a *moduleAnswer) related(c, d int) float64 {
	if a.between == nil || c == d {
		return 0
	}
	return a.between[pairIndex(a.signals.Rows, min(c, d), max(c, d))]
}

// drop leaves out modules without vertices, and numbers the others again.
func (g *ModuleGraph) drop() {
	number := make([]int, len(g.Centres))
	var centres []int
	for c, at := range g.Centres {
		if number[c] = len(centres); at >= 0 {
			centres = append(centres, at)
		}
	}
	of := make([]int, len(g.Of))
	for i, c := range g.Of {
		of[i] = number[c]
	}
	g.Of, g.Centres = of, centres
}

// unlike returns the vertices whose correlation with the mean of the others in their module
// is not above what noise would make the largest of all. A vertex that is a module of
// its own is not among them.
func (a *moduleAnswer) unlike(x linalg.Dense, observations float64) map[int]bool {
	chance := (math.Sqrt(2*math.Log(float64(x.Rows))) + 1) / math.Sqrt(observations)
	sums := moduleSums(x, a.of, a.signals.Rows)
	sizes := sizesOf(a.of, a.signals.Rows)
	list := map[int]bool{}
	others := make([]float64, x.Cols)
	for i, c := range a.of {
		copy(others, linalg.Row(sums, c))
		linalg.Axpy(-1, linalg.Row(x, i), others)
		if sizes[c] > 1 && cosine(linalg.Row(x, i), others) <= chance {
			list[i] = true
		}
	}
	return list
}

// cosine returns that of the angle between two vectors, 0 if one is zero.
func cosine(x, y []float64) float64 {
	energy := linalg.Dot(x, x) * linalg.Dot(y, y)
	if energy == 0 {
		return 0
	}
	return min(linalg.Dot(x, y)/math.Sqrt(energy), 1)
}
