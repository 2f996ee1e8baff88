package nervure

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

func kernelsOf(t *testing.T, specs ...string) []kernel.Kernel {
	t.Helper()
	var kernels []kernel.Kernel
	for _, spec := range specs {
		k, err := kernel.Parse(spec, 15, kernel.Chebyshev)
		if err != nil {
			t.Fatal(err)
		}
		kernels = append(kernels, k)
	}
	return kernels
}

// Signals with a common mode lose it without being asked for low-pass kernels
// only; an explicit choice always counts.
func TestWhatBecomesOfACommonMode(t *testing.T) {
	r := rng.Stream(1, "common mode")
	y := mat.NewDense(40, 200, nil)
	y.Apply(func(_, k int, _ float64) float64 { return r.NormFloat64() + 2*math.Sin(float64(k*k)) }, y)
	set := &Signals{Y: y}
	lowPass := learn.Sparse{Model: learn.Model{Kernels: kernelsOf(t, "heat:1")}}
	highPass := learn.Sparse{Model: learn.Model{Kernels: kernelsOf(t, "heat:2", "highpass:1")}}
	for name, c := range map[string]struct {
		mode    prepare.Choice
		method  method.Method
		removed bool
		warning prepare.WarningKind
	}{
		"low-pass kernels that were given": {prepare.Auto, lowPass, true, ""},
		"kernels that are chosen":          {prepare.Auto, learn.Sparse{}, false, ""},
		"a high-pass kernel":               {prepare.Auto, highPass, false, prepare.CommonModeKeptForHighPass},
		"the paper's algorithm":            {prepare.Auto, learn.Maretic2017{}, false, prepare.CommonModeKeptForHighPass},
		"the engine for many vertices":     {prepare.Auto, learn.Sparse{Options: learn.Options{LargeFrom: 30}}, false, prepare.CommonModeKeptForHighPass},
		"other methods":                    {prepare.Auto, baseline.Correlation{}, false, prepare.CommonModeKept},
		"removed on request":               {prepare.Yes, highPass, true, ""},
		"kept on request":                  {prepare.No, lowPass, false, ""},
	} {
		p, err := intake.Prepare(t.Context(), set, intake.Request{Prepare: prepare.Options{CommonMode: c.mode}, CommonMode: method.CommonModeOf(c.method, set.Y, nil)})
		if err != nil {
			t.Fatal(err)
		}
		var warned prepare.WarningKind
		for _, w := range p.Warnings {
			warned = w.Kind
		}
		if p.Report.CommonMode.Done != c.removed || warned != c.warning {
			t.Errorf("%s: removed %t, warnings %q", name, p.Report.CommonMode.Done, strings.Join(p.Sentences(), "; "))
		}
		if mat.Equal(p.Y, y) == c.removed {
			t.Errorf("%s: the signals are not as reported", name)
		}
	}
}
