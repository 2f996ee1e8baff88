package cli

import (
	"cmp"
	"slices"

	"github.com/spf13/pflag"

	"github.com/nervure/nervure/internal/sample"
	"github.com/nervure/nervure/internal/simulate"
)

// Groups of flags that are those of sparse signals, but for some.
const (
	graphGroup  = "Graph"
	signalGroup = "Signals"
)

// checkKind refuses flags that the kind of signals does not have.
func (f *generateFlags) checkKind(kind sample.Kind) error {
	if kind != sample.KindMessy && f.mess.given {
		return misuse("--mess applies only to --kind messy")
	}
	if kind == sample.KindSparse {
		return nil
	}
	var err error
	f.set.Visit(func(flag *pflag.Flag) {
		group := cmp.Or(flag.Annotations[groupKey]...)
		if (group == graphGroup || group == signalGroup) && !slices.Contains([]string{"vertices", "signals"}, flag.Name) {
			err = misuse("--%s applies only to --kind sparse", flag.Name)
		}
	})
	return err
}

// A recording may have fewer vertices than other samples, because its field takes all
// eigenvectors of the graph.
const (
	maxRecorded  = 2000
	mostRecorded = 116 // vertices of any kind by default
)

func (f *generateFlags) resolveRecording(kind sample.Kind) (sampler, error) {
	n, m := f.vertices.value, 0 // zero is the default of the kind
	if f.signals.given {
		m = f.signals.value
	}
	if n > maxRecorded {
		return nil, misuse("--vertices: got %d, more than the maximum of %d for --kind %s", n, maxRecorded, kind)
	}
	if entries := cmp.Or(n, mostRecorded) * m; entries > maxEntries {
		return nil, misuse("the signals would have %d entries, more than the maximum of %d: use fewer signals or vertices", entries, maxEntries)
	}
	switch kind {
	case sample.KindMessy:
		return recorder(simulate.MessySpec{Vertices: n, Observations: m, Mess: simulate.Mess(f.mess.value), Seed: f.seed}, sample.Messy)
	case sample.KindFMRI:
		return recorder(simulate.FMRISpec{Vertices: n, Observations: m, Seed: f.seed}, sample.FMRI)
	default:
		return recorder(simulate.ChangingSpec{Vertices: n, Observations: m, Seed: f.seed}, sample.Changing)
	}
}

// recorder returns what draws a recording, or what is wrong with it before it is drawn.
func recorder[S interface{ Resolve() (S, error) }](spec S, record func(S) (*sample.Recording, error)) (sampler, error) {
	if _, err := spec.Resolve(); err != nil {
		return nil, inFlags(err)
	}
	return func() (drawnSample, error) { return record(spec) }, nil
}
