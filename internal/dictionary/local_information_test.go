package dictionary

import (
	"math"
	"slices"
	"testing"
)

// Estimated from many draws of noise, the information is the diagonal of JᵀJ.
func TestInformationIsThatOfTheJacobian(t *testing.T) {
	const signals, probes = 4, 400
	in := sparseInstance(t, 14, signals, "local information")
	spectral := newSpectral(in.y, in.kernels, 1)
	spectral.SetPairs(in.pairs)
	done(spectral.At(in.w))
	x := in.x.Clone()
	spectral.Refit(x)
	size := len(in.w)
	want := make([]float64, size)
	for m := range signals {
		info := make([]float64, size*size) // by log w, relative to the energy
		spectral.AddInformation(info, x, []int{m}, nil)
		for e, w := range in.w {
			if w > 0 {
				want[e] += info[e*size+e] * spectral.SignalEnergy(m) / (w * w)
			}
		}
	}
	local := in.local(2, 0, 14)
	x = in.x.Clone()
	local.Refit(x)
	got := make([]float64, size)
	local.Information(got, x, nil, nil, probes, *seed)
	for e, w := range in.w {
		if w > 0 && math.Abs(got[e]-want[e]) > 6*math.Sqrt(2./probes)*want[e] {
			t.Errorf("pair %d: information %g, the Jacobian says %g", e, got[e], want[e])
		}
	}
}

// What is not seen tells nothing, and threads do not matter.
func TestInformationOfMissingEntries(t *testing.T) {
	in := sparseInstance(t, 25, 6, "local information")
	all := make([]int32, 25)
	for i := range all {
		all[i] = int32(i)
	}
	var first []float64
	for _, threads := range []int{1, 3} {
		e := in.local(threads, 1e-3, 25)
		x := in.x.Clone()
		e.Refit(x)
		got := make([]float64, len(in.w))
		e.Information(got, x, nil, [][]int32{all, all, all, nil, all, all}, 4, *seed)
		if first == nil {
			first = slices.Clone(got)
		} else if !slices.Equal(got, first) {
			t.Errorf("%d threads give other bits", threads)
		}
		e.Information(got, x, nil, slices.Repeat([][]int32{all}, 6), 4, *seed)
		if slices.Max(got) != 0 {
			t.Errorf("information %g where nothing is seen", slices.Max(got))
		}
	}
	if slices.Max(first) == 0 {
		t.Error("no information in the signal that is seen")
	}
}
