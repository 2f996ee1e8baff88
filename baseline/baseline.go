// Package baseline holds other methods that learn a graph from signals, for use
// in their own right and to hold the sparse learner against: simple graphs of
// correlations and distances, smooth signals ([dong2016], [kalofolias2016]),
// Gaussian models ([friedman2008]), spectral templates ([segarra2017]) and the
// inversion of known kernels. Each has a function with its own options; Methods
// lists them under one contract.
package baseline

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/solver"
)

// A Problem is what every method is given. Signals are the columns of Y.
type Problem struct {
	Y       *mat.Dense // vertices × signals, finite; never modified
	Names   []string   // of the vertices; nil means v0, v1, …
	Kernels []kernel.Kernel
	Cut     graph.Cut // the zero cut is the method's own
}

// A Result is a graph and how it was found.
type Result struct {
	Weights    *graph.Graph // all positive weights the method found
	Graph      *graph.Graph // after the cut
	Params     Params       // as resolved, chosen ones included
	Iterations int          // 0 for closed forms
	Status     solver.Status
	Warnings   []string
}

// Params are the numbers a method can be tuned by, by name. A parameter left
// out, or zero, means the method's own choice.
type Params map[string]float64

// A Param describes one of them.
type Param struct {
	Name    string
	Meaning string
}

// A Method is one way to learn a graph.
type Method struct {
	Name   string // as the command line spells it
	Source string // key of references.bib, or "" for folklore
	About  string // one line
	Params []Param
	// NeedsKernels says that the method uses Problem.Kernels.
	NeedsKernels bool

	// run is given a problem that was checked, of vertices that vary, and sees to
	// its parameters itself.
	run func(ctx context.Context, p Problem, params Params) (*Result, error)
}

// Methods lists all methods, by name.
func Methods() []Method {
	all := slices.Concat(simpleMethods(), treeMethods(), smoothMethods(), gaussianMethods(), stepwiseMethods(), spectralMethods())
	slices.SortFunc(all, func(a, b Method) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// ByName returns the method of that name.
func ByName(name string) (Method, bool) {
	all := Methods()
	k := slices.IndexFunc(all, func(m Method) bool { return m.Name == name })
	if k < 0 {
		return Method{}, false
	}
	return all[k], true
}

// Learn runs the method. Vertices that are the same in every signal are left
// isolated, with a warning. If ctx ends, the best graph so far comes with the cause.
func (m Method) Learn(ctx context.Context, p Problem, params Params) (*Result, error) {
	if err := p.check(m.Name, 2); err != nil {
		return nil, err
	}
	for name := range params {
		if !slices.ContainsFunc(m.Params, func(q Param) bool { return q.Name == name }) {
			return nil, &input.Error{Op: m.Name, Field: input.Field(name), Msg: "there is no such parameter"}
		}
	}
	n, signals := p.Y.Dims()
	if p.Names == nil {
		p.Names = graph.DefaultNames(n)
	}
	kept, warnings, err := m.varying(p)
	if err != nil {
		return nil, err
	}
	inner := p
	inner.Y = mat.NewDense(len(kept), signals, nil)
	for k, i := range kept {
		inner.Y.SetRow(k, p.Y.RawRowView(i))
	}
	inner.Names = graph.DefaultNames(len(kept))
	params = maps.Clone(params)
	if params == nil {
		params = Params{}
	}
	r, err := m.run(ctx, inner, params)
	if r == nil {
		return nil, err
	}
	r.Weights, r.Graph = embed(r.Weights, kept, p.Names), embed(r.Graph, kept, p.Names)
	r.Warnings = append(warnings, r.Warnings...)
	return r, err
}

// varying lists the vertices that change between signals.
func (m Method) varying(p Problem) (kept []int, warnings []string, err error) {
	n, _ := p.Y.Dims()
	for i := range n {
		if row := p.Y.RawRowView(i); !varies(row) {
			warnings = append(warnings, fmt.Sprintf("vertex %q is %g in every signal: left isolated", p.Names[i], slices.Max(row)))
			continue
		}
		kept = append(kept, i)
	}
	if len(kept) < 2 {
		return nil, nil, &input.Error{Op: m.Name, Field: input.Field("signals"), Msg: fmt.Sprintf("only %d of %d vertices vary, want at least 2", len(kept), n)}
	}
	return kept, warnings, nil
}

func embed(g *graph.Graph, kept []int, names []string) *graph.Graph {
	edges := g.Edges()
	for k, e := range edges {
		edges[k].I, edges[k].J = kept[e.I], kept[e.J]
	}
	return mustGraph(names, edges)
}

// mustGraph returns a graph of edges that are valid by construction.
func mustGraph(names []string, edges []graph.Edge) *graph.Graph {
	g, err := graph.New(names, edges)
	if err != nil {
		panic(err)
	}
	return g
}
