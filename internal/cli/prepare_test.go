package cli

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/prepare"
)

// Signals with a common mode lose it by themselves, unless a high-pass kernel
// would turn the graph inside out then; asking has its way in any case.
func TestHighPassKernelKeepsTheCommonMode(t *testing.T) {
	r := rng.Stream(1, "common mode")
	y := mat.NewDense(40, 200, nil)
	y.Apply(func(_, k int, _ float64) float64 { return r.NormFloat64() + 2*math.Sin(float64(k*k)) }, y)
	signals := &dataio.Signals{Names: graph.DefaultNames(40), Y: y}
	for name, c := range map[string]struct {
		mode         prepare.Choice
		highPassFrom int
		removed      bool
		warned       bool
	}{
		"low-pass kernels":         {prepare.Auto, math.MaxInt, true, false},
		"a high-pass kernel":       {prepare.Auto, 0, false, true},
		"removed all the same":     {prepare.Yes, 0, true, false},
		"kept whatever the kernel": {prepare.No, math.MaxInt, false, false},
	} {
		p, err := preparer{prepare.Options{CommonMode: c.mode}, c.highPassFrom}.prepare(signals, &signalFile{})
		if err != nil {
			t.Fatal(err)
		}
		warned := strings.Contains(strings.Join(p.warnings, "; "), "it is kept because of the high-pass kernel")
		if p.report.CommonMode.Done != c.removed || p.record().CommonMode != c.removed || warned != c.warned {
			t.Errorf("%s: removed %t, warnings %q", name, p.report.CommonMode.Done, p.warnings)
		}
		if mat.Equal(p.y, y) == c.removed {
			t.Errorf("%s: the signals are not as reported", name)
		}
	}
}

func TestHighPass(t *testing.T) {
	for spec, want := range map[string]bool{"heat:2": false, "highpass:1": true, "wavelet:2": true, "poly:1,-0.2": false} {
		k, err := kernel.Parse(spec, 15, kernel.Chebyshev)
		if err != nil {
			t.Fatal(err)
		}
		if highPass([]kernel.Kernel{k}) != want {
			t.Errorf("%s: want %t", spec, want)
		}
	}
}
