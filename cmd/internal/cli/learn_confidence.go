package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/assess"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/solver"
)

// confidenceMode says whether edges get a confidence.
type confidenceMode string

const (
	confidenceAuto confidenceMode = "auto" // where it is calibrated, affordable and can be written
	confidenceYes  confidenceMode = "yes"
	confidenceNo   confidenceMode = "no"
)

// Up to this size --confidence auto takes the time: some ten times that of the graph.
const (
	autoVertices = 150
	autoNumbers  = 200_000 // vertices times signals
)

// sureLevel is the confidence that people are told about.
const sureLevel = 0.9

// wantsConfidence says whether the edges of a result are to be assessed.
func (r *learnRun) wantsConfidence(result *learned) bool {
	switch n := result.graph.Vertices(); {
	case r.confidence == confidenceNo || result.status == solver.Interrupted || result.graph.EdgeCount() == 0:
		return false
	case r.confidence == confidenceYes:
		return true
	case result.sparse == nil || result.sparse.Options.Recipe != learn.Default || !r.holdsConfidence():
		return false
	default:
		return result.sparse.Certified || n <= autoVertices && n*result.signals <= autoNumbers
	}
}

// holdsConfidence says whether the graph is written in a format that has a place
// for it.
func (r *learnRun) holdsConfidence() bool {
	if r.toStdout() || isDevice(r.out) {
		return true
	}
	format, _ := dataio.FormatOf(r.out)
	return format != dataio.NPY && format != dataio.MatrixMarket && format != dataio.MAT
}

// assess gives the edges of a result their confidence. If ctx ends or it cannot
// be done, the result stays as it was and says so.
func (r *learnRun) assess(ctx context.Context, y *mat.Dense, result *learned, show func(done, all int)) {
	o := assess.StabilityOptions{
		Block: cmp.Or(r.block, assess.BlockFor(y)), Seed: r.learner.options.Seed, Threads: r.learner.options.Threads, Report: show,
	}
	var confidence *assess.Confidence
	var err error
	switch {
	case result.fit != nil && !result.fit.Structure:
		confidence, err = assess.Unsure(result.graph)
	case result.sparse != nil:
		confidence, err = assess.Stability(ctx, y, result.sparse, o)
	default:
		confidence, err = assess.StabilityOf(ctx, y, result.weights, result.graph, r.learner.again(result), o)
	}
	switch {
	case ctx.Err() != nil:
		result.unassessed = true
	case err != nil:
		result.warnings = append(slices.Clip(result.warnings), "there is no confidence: "+withoutPackages(err))
	default:
		result.graph, result.confidence = confidence.Graph, confidence
	}
}

// again is another method as it was run, its parameters as it chose them then.
func (l learner) again(result *learned) assess.Learner {
	return func(ctx context.Context, y *mat.Dense) (*graph.Graph, error) {
		r, err := result.other.Learn(ctx, l.problem(y))
		if err != nil {
			return nil, err
		}
		return r.Weights, nil
	}
}

// withoutPackages is the text of an error without the packages that it came through.
func withoutPackages(err error) string {
	return strings.NewReplacer("assess: ", "", "learn: ", "", "baseline: ", "").Replace(oneLine(err))
}

// confidenceWords says how many edges are sure.
func (l *learned) confidenceWords() string {
	if l.fit != nil && !l.fit.Structure {
		return "confidence: 0 for all edges, because the signals show no structure"
	}
	return fmt.Sprintf("confidence: %d of %s at %g or more", l.confidence.AtLeast(sureLevel), plural(l.graph.EdgeCount(), "edge"), sureLevel)
}

// A confidenceRecord is what a summary says about it.
type confidenceRecord struct {
	Subsamples int `json:"subsamples"` // learned from; 0 if the graph is proved
	AtLeast09  int `json:"at_least_0_9"`
}

func newConfidenceRecord(c *assess.Confidence) *confidenceRecord {
	if c == nil {
		return nil
	}
	return &confidenceRecord{c.Halves, c.AtLeast(sureLevel)}
}

// readConfidence understands --confidence and --block.
func (f *learnFlags) readConfidence(r *learnRun) error {
	r.confidence, r.block = confidenceMode(f.confidence.value), f.block.value
	if f.block.given && r.confidence == confidenceNo {
		return misuse("--block is for the confidence, which --confidence no leaves out")
	}
	return nil
}
