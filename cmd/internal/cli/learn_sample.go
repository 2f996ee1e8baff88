package cli

import (
	"cmp"
	"os"
	"runtime/debug"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// readSample understands --sample. All signals are read where codes of each are wanted,
// or their order is learned from.
func (f *learnFlags) readSample(r *learnRun) error {
	entry, _ := nervure.MethodByName(f.method)
	switch {
	case f.sample.value == 1:
		return misuse("--sample: got 1, want 0 or at least 2")
	case f.codes != "" && f.sample.value > 0:
		return misuse("--codes needs all signals: leave --sample out")
	case f.codes != "" || f.sample.given && f.sample.value == 0:
		r.options.Sample = nervure.LearnFromAll
	case !entry.Has(method.UsesOrder) && r.options.Prepare.Difference != prepare.Yes:
		r.options.Sample = f.sample.value
		r.source.options.Sample = cmp.Or(f.sample.value, nervure.SampleSignals)
	}
	return nil
}

// Much memory is worth more time of the collector, which has next to nothing to do for
// signals: it looks for pointers, and there are none in them.
const (
	muchMemory       = 8 << 20 // bytes of signals
	collectorPercent = 15      // of the memory in use that garbage may come to
)

// saveMemory has garbage collected early if signals are large, unless the user has set
// that.
func saveMemory(s *signals.Set) {
	n, m := s.Y.Dims()
	if _, given := os.LookupEnv("GOGC"); !given && 8*n*m >= muchMemory {
		debug.SetGCPercent(collectorPercent)
	}
}
