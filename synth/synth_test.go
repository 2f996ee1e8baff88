package synth

import (
	"flag"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

var seed = flag.Uint64("seed", 1, "seed of everything drawn in these tests; any must pass")

// sigmas is how far a statistic may stand from its law. A right one is farther
// out once in two million tests.
const sigmas = 5

// must unwraps a sample that has to be there.
func must(t *testing.T) func(Sample, error) Sample {
	return func(s Sample, err error) Sample {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// checkMean fails if the mean of the values is too far from want, by their own scatter.
func checkMean(t *testing.T, what string, values []float64, want float64) {
	t.Helper()
	var mean, scatter float64
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		scatter += (v - mean) * (v - mean)
	}
	deviation := math.Sqrt(scatter) / float64(len(values))
	if math.Abs(mean-want) > sigmas*deviation+1e-12*math.Abs(want) {
		t.Errorf("%s: mean %g ± %g, want %g", what, mean, deviation, want)
	}
}

// checkCount fails if count is too far from the mean of a binomial law.
func checkCount(t *testing.T, what string, count, trials int, p float64) {
	t.Helper()
	mean := float64(trials) * p
	if math.Abs(float64(count)-mean) > sigmas*math.Sqrt(mean*(1-p)) {
		t.Errorf("%s: %d of %d, want about %g", what, count, trials, mean)
	}
}

func TestSameSeedSameGraph(t *testing.T) {
	for _, family := range Families() {
		spec := GraphSpec{Family: family, Vertices: 40, Weights: UniformWeights, Seed: *seed}
		one, again := must(t)(Graph(spec)), must(t)(Graph(spec))
		if !reflect.DeepEqual(one, again) {
			t.Errorf("%s: two draws with one seed differ", family)
		}
		spec.Seed++
		if other := must(t)(Graph(spec)); reflect.DeepEqual(one, other) {
			t.Errorf("%s: another seed gives the same graph", family)
		}
	}
}

func TestEveryFamilyGivesUsableGraphsOfAnySize(t *testing.T) {
	for _, family := range Families() {
		for n := 2; n <= 30; n++ {
			s := must(t)(Graph(GraphSpec{Family: family, Vertices: n, Seed: *seed}))
			g := s.Graph
			if len(g.Isolated()) > 0 {
				t.Errorf("%s of %d: isolated vertices %v", family, n, g.Isolated())
			}
			if !slices.Equal(g.Names(), graph.DefaultNames(g.Vertices())) {
				t.Errorf("%s of %d: names %v", family, n, g.Names())
			}
			if c := len(s.Coordinates); c != 0 && c != g.Vertices() {
				t.Errorf("%s of %d: %d coordinates for %d vertices", family, n, c, g.Vertices())
			}
			for _, p := range s.Coordinates {
				if !(p[0] >= 0 && p[0] <= 1 && p[1] >= 0 && p[1] <= 1) {
					t.Errorf("%s of %d: point %v outside the unit square", family, n, p)
				}
			}
			if b := len(s.Blocks); b != 0 && b != g.Vertices() {
				t.Errorf("%s of %d: %d block labels for %d vertices", family, n, b, g.Vertices())
			}
		}
	}
}

func TestEdgeFactorIsMetOnAverage(t *testing.T) {
	const n = 40
	for _, factor := range []float64{0, 1.5, 5} {
		want := factor * n
		if factor == 0 {
			want = 3 * n
		}
		for _, family := range []Family{FamilyER, FamilyRBF, FamilySBM} {
			var counts []float64
			for trial := range 40 {
				s := must(t)(Graph(GraphSpec{Family: family, Vertices: n, EdgeFactor: factor, Seed: *seed + uint64(trial)<<32}))
				counts = append(counts, float64(s.Graph.EdgeCount()))
			}
			checkMean(t, string(family)+" edges", counts, want)
		}
	}
	for family, want := range map[Family]int{
		FamilyBA:   3*n - 6, // nearer to 120 than the 150 of m = 4
		FamilyRing: 3 * n,
		FamilyGrid: 5*6 + 4 + 4*7 + 5, // five rows of 7 and one of 5: along rows, then between them
	} {
		s := must(t)(Graph(GraphSpec{Family: family, Vertices: n, Seed: *seed}))
		if got := s.Graph.EdgeCount(); got != want {
			t.Errorf("%s: %d edges, want %d", family, got, want)
		}
	}
}

func TestResolveFillsDefaults(t *testing.T) {
	for name, c := range map[string]struct{ spec, want GraphSpec }{
		"er": {
			GraphSpec{Family: FamilyER, Vertices: 101, Blocks: 7, Width: 2},
			GraphSpec{Family: FamilyER, Vertices: 101, EdgeFactor: 3, Probability: 0.06},
		},
		"too few vertices for three edges each": {
			GraphSpec{Family: FamilyBA, Vertices: 4},
			GraphSpec{Family: FamilyBA, Vertices: 4, EdgeFactor: 1.5},
		},
		"sbm": {
			GraphSpec{Family: FamilySBM, Vertices: 35},
			GraphSpec{Family: FamilySBM, Vertices: 35, EdgeFactor: 3, Blocks: 3},
		},
	} {
		got, err := c.spec.Resolve()
		if err != nil || got != c.want {
			t.Errorf("%s: got %+v (%v), want %+v", name, got, err, c.want)
		}
		if again, err := got.Resolve(); err != nil || again != got {
			t.Errorf("%s: resolved again: %+v (%v)", name, again, err)
		}
	}
}

func TestResolveNamesEveryFault(t *testing.T) {
	for field, specs := range map[input.Field][]GraphSpec{
		"family":       {{Family: "tree", Vertices: 10}},
		input.Vertices: {{Family: FamilyER, Vertices: 1}},
		"edge factor": {
			{Family: FamilyER, Vertices: 5, EdgeFactor: 3}, {Family: FamilyRing, Vertices: 10, EdgeFactor: -1}, {Family: FamilyBA, Vertices: 10, EdgeFactor: math.NaN()},
		},
		"probability": {{Family: FamilyER, Vertices: 10, Probability: 1.3}, {Family: FamilyER, Vertices: 10, Probability: math.NaN()}},
		"width":       {{Family: FamilyRBF, Vertices: 10, Width: -1}},
		"blocks":      {{Family: FamilySBM, Vertices: 10, Blocks: 11}},
		"weights":     {{Family: FamilyER, Vertices: 10, Weights: "heavy"}},
	} {
		for _, spec := range specs {
			if _, err := Graph(spec); input.Find(err) == nil || input.Find(err).Field != field {
				t.Errorf("%+v: got %v, want a fault of %s", spec, err, field)
			}
		}
	}
	_, err := Graph(GraphSpec{Family: "tree", Weights: "heavy"})
	for _, field := range []string{"family", "vertices", "weights"} {
		if err == nil || !strings.Contains(err.Error(), field+": got") {
			t.Errorf("error %v does not name the fault in %s", err, field)
		}
	}
}

func TestWeightingsKeepTheEdges(t *testing.T) {
	for _, family := range Families() {
		spec := GraphSpec{Family: family, Vertices: 60, Seed: *seed}
		own := must(t)(Graph(spec)).Graph
		spec.Weights = BinaryWeights
		ones := must(t)(Graph(spec)).Graph
		spec.Weights = UniformWeights
		uniform := must(t)(Graph(spec)).Graph
		if !slices.Equal(own.Pairs(), ones.Pairs()) || !slices.Equal(own.Pairs(), uniform.Pairs()) {
			t.Errorf("%s: the weighting changes the edges", family)
		}
		var weights []float64
		for k, e := range uniform.Edges() {
			if ones.Edges()[k].Weight != 1 {
				t.Errorf("%s: binary weight %g", family, ones.Edges()[k].Weight)
			}
			if e.Weight < 0.5 || e.Weight >= 1.5 {
				t.Errorf("%s: weight %g outside [0.5, 1.5)", family, e.Weight)
			}
			if family != FamilyRBF && own.Edges()[k].Weight != 1 {
				t.Errorf("%s: its own weight is %g, want 1", family, own.Edges()[k].Weight)
			}
			weights = append(weights, e.Weight)
		}
		checkMean(t, string(family)+" uniform weights", weights, 1)
	}
}
