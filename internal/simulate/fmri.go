package simulate

import (
	"cmp"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/synth"
)

// An FMRISpec says which recording to draw that looks like functional magnetic
// resonance imaging.
type FMRISpec struct {
	Vertices     int           // regions, before isolated ones are stripped, at least 4; zero means 116, as in a common atlas
	Observations int           // scans, at least 10; zero means 300
	Blocks       int           // modules, at most Vertices; zero means 6
	EdgeFactor   float64       // edges per region; zero means 3
	Repetition   time.Duration // between scans; zero means 2 s
	Noise        float64       // standard deviation of white noise of measurement, over that of each region; zero means 0.3
	Seed         uint64        // the streams are those of [synth.Graph] and [synth.Field], and "fmri noise"
}

// An FMRITruth is a recording of that kind, and the graph behind it.
type FMRITruth struct {
	Spec    FMRISpec // as resolved
	Graph   *graph.Graph
	Blocks  []int // the module of each region
	Times   []time.Time
	Signals *mat.Dense // regions × scans
}

// Resolve returns the specification with its defaults filled in, as [FMRI] uses it, or
// all its faults.
func (s FMRISpec) Resolve() (FMRISpec, error) {
	s.Vertices = cmp.Or(s.Vertices, 116)
	s.Observations = cmp.Or(s.Observations, 300)
	s.Blocks = cmp.Or(s.Blocks, 6)
	s.Repetition = cmp.Or(s.Repetition, 2*time.Second)
	s.Noise = cmp.Or(s.Noise, 0.3)
	return s, check("simulate.FMRISpec",
		requirement{input.Vertices, s.Vertices, s.Vertices >= 4, "at least 4"},
		requirement{input.Signals, s.Observations, s.Observations >= 10, "at least 10"},
		requirement{"repetition", s.Repetition, s.Repetition >= minRepetition && s.Repetition <= maxRepetition, "0.1 s to 10 s"},
		requirement{"noise", s.Noise, s.Noise > 0 && !math.IsInf(s.Noise, 0), "a number above 0"},
	)
}

// Between scans the response to activity must neither pass unseen nor take thousands
// of terms.
const (
	minRepetition = 100 * time.Millisecond
	maxRepetition = 10 * time.Second
)

// FMRI draws a graph of modules, neural activity on it that is white in time
// and a Gaussian field in space, and what a scanner sees of it: blood flow, which
// follows activity slowly, and noise.
func FMRI(spec FMRISpec) (*FMRITruth, error) {
	spec, err := spec.Resolve()
	if err != nil {
		return nil, err
	}
	s, err := synth.Graph(synth.GraphSpec{
		Family: synth.FamilySBM, Vertices: spec.Vertices, Blocks: spec.Blocks, EdgeFactor: spec.EdgeFactor,
		Weights: synth.UniformWeights, Seed: spec.Seed,
	})
	if err != nil {
		return nil, err
	}
	response := bloodFlow(spec.Repetition)
	before := len(response) - 1 // scans that the first ones still see
	activity, err := synth.Field(s.Graph, synth.FieldSpec{Law: synth.GaussianField, Count: spec.Observations + before, Seed: spec.Seed})
	if err != nil {
		return nil, err
	}
	n := s.Graph.Vertices()
	y := mat.NewDense(n, spec.Observations, nil)
	for i := range n {
		row, active := y.RawRowView(i), activity.Signals.RawRowView(i)
		for t := range row {
			for k, h := range response {
				row[t] += h * active[t+before-k]
			}
		}
	}
	addSensorNoise(y, spec.Noise, spec.Seed, "fmri noise")
	return &FMRITruth{spec, s.Graph, s.Blocks, timesOf(spec.Observations, spec.Repetition), y}, nil
}

// bloodFlow returns the response of blood flow to activity, sampled from the moment
// of the activity on for 30 s: the difference of two gamma densities, of shape 6 and
// of shape 16 and a sixth of the weight, both of scale 1 s, as is
// usual for such images. The sum of its squares is 1.
func bloodFlow(repetition time.Duration) []float64 {
	var response []float64
	square := 0.0
	for at := time.Duration(0); at <= 30*time.Second; at += repetition {
		t := at.Seconds()
		v := gammaDensity(6, t) - gammaDensity(16, t)/6
		response = append(response, v)
		square += v * v
	}
	for k := range response {
		response[k] /= math.Sqrt(square)
	}
	return slices.Clip(response)
}

// gammaDensity is t^(shape−1)·e^(−t)/(shape−1)!.
func gammaDensity(shape int, t float64) float64 {
	v := portable.Exp(-t)
	for k := 1; k < shape; k++ {
		v *= t / float64(k)
	}
	return v
}
