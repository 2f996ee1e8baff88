package nervure

import (
	"math"
	"slices"

	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// A Preparation is signals after preprocessing, and what was done to them.
type Preparation = prepare.Prepared

// commonModeOf returns what a method needs done about a common mode.
func commonModeOf(m method.Method, s *Signals) intake.CommonMode {
	if _, ok := m.(AutoMethod); ok {
		return intake.LeaveToLearner // both of its methods see to it themselves
	}
	if entry, _ := MethodByName(m.Name()); entry.Has(method.UsesOrder) {
		return intake.KeepForOrder
	}
	sparse, ok := m.(learn.Sparse)
	switch {
	case !ok:
		return intake.KeepCommonMode
	case sparse.ChoosesCommonMode(s.Y):
		return intake.LeaveToLearner
	case slices.ContainsFunc(sparse.InitialKernels(), isHighPass):
		return intake.KeepForHighPass
	}
	return intake.RemoveCommonMode
}

// isHighPass reports whether a kernel passes more of what differs most between
// neighbours than of what is the same everywhere.
func isHighPass(k kernel.Kernel) bool { return math.Abs(k.Eval(0)) < math.Abs(k.Eval(2)) }
