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

// Signals with a common mode lose it by themselves for low-pass kernels only;
// asking has its way in any case.
func TestWhatBecomesOfACommonMode(t *testing.T) {
	r := rng.Stream(1, "common mode")
	y := mat.NewDense(40, 200, nil)
	y.Apply(func(_, k int, _ float64) float64 { return r.NormFloat64() + 2*math.Sin(float64(k*k)) }, y)
	signals := &dataio.Signals{Names: graph.DefaultNames(40), Y: y}
	for name, c := range map[string]struct {
		mode    prepare.Choice
		rule    commonRule
		removed bool
		warning string
	}{
		"low-pass kernels that were given": {prepare.Auto, commonRemoved, true, ""},
		"kernels that are chosen":          {prepare.Auto, commonChosen, false, ""},
		"a high-pass kernel":               {prepare.Auto, commonHighPass, false, "it is kept because of the high-pass kernel"},
		"other methods":                    {prepare.Auto, commonKept, false, "--common-mode remove takes it out"},
		"removed all the same":             {prepare.Yes, commonHighPass, true, ""},
		"kept whatever the kernel":         {prepare.No, commonRemoved, false, ""},
	} {
		prepare := preparer{prepare.Options{CommonMode: c.mode}, func(int, bool) commonRule { return c.rule }}
		p, err := prepare.prepare(signals, &signalFile{})
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(p.warnings, "; ")
		if p.report.CommonMode.Done != c.removed || p.record().CommonMode != c.removed || !strings.Contains(said, c.warning) || c.warning == "" && said != "" {
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
