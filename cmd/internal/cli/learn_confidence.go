package cli

import (
	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
)

// readConfidence understands --confidence and --block.
func (f *learnFlags) readConfidence(r *learnRun) error {
	r.options.Confidence, r.options.Block = nervure.Choice(f.confidence.value), f.block.value
	if f.block.given && r.options.Confidence == nervure.No {
		return misuse("--block has no effect with --confidence no")
	}
	if r.options.Confidence == nervure.Auto && !r.graphFormat().Can(dataio.KeepsConfidence) {
		r.options.Confidence = nervure.No
	}
	return nil
}
