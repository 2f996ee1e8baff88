package cli

import (
	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
)

// readConfidence understands --confidence and --block.
func (f *learnFlags) readConfidence(r *learnRun) error {
	r.options.Confidence, r.options.Block = nervure.Choice(f.confidence.value), f.block.value
	if f.block.given && r.options.Confidence == nervure.No {
		return misuse("--block is for the confidence, which --confidence no leaves out")
	}
	if r.options.Confidence == nervure.Auto && !r.holdsConfidence() {
		r.options.Confidence = nervure.No
	}
	return nil
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
