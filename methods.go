package nervure

import (
	"context"
	"fmt"
	"slices"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/solver"
)

// Methods lists the methods that can be asked for by name: the sparse method
// first, then the paper's algorithm for the same model, then the others in
// alphabetical order.
func Methods() []method.Entry {
	return slices.Concat([]method.Entry{learn.Entry(), learn.Maretic2017Entry()}, baseline.Methods())
}

// comparedMethods lists the methods that a comparison runs unless it names others.
func comparedMethods() []method.Entry {
	return slices.DeleteFunc(Methods(), func(e method.Entry) bool { return e.OnlyNamed })
}

// MethodByName returns the method of that name, one of [Methods] or [AutoMethod].
func MethodByName(name string) (method.Entry, bool) {
	all := append(Methods(), autoEntry)
	k := slices.IndexFunc(all, func(e method.Entry) bool { return e.Name() == name })
	if k < 0 {
		return method.Entry{}, false
	}
	return all[k], true
}

// runMethod runs a method. If ctx ends, the result is the best so far, with the
// status Interrupted; it is an error if there are no edges yet, for then there is
// nothing to put in the place of an older graph.
func runMethod(ctx context.Context, m method.Method, p method.Problem) (*method.Result, error) {
	r, err := m.Learn(ctx, p)
	switch interrupted := ctx.Err() != nil; {
	case r == nil:
		return nil, err
	case err != nil && !interrupted:
		return nil, err
	case err != nil:
		r.Status = solver.Interrupted
	}
	if r.Status == solver.Interrupted && r.Graph.EdgeCount() == 0 {
		return nil, context.Cause(ctx)
	}
	if asked, found := p.Cut.Edges, r.Graph.EdgeCount(); found < asked && r.Status != solver.Interrupted {
		r.Warnings = append(slices.Clip(r.Warnings),
			fmt.Sprintf("only %s kept, not the %d requested: all others have weight 0", words.Plural(found, "edge"), asked))
	}
	return r, nil
}

// recipeOf returns what summaries call the recipe: there was a time when sparse had two.
func recipeOf(name string) string {
	switch name {
	case learn.Sparse{}.Name():
		return "default"
	case learn.Maretic2017{}.Name():
		return name
	}
	return ""
}

// sparseWith returns the sparse method with the model of a method of package learn, and
// whether m is one.
func sparseWith(m method.Method) (learn.Sparse, bool) {
	if paper, ok := m.(learn.Maretic2017); ok {
		m = learn.Sparse{Model: paper.Model, Options: learn.Options{Kernels: learn.KernelsGiven}}
	}
	sparse, ok := m.(learn.Sparse)
	return sparse, ok
}

// sparseOf returns what only the methods of package learn report, or nil.
func sparseOf(r *method.Result) *learn.Result {
	own, _ := r.Own.(*learn.Result)
	return own
}
