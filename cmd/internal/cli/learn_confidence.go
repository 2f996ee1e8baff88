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
	if r.options.Confidence == nervure.Auto && !r.showsConfidence() {
		r.options.Confidence = nervure.No
	}
	return nil
}

// showsConfidence says whether any file that is written has a place for the
// confidence of edges.
func (r *learnRun) showsConfidence() bool {
	return r.summary != "" || r.reportTo != "" || r.graphFormat().Can(dataio.KeepsConfidence)
}
