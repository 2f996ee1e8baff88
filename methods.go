package nervure

import (
	"slices"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/auto"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// This is the one file that knows methods. Everything else asks a method what it can do.

// AutoMethod is the method that chooses one by held-out signals; it is the default.
type AutoMethod = auto.Method

// A MethodChoice says which method [AutoMethod] took, and on what evidence.
type MethodChoice = auto.Choice

// methodFor returns the method for options that name none. The sparse method uses what is known,
// and kernels are its model, except those that only fields have.
func methodFor(o Options) method.Method {
	switch {
	case !o.Known.IsEmpty():
		return learn.Sparse{}
	case areOfFields(o.Kernels):
		return baseline.Field{}
	case o.Kernels == nil:
		return AutoMethod{}
	}
	return learn.Sparse{}
}

// areOfFields reports whether there are kernels, and only such as fields have: those with an
// order.
func areOfFields(kernels []kernel.Kernel) bool {
	return len(kernels) > 0 && !slices.ContainsFunc(kernels, func(k kernel.Kernel) bool { return k.Order() == 0 })
}

// modelMethod is the method that kernels, and other options of its model, imply.
var modelMethod = learn.Sparse{}.Name()

// Methods lists the methods that can be asked for by name: the sparse method
// first, then the paper's algorithm for the same model, then the others in
// alphabetical order.
func Methods() []method.Entry {
	return slices.Concat(learn.Methods(), baseline.Methods())
}

// comparedMethods lists the methods that a comparison runs unless it names others.
func comparedMethods() []method.Entry {
	return slices.DeleteFunc(Methods(), func(e method.Entry) bool { return e.OnlyNamed })
}

// MethodByName returns the method of that name, one of [Methods] or [AutoMethod].
func MethodByName(name string) (method.Entry, bool) {
	all := append(Methods(), auto.Entry)
	k := slices.IndexFunc(all, func(e method.Entry) bool { return e.Name() == name })
	if k < 0 {
		return method.Entry{}, false
	}
	return all[k], true
}
