// Package job is what a search for a graph is given, how it reports and is interrupted,
// what it answers, and how all of that is kept so that a run can go on after its process
// has died.
//
// What ends a run early is an error. A value that comes with [ErrInterrupted] is the best
// so far.
package job

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/learn/internal/canonical"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/sideinfo"
)

// A Task is what an engine is given. It is a value: an engine that needs to change
// something changes its own copy.
type Task struct {
	Data     canonical.Signals
	Model    fitting.Model // to begin with
	Settings Settings
	Side     sideinfo.Information
	Memory   *dictionary.Memory // of its fits, which take turns

	ChooseSparsity bool // the number of atoms was not given
	Progress       *Progress
}

// Settings are the options of a run, as resolved, that engines go by.
type Settings struct {
	Coder        sparse.Method // of the search; empty means its own
	Cut          graph.Cut
	Rounds       int // at most, in each start
	Starts       int // at most
	Seed         uint64
	Threads      int
	Kernels      KernelLearning
	KernelCount  int // of KernelsFree; zero means as many as held-out signals ask for
	KernelDegree int // of KernelsFree
}

// A KernelLearning says what is learned of the kernels.
type KernelLearning string

const (
	KernelsGiven  KernelLearning = "given"
	KernelsScaled KernelLearning = "scales"
	KernelsFree   KernelLearning = "free"
	KernelsAuto   KernelLearning = "auto"
)

// ExplainsBetter is the share of the residual that learned scales must not exceed
// to be preferred to those begun with.
const ExplainsBetter = 0.95

// SparsityTries bounds how often the number of atoms is chosen.
const SparsityTries = 4
