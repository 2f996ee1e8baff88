package cli

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/assess"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/solver"
)

// sparseMethod is the learner of package learn. All other methods are in baseline.
const sparseMethod = "sparse"

// methodNames lists the methods, our own first.
func methodNames() []string {
	names := []string{sparseMethod}
	for _, e := range baseline.Methods() {
		names = append(names, e.Name())
	}
	return names
}

// kernelMethods lists the methods that --kernel is for.
func kernelMethods() []string {
	names := []string{sparseMethod}
	for _, e := range baseline.Methods() {
		if e.Has(method.UsesKernels) {
			names = append(names, e.Name())
		}
	}
	return names
}

// aboutSparse says what the method of this program is.
const aboutSparse = "each signal is a few atoms of known kernels on the graph"

// aboutMethods is the part of a help that says what methods there are.
func aboutMethods() string {
	lines := []string{wrapped(sparseMethod + ": " + aboutSparse)}
	for _, e := range baseline.Methods() {
		lines = append(lines, wrapped(e.Name()+": "+e.About))
	}
	return strings.Join(lines, "\n")
}

// aboutParams is the part of a help that says by what methods can be tuned.
func aboutParams() string {
	var lines []string
	for _, e := range baseline.Methods() {
		for _, p := range e.Params() {
			lines = append(lines, wrapped(fmt.Sprintf("%s %s: %s", e.Name(), p.Name, p.About)))
		}
	}
	return strings.Join(lines, "\n")
}

// A learner is a method with all that was asked of it.
type learner struct {
	method  string
	model   learn.Model       // of sparse; its kernels are for every method that needs some
	options learn.Options     // of sparse; its cut, names and threads are for every method
	params  map[string]string // of the other methods
}

// usesKernels says whether the result depends on the kernels.
func (l learner) usesKernels() bool { return slices.Contains(kernelMethods(), l.method) }

// A learned is a graph and how it was found, whatever the method.
type learned struct {
	method   string
	graph    *graph.Graph // after the cut
	weights  *graph.Graph // before it
	signals  int
	rule     graph.CutRule
	params   []method.Value // as resolved, in the method's order
	rounds   int
	status   solver.Status
	warnings []string
	seconds  float64 // without the confidence

	confidence *assess.Confidence    // or nil
	fit        *assess.StructureTest // to held-out signals; nil where nobody looked
	unassessed bool                  // the run ended before its edges had a confidence

	sparse *learn.Result // what only that method has to say; else nil
	other  method.Method // another one as it was run; nil for sparse
}

// lightest returns the least weight that was kept, 0 if there is none.
func (l *learned) lightest() float64 {
	edges := l.graph.Edges()
	if len(edges) == 0 {
		return 0
	}
	return slices.MinFunc(edges, func(a, b graph.Edge) int { return cmp.Compare(a.Weight, b.Weight) }).Weight
}

// ended says how the whole run ended, its look at the edges included.
func (l *learned) ended() solver.Status {
	if l.unassessed {
		return solver.Interrupted
	}
	return l.status
}

// learn runs the method on the columns of y; show sees the steps of those that
// have any. If ctx ends, the result is the best so far, with status Interrupted,
// or nil if that has no edges. An error comes without a result.
func (l learner) learn(ctx context.Context, y *mat.Dense, show func(learn.Step)) (*learned, error) {
	begun := time.Now()
	run := l.learnOther
	if l.method == sparseMethod {
		run = l.learnSparse
	}
	result, err := run(ctx, y, show)
	switch {
	case result == nil:
		return nil, err
	case err != nil && ctx.Err() == nil:
		return nil, err
	case err != nil:
		result.status = solver.Interrupted
	}
	if result.status == solver.Interrupted && result.graph.EdgeCount() == 0 {
		return nil, err // nothing to put in the place of an older graph
	}
	if asked, found := l.options.Cut.Edges, result.graph.EdgeCount(); found < asked && result.status != solver.Interrupted {
		result.warnings = append(slices.Clip(result.warnings),
			fmt.Sprintf("there are %s to keep, not the %d asked for: all others have weight 0", plural(found, "edge"), asked))
	}
	_, result.signals = y.Dims()
	result.method, result.seconds = l.method, time.Since(begun).Seconds()
	return result, nil
}

func (l learner) learnSparse(ctx context.Context, y *mat.Dense, show func(learn.Step)) (*learned, error) {
	var r *learn.Result
	for step, err := range learn.Steps(ctx, y, l.model, l.options) {
		r = step.Result
		if err != nil && r == nil {
			return nil, err
		}
		show(step)
	}
	return &learned{
		graph: r.Graph, weights: r.Weights, rule: r.Threshold.Rule,
		rounds: r.Rounds, status: r.Status, warnings: r.Warnings, sparse: r,
	}, nil
}

func (l learner) learnOther(ctx context.Context, y *mat.Dense, _ func(learn.Step)) (*learned, error) {
	e, ok := baseline.ByName(l.method)
	if !ok {
		return nil, noSuchMethod("--method", l.method)
	}
	if learning := l.options.Kernels; e.Has(method.UsesKernels) && (learning == learn.KernelsScaled || learning == learn.KernelsFree) {
		return nil, &input.Error{Field: "kernels", Msg: fmt.Sprintf("%s learns none: give them, such as heat:2", e.Name())}
	}
	m, err := e.WithParams(l.params)
	if err != nil {
		return nil, err
	}
	r, err := m.Learn(ctx, l.problem(y))
	if r == nil {
		return nil, err
	}
	return &learned{
		graph: r.Graph, weights: r.Weights, rule: r.Cut, params: method.Values(r.Method),
		rounds: r.Rounds, status: r.Status, warnings: r.Warnings, other: r.Method,
	}, err
}

// problem is what methods other than sparse are given.
func (l learner) problem(y *mat.Dense) method.Problem {
	return method.Problem{Y: y, Names: l.options.Names, Kernels: l.model.Kernels, Cut: l.options.Cut}
}

// asChosen is the learner with what it chose by itself as given, so that learning
// from fewer signals is the same and does not take the time again.
func (l learner) asChosen(result *learned) learner {
	if result.sparse != nil {
		l.model, l.options.Kernels, l.options.RemoveCommonMode = result.sparse.Model, learn.KernelsGiven, result.sparse.Options.RemoveCommonMode
	}
	return l
}

func noSuchMethod(flag, name string) error {
	return misuse("%s %q: there is no such method; want %s", flag, name, either(methodNames()))
}

// A fault is what a method finds wrong with its input.
type fault struct {
	field string // "signals", "sparsity", the name of a parameter, …
	msg   string
}

// faultOf finds the fault in an error of any method.
func faultOf(err error) (fault, bool) {
	if e := input.Find(err); e != nil && e.Field != "" {
		return fault{string(e.Field), e.Msg}, true
	}
	return fault{}, false
}

// useThreads resolves --threads and returns how to undo it.
func useThreads(asked int) (threads int, restore func()) {
	if asked == 0 {
		return runtime.GOMAXPROCS(0), func() {}
	}
	// So that the garbage collector keeps to them as well.
	before := runtime.GOMAXPROCS(asked)
	return asked, func() { runtime.GOMAXPROCS(before) }
}
