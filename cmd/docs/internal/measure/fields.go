package measure

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/method"
)

// What simulated fields are made of. The weights of edges are uniform in [0.5, 1.5); the precision
// matrix is a power of L + κ²I with κ² = ridge, or e^(2L), where L is the combinatorial Laplacian.
var (
	FieldGraphs = []string{simulate.Grid, simulate.Sensors, simulate.Tree, simulate.SmallWorld}
	Kernels     = []string{"matern:1", "matern:2", "matern:4", heat}
	FieldSizes  = []int{30, 100, 300}
	times       = []int{3, 10, 30} // signals for each vertex
	noises      = []float64{0, 0.01, 0.1}
)

const (
	heat  = "heat"
	ridge = 0.1
)

// trueKernels are the kernels as the method takes and draws them.
var trueKernels = map[string]baseline.Field{
	"matern:1": {Order: 1}, "matern:2": {Order: 2}, "matern:4": {Order: 4}, heat: {Heat: true},
}

// Networks are the power grids and water networks that python/benchmarks/networks.py draws: those that
// are scored, by what is measured in them. They were chosen before anything was learned from them.
var Networks = []struct{ Name, Kind string }{
	{"case14", grids},
	{"GBreducednetwork", grids},
	{"case30", grids},
	{"case57", grids},
	{"case118", grids},
	{"Net2", pipes},
	{"Net3", pipes},
}

const (
	grids = "power grid, voltage angles"
	pipes = "water network, heads"
)

// A field is what the simulated fields of some seeds have in common.
type field struct {
	graph, kernel string  // one of FieldGraphs, and of Kernels or Spectra
	size          int     // vertices; a grid has the nearest square number
	times         int     // signals for each vertex
	noise         float64 // standard deviation, over that of all values
}

// fieldStages are the simulated fields, of which the largest have fewer seeds, and the sets.
func fieldStages(o Options) ([]experiment.Stage, error) {
	var usual, largest []Cell
	add := func(f field) {
		of := &usual
		if f.size == slices.Max(FieldSizes) {
			of = &largest
		}
		measure := func(ctx context.Context, seed uint64) (Values, error) { return f.measure(ctx, seed, o.Threads) }
		*of = append(*of, cell(measure, experiment.Text("graph", f.graph), experiment.Text("kernel", f.kernel),
			experiment.Amount("size", f.size), experiment.Amount("times", f.times), experiment.Amount("noise", f.noise)))
	}
	for _, size := range FieldSizes {
		for _, times := range times {
			for _, noise := range noises {
				for _, kernel := range Kernels {
					for _, g := range FieldGraphs {
						add(field{g, kernel, size, times, noise})
					}
				}
			}
		}
	}
	for _, noise := range noises[:2] { // where the high frequencies are seen
		for _, spectrum := range Spectra {
			for _, g := range FieldGraphs {
				add(field{g, spectrum, 100, 10, noise})
			}
		}
	}
	sets, err := fieldSets(o)
	return []experiment.Stage{
		{Name: "fields", Seeds: experiment.Seeds{First: 2901, Count: 5}, Cells: usual},
		{Name: "largest", Seeds: experiment.Seeds{First: 2901, Count: 3}, Cells: largest},
		{Name: "sets", Seeds: once, Cells: sets},
	}, err
}

// fieldSets are the sets of the directories there are.
func fieldSets(o Options) ([]Cell, error) {
	var all []source
	if o.Networks != "" {
		for _, s := range Networks {
			network, err := plainSources(o.Networks, s.Name, "signals.npy")
			if err != nil {
				return nil, err
			}
			all = append(all, network...)
		}
	}
	if o.Data != "" {
		scans, err := plainSources(o.Data, "netsim/sim*", "signals.csv")
		if err != nil {
			return nil, err
		}
		all = slices.Concat(all, realSources(o.Data), scans)
	}
	return cells(all, func(ctx context.Context, s *nervure.Signals, known Target) (Values, error) {
		v, _, err := learnField(ctx, s, known, o.Threads)
		return v, err
	}), nil
}

// learnField learns with nothing given, and by ggl.
func learnField(ctx context.Context, s *nervure.Signals, known Target, threads int) (Values, *nervure.Analysis, error) {
	v := sizeOf(s, known)
	a, learned, err := learn(ctx, s, known, nervure.Options{}, threads)
	if err != nil {
		return nil, nil, err
	}
	put(v, "default.", learned)
	_, learned, err = learn(ctx, s, known, nervure.Options{Method: baseline.GGL{}, Structure: nervure.No}, threads)
	put(v, "ggl.", learned)
	return v, a, err
}

// measure learns with nothing given, by ggl, and with the true kernel and number of edges. Chosen says
// that the kernel taken is right; known is how many of the edges with all known are.
func (f field) measure(ctx context.Context, seed uint64, threads int) (Values, error) {
	drawn, err := f.draw(seed)
	if err != nil {
		return nil, err
	}
	s, known := &nervure.Signals{Y: drawn.Signals, Names: drawn.Graph.Names()}, truth(drawn.Graph)
	v, a, err := learnField(ctx, s, known, threads)
	if err != nil {
		return nil, err
	}
	v["chosen"] = flag(rightKernel(baseline.FieldFitOf(a.Result), f.kernel))
	var best method.Method = trueKernels[f.kernel]
	if slices.Contains(Spectra, f.kernel) {
		v["chosen"], best = 0.0, baseline.GGL{}
		if s, err = f.rooted(s, drawn.Graph); err != nil {
			return nil, err
		}
	}
	_, learned, err := learn(ctx, s, known, nervure.Options{
		Method: best, Structure: nervure.No, Confidence: nervure.No, Cut: graph.Cut{Rule: graph.CutEdges, Edges: known.Edges()},
	}, threads)
	v["known"] = learned["right"]
	return v, err
}

// rightKernel reports whether a fit has the true kernel: of all kernels, the nearest to its
// own is the true one, or held-out signals are no less likely by its own than by the true
// one, within a standard error.
func rightKernel(fit *baseline.FieldFit, kernel string) bool {
	if fit == nil {
		return false
	}
	if nearestKernel(fit.Kernel) == kernel {
		return true
	}
	trial := func(name string) *baseline.FieldTrial {
		for k := range fit.Trials {
			if fit.Trials[k].Kernel == name {
				return &fit.Trials[k]
			}
		}
		return nil
	}
	chosen, right := trial(fit.Kernel), trial(kernel)
	return chosen != nil && right != nil && chosen.Gain >= right.Gain-right.StdErr
}

// nearestKernel returns the nearest of Kernels: an order by its ratio.
func nearestKernel(name string) string {
	family, text, _ := strings.Cut(name, ":")
	order, err := strconv.ParseFloat(text, 64)
	if family == heat || err != nil {
		return family
	}
	away := func(kernel string) float64 { return math.Abs(math.Log(trueKernels[kernel].Order / order)) }
	return slices.MinFunc(Kernels[:len(Kernels)-1], func(a, b string) int { return cmp.Compare(away(a), away(b)) })
}
