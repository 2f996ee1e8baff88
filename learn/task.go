package learn

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
)

// A task is what an engine is given. It is a value: an engine that needs to change
// something changes its own copy.
type task struct {
	data     prepared
	model    innerModel // to begin with
	settings settings
	side     sideInformation
	memory   *dictionary.Memory // of its fits, which take turns

	chooseSparsity bool // the number of atoms was not given
	progress       *progress
}

// settings are the options of a run, as resolved, that engines go by.
type settings struct {
	Coder        sparse.Method // of the search; empty means its own
	Cut          graph.Cut
	Rounds       int // at most, in each start
	Starts       int // at most
	Seed         uint64
	Threads      int
	Kernels      kernelChoice
	KernelCount  int // of KernelsFree; zero means as many as held-out signals ask for
	KernelDegree int // of KernelsFree
}

// A kernelChoice says what is learned of the kernels.
type kernelChoice string

const (
	innerKernelsGiven  kernelChoice = "given"
	innerKernelsScaled kernelChoice = "scales"
	innerKernelsFree   kernelChoice = "free"
	innerKernelsAuto   kernelChoice = "auto"
)

// explainsBetter is the share of the residual that learned scales must not exceed
// to be preferred to those begun with.
const explainsBetter = 0.95

// sparsityTries bounds how often the number of atoms is chosen.
const sparsityTries = 4
