package method

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/kernel"
)

// CommonMode is what a method wants done about a mode that all vertices have in common,
// before it learns.
type CommonMode int

// What can be done about it.
const (
	KeepCommonMode   CommonMode = iota // it is kept, with a warning: methods differ in what they make of it
	RemoveCommonMode                   // it is removed: the kernels are low-pass
	OwnCommonMode                      // the method itself removes it where that predicts better
	// NeedsCommonMode keeps it because without it a high-pass kernel explains the rest vertex by
	// vertex: edges of measured sets went from half right to none.
	NeedsCommonMode
	// OrderedCommonMode keeps it because the method learns from the order of the signals, and
	// what drives all vertices is part of that.
	OrderedCommonMode
)

// A CommonModeUser is a method that says what to do about a common mode of signals; that
// of the others is kept.
type CommonModeUser interface {
	CommonMode(y *mat.Dense, kernels []kernel.Kernel) CommonMode
}

// CommonModeOf returns what a method wants done about a common mode of signals.
func CommonModeOf(m Method, y *mat.Dense, kernels []kernel.Kernel) CommonMode {
	if Has(m, UsesOrder) {
		return OrderedCommonMode
	}
	if user, ok := m.(CommonModeUser); ok {
		return user.CommonMode(y, kernels)
	}
	return KeepCommonMode
}
