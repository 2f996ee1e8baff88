package assess

import (
	"flag"
	"testing"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

var (
	seed      = flag.Uint64("seed", 1, "seed of every random draw")
	calibrate = flag.Int("calibrate", 0, "fit the calibration again on that many samples")
)

// A setting is a kind of signals to learn from.
type setting struct {
	family   synth.Family
	n, m     int
	atoms    int // drawn for each signal
	sparsity int // learned with
	noise    float64
}

// settings are those that the calibration is fitted on and held to: easy and
// hard, the model's sparsity right and wrong.
func settings() []setting {
	var all []setting
	for _, n := range []int{20, 50} {
		for _, m := range []int{40, 60, 100, 200, 400} {
			for _, noise := range []float64{0, 0.1, 0.2, 0.4} {
				for _, t := range [][2]int{{4, 4}, {2, 2}, {4, 6}, {8, 8}, {6, 4}} {
					for _, family := range []synth.Family{synth.FamilyER, synth.FamilyRBF} {
						all = append(all, setting{family, n, m, t[0], t[1], noise})
					}
				}
			}
		}
	}
	return all
}

// A judged edge is what its confidence is computed from, the confidence, and the truth.
type judged struct {
	regressors  []float64
	probability float64
	true        bool
}

// judge learns a graph from fresh signals and assesses its edges. Of a graph
// that is proved there is nothing to judge.
func (s setting) judge(t *testing.T, seed uint64) []judged {
	t.Helper()
	weights := synth.OwnWeights
	if s.family == synth.FamilyER {
		weights = synth.UniformWeights
	}
	model := learn.PaperModel()
	truth, err := synth.Generate(synth.GraphSpec{Family: s.family, Vertices: s.n, Weights: weights, Seed: seed}, model.Kernels,
		synth.SignalSpec{Count: s.m, Sparsity: s.atoms, Noise: s.noise, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	model.Sparsity = s.sparsity
	result, err := learn.Fit(t.Context(), truth.Signals, model, learn.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	if result.Certified {
		return nil
	}
	found, err := tallyResult(t.Context(), truth.Signals, asMethod(result), StabilityOptions{Seed: seed, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	weight, agreement := truth.Graph.Weights(), found.agreement()
	edges := make([]judged, result.Graph.EdgeCount())
	for k, e := range result.Graph.Edges() {
		own := found.support(k, agreement)
		x := own.regressors()
		edges[k] = judged{x[:], probability(own), weight.At(e.I, e.J) > 0}
	}
	return edges
}

// TestCalibration fits the calibration with -calibrate SAMPLES, on seeds that
// no other test has, and says how the one in use does on them: with another -seed
// than 1, on samples it was not fitted on. Each sample of signals counts as much
// as any other.
func TestCalibration(t *testing.T) {
	if *calibrate == 0 {
		t.Skip("the calibration is refitted only with -args -calibrate SAMPLES")
	}
	const tuning = 1_000_000 // where its seeds begin
	var samples [][]judged
	var all score
	for k := range *calibrate {
		edges := draw(int(*seed-1)**calibrate+k).judge(t, tuning+*seed*10_000+uint64(k))
		samples = append(samples, edges)
		all.add(edges)
	}
	b := calibrated(4, samples)
	t.Logf("base %.3g, agreement %.3g, strength %.3g, found %.3g", b[0], b[1], b[2], b[3])
	t.Logf("in use now: %+v", all)
	if 10*all.right < 9*all.sure {
		t.Errorf("%d of %d edges at 0.9 or more are true", all.right, all.sure)
	}
}

// A score counts edges.
type score struct {
	true  int // of those found
	sure  int // at 0.9 or more
	right int // sure and true
}

func (s *score) add(edges []judged) {
	for _, e := range edges {
		sure := e.probability >= 0.9
		if e.true {
			s.true++
		}
		if sure {
			s.sure++
		}
		if sure && e.true {
			s.right++
		}
	}
}

// draw returns setting k, in an order in which the first few are of all kinds.
func draw(k int) setting {
	const stride = 89 // has no factor in common with the number of settings
	all := settings()
	return all[k*stride%len(all)]
}

// calibrated returns the coefficients of the logistic regression of truth on regressors.
func calibrated(size int, samples [][]judged) []float64 {
	rows := make([][]judgedRow, len(samples))
	for s, edges := range samples {
		for _, e := range edges {
			rows[s] = append(rows[s], judgedRow{e.regressors, e.true})
		}
	}
	return logistic(size, rows)
}
