package intake

import (
	"iter"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// sample returns the signals that are learned from: s itself unless there are very many.
func sample(s *signals.Set, r Request) (*signals.Set, error) {
	ordered := ""
	switch {
	case r.CommonMode == method.OrderedCommonMode:
		ordered = "the method " + r.Method
	case r.Prepare.Difference == prepare.Yes:
		ordered = "differences in time"
	case len(r.Prepare.Periods) > 0 || r.Prepare.Season == prepare.Yes || r.Prepare.Detrend == prepare.Yes:
		ordered = "removing cycles or trends"
	}
	n, m := s.Y.Dims()
	switch {
	case ordered != "" && s.Whole != nil:
		return nil, input.Errorf("nervure", input.Signals, "got %s of %s, but %s can only be used with all of them in order: read all, or fewer that follow each other",
			words.Thousands(m), words.Thousands(s.Whole.Signals), ordered)
	case ordered != "" || s.Whole != nil || r.Sample == 0 || !signals.WorthSampling(n, m, r.Sample):
		return s, nil
	}
	some := *s
	chosen := signals.Sample(m, r.Sample)
	some.Y = matrix.Columns(s.Y, chosen)
	some.Times = matrix.Pick(s.Times, chosen)
	some.Whole = &signals.Whole{Signals: m, Chosen: chosen, Blocks: func() iter.Seq2[*mat.Dense, error] { return blocksOf(s.Y) }}
	return &some, nil
}

// blocksOf hands out signals that are in memory.
func blocksOf(y *mat.Dense) iter.Seq2[*mat.Dense, error] {
	const some = 4096
	return func(yield func(*mat.Dense, error) bool) {
		n, m := y.Dims()
		for from := 0; from < m; from += some {
			if !yield(mat.DenseCopyOf(y.Slice(0, n, from, min(from+some, m))), nil) {
				return
			}
		}
	}
}

// sampled returns the options for signals that are a sample of many: those that come
// after each other do not follow each other in time.
func sampled(o prepare.Options) prepare.Options {
	if (o.Season == "" || o.Season == prepare.Auto) && len(o.Periods) == 0 {
		o.Season = prepare.No
	}
	if o.Detrend == "" || o.Detrend == prepare.Auto {
		o.Detrend = prepare.No
	}
	return o
}
