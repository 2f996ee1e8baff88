package nervure

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
)

// A modelled method has kernels and options besides its parameters, and takes them from a
// document by itself.
type modelled interface {
	method.Method
	WithRun(r *document.Run) (method.Method, error)
	Describe(r *document.Run)
}

// askedMethod returns the method that a document asks for, and the kernels that are not part
// of it. It is nil if the choice is left to [Learn].
func askedMethod(r *document.Run) (method.Method, []kernel.Kernel, error) {
	entry, err := askedEntry(r)
	if err != nil || entry.Default == nil {
		return nil, nil, err
	}
	text := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(r.Method.Params)) {
		text[key] = strconv.FormatFloat(r.Method.Params[key], 'g', -1, 64)
	}
	m, err := entry.WithParams(text)
	if fault := input.Find(err); fault != nil {
		return nil, nil, faultf("`method.params` %q: %s", string(fault.Field)+"="+text[string(fault.Field)], fault.Msg)
	}
	if own, ok := m.(modelled); ok {
		m, err = own.WithRun(r)
		return m, nil, err
	}
	kernels, learned, _, err := r.Kernels.Kernels()
	if err == nil && (learned == "scales" || learned == "free") {
		err = faultf("`kernels.given`: %s", learnsNoKernels(entry.Name()))
	}
	return m, kernels, err
}

func learnsNoKernels(name string) string {
	return name + " does not learn kernels: give them, such as heat:2"
}

// A demand is a key that only some methods have a use for.
type demand struct {
	key   string
	made  bool // the key is set
	users []string
}

// demands lists the keys that only some methods have a use for.
func demands(r *document.Run) []demand {
	withModel := namesOf(func(e method.Entry) bool { _, ok := e.Default.(modelled); return ok })
	withKernels, withKnown := namesOf(uses(method.UsesKernels)), namesOf(uses(method.UsesKnown))
	return []demand{
		{"method.sparsity", r.Method.Sparsity > 0, withModel},
		{"method.coder", r.Method.Coder != "", withModel},
		{"method.rounds", r.Method.Rounds > 0, withModel},
		{"write.codes", r.Write.Codes != "", withModel},
		{"known.allow", r.Known.Allow != "", withKnown},
		{"known.forbid", r.Known.Forbid != "", withKnown},
		{"known.init", r.Known.Init != "", withKnown},
		{"known.prior", r.Known.Prior != "", withKnown},
		{"kernels.given", len(r.Kernels.Given) > 0, withKernels},
		{"kernels.degree", r.Kernels.Degree > 0, withKernels},
		{"kernels.approximation", r.Kernels.Approximation != "", withKernels},
	}
}

func uses(c method.Capability) func(method.Entry) bool {
	return func(e method.Entry) bool { return e.Has(c) }
}

// namesOf lists the methods that some condition holds for.
func namesOf(condition func(method.Entry) bool) []string {
	var names []string
	for _, e := range Methods() {
		if condition(e) {
			names = append(names, e.Name())
		}
	}
	return names
}

// askedEntry returns the method that a document asks for by name, or by what only the sparse
// method has; without both it is empty. What the method has no use for is refused.
func askedEntry(r *document.Run) (method.Entry, error) {
	auto, sparse := AutoMethod{}.Name(), modelMethod
	name := r.Method.Name
	asked := demands(r)
	if name == "" && slices.ContainsFunc(asked, func(d demand) bool { return d.made }) {
		name = sparse
	}
	entry, known := MethodByName(cmp.Or(name, auto))
	switch {
	case !known:
		return entry, faultf("`method.name` %q: unknown method; want %s", name, words.List(append([]string{auto}, namesOf(func(method.Entry) bool { return true })...), "or"))
	case len(r.Method.Params) > 0 && slices.Contains([]string{"", auto, sparse}, name):
		return entry, faultf("`method.params` needs `method.name` NAME with another method than %s, which has its own options", sparse)
	case name == "":
		return method.Entry{}, nil
	case r.Write.Laplacian != "" && entry.Has(method.DirectedEdges):
		return entry, faultf("`write.laplacian` applies to undirected graphs, and `method.name` %s learns a directed one", name)
	}
	for _, d := range asked {
		if d.made && !slices.Contains(d.users, entry.Name()) && !(d.key == "write.codes" && name == auto) {
			return entry, faultf("`%s` applies only to `method.name` %s", d.key, words.List(d.users, "or"))
		}
	}
	return entry, nil
}

// askedMethods returns the methods that a document compares, and the kernels for them.
func askedMethods(r *document.Run) ([]method.Method, []kernel.Kernel, error) {
	all := namesOf(func(method.Entry) bool { return true })
	names := r.Compare.Methods
	for k, name := range names {
		switch {
		case !slices.Contains(all, name):
			return nil, nil, faultf("`compare.methods` %q: unknown method; want %s", name, words.List(all, "or"))
		case slices.Contains(names[:k], name):
			return nil, nil, faultf("`compare.methods`: %s is given twice", name)
		}
	}
	if len(names) == 0 {
		for _, e := range comparedMethods() {
			names = append(names, e.Name())
		}
	}
	for _, d := range demands(r) {
		if d.made && !slices.ContainsFunc(d.users, func(m string) bool { return slices.Contains(names, m) }) {
			return nil, nil, faultf("`%s` applies only to %s, which `compare.methods` does not include", d.key, words.List(d.users, "or"))
		}
	}
	kernels, learned, _, err := r.Kernels.Kernels()
	if err != nil {
		return nil, nil, err
	}
	var methods []method.Method
	for _, name := range names {
		entry, _ := MethodByName(name)
		m := entry.Default
		if own, ok := m.(modelled); ok {
			if m, err = own.WithRun(r); err != nil {
				return nil, nil, err
			}
		} else if entry.Has(method.UsesKernels) && (learned == "scales" || learned == "free") {
			m = withoutKernels{m}
		}
		methods = append(methods, m)
	}
	return methods, kernels, nil
}

// withoutKernels is a method that needs kernels where they are only to be learned:
// a row of the comparison that says so.
type withoutKernels struct{ method.Method }

func (m withoutKernels) Learn(context.Context, method.Problem) (*method.Result, error) {
	return nil, input.Errorf(m.Name(), input.Kernels, "%s", learnsNoKernels(m.Name()))
}
