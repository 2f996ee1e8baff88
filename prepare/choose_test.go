package prepare

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/synth"
)

// draw returns signals of the model of a kind drawn at random, and what kind.
func draw(t *testing.T, r *rand.Rand) (*mat.Dense, string) {
	t.Helper()
	sets := [][]string{{"heat:2", "highpass:1"}, {"heat:2", "heat:1"}, {"heat:1", "heat:0.5"}, {"heat:2"}, {"heat:1", "wavelet:2"}}
	set := sets[r.IntN(len(sets))]
	var kernels []kernel.Kernel
	for _, spec := range set {
		k, err := kernel.Parse(spec, 15, kernel.Taylor)
		if err != nil {
			t.Fatal(err)
		}
		kernels = append(kernels, k)
	}
	families, weights := synth.Families(), synth.Weightings()
	g := synth.GraphSpec{
		Family: families[r.IntN(len(families))], Weights: weights[r.IntN(len(weights))],
		Vertices: int(math.Round(5 * math.Pow(40, r.Float64()))), Seed: r.Uint64(),
	}
	s := synth.SignalSpec{
		Count: int(math.Round(20 * math.Pow(50, r.Float64()))), Sparsity: 2 + r.IntN(11),
		Noise: []float64{0, 0.2}[r.IntN(2)], Seed: g.Seed,
	}
	truth, err := synth.Generate(g, kernels, s)
	if err != nil {
		t.Fatal(err)
	}
	return truth.Signals, strings.Join([]string{strings.Join(set, "+"), string(g.Family), string(g.Weights)}, " ")
}

// At most one draw in a hundred may be changed; that three of 200 are would then
// happen by chance in a third of all seeds, that eight are in one of a thousand.
func TestSignalsOfTheModelAreLeftAlone(t *testing.T) {
	draws, most := 200, 7
	if testing.Short() {
		draws, most = 50, 4
	}
	r := rand.New(rand.NewPCG(*seed, 11))
	changed := 0
	for range draws {
		y, kind := draw(t, r)
		z, report := prepared(t, y, Options{})
		n, m := y.Dims()
		if report.Sentence() != "" {
			changed++
			t.Logf("%s, %d×%d: %s", kind, n, m, report.Sentence())
		} else if !mat.Equal(y, z) {
			t.Errorf("%s, %d×%d: changed, and not said so", kind, n, m)
		}
	}
	if changed > most {
		t.Errorf("%d of %d draws were changed", changed, draws)
	}
}

func TestSignalsAreChangedThatNeedIt(t *testing.T) {
	one := func(int) float64 { return 1 }
	for name, c := range map[string]struct {
		n, m int
		unit func(i int) float64
		add  func(i, k int) float64
		want string // center, scale, common mode
	}{
		"nothing to do":           {40, 100, one, func(int, int) float64 { return 0 }, "---"},
		"offsets":                 {10, 50, one, func(i, _ int) float64 { return float64(i) }, "cs-"},
		"temperatures in kelvin":  {10, 8, one, func(int, int) float64 { return 280 }, "cs-"},
		"counts, few and rare":    {10, 30, one, nil, "cs-"},
		"too few to tell":         {10, 12, one, nil, "---"},
		"different units":         {10, 100, func(i int) float64 { return math.Pow(10, float64(i%3)) }, func(int, int) float64 { return 0 }, "-s-"},
		"a market":                {60, 500, one, func(_, k int) float64 { return 0.9 * math.Sqrt2 * math.Sin(float64(k*k)) }, "-sm"},
		"a market of few":         {20, 500, one, func(_, k int) float64 { return 0.9 * math.Sqrt2 * math.Sin(float64(k*k)) }, "---"},
		"two camps":               {60, 500, one, func(i, k int) float64 { return float64(1-2*(i%2)) * 2 * math.Sin(float64(k*k)) }, "---"},
		"offsets and common mode": {60, 500, one, func(_, k int) float64 { return 9 + 2*math.Sin(float64(k*k)) }, "csm"},
	} {
		t.Run(name, func(t *testing.T) {
			y := apply(noise(c.n, c.m, 12), func(i, k int, v float64) float64 {
				if c.add == nil {
					return math.Floor(max(v-0.5, 0) * 3) // zero in two of three
				}
				return c.unit(i) * (v + c.add(i, k))
			})
			holes := apply(y, func(i, k int, v float64) float64 {
				if (7*i+3*k)%11 == 0 {
					return nan
				}
				return v
			})
			for _, y := range []*mat.Dense{y, holes} {
				_, r := prepared(t, y, Options{})
				if got := signs(r); got != c.want {
					t.Errorf("got %s, want %s: %v", got, c.want, r.Steps())
				}
			}
		})
	}
}

// signs writes which of the automatic steps were done.
func signs(r *Report) string {
	s := []byte("---")
	for k, step := range []Step{r.Center, r.Scale, r.CommonMode} {
		if step.Done {
			s[k] = "csm"[k]
		}
	}
	return string(s)
}

func TestChoicesCanBeForbidden(t *testing.T) {
	y := apply(noise(60, 500, 13), func(_, k int, v float64) float64 { return v + 9 + 2*math.Sin(float64(k*k)) })
	z, r := prepared(t, y, None())
	if !mat.Equal(y, z) || r.Sentence() != "" {
		t.Error(r.Sentence())
	}
}

// A wandering series has a mean far from zero by chance: as many observations as
// it has do not make that sure.
func TestMeansOfWanderingSeriesAreNotTakenForOffsets(t *testing.T) {
	centred := 0
	for s := range uint64(40) {
		if _, r := prepared(t, wander(5, 400, 0.95, 100+s), Options{}); r.Center.Done {
			centred++
		}
	}
	if centred > 2 { // 30 of 40 without regard to autocorrelation
		t.Errorf("%d of 40 were centred", centred)
	}
}

// Measured signals, prepared as their descriptions advise, get what they need.
func TestMeasuredSignals(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
		want string // center, scale, common mode
		warn string // part of a warning
	}{
		{"danube", Options{Log: true}, "csm", ""},
		{"danube", Options{}, "csm", "values are positive and skewed"},
		{"molene", Options{}, "csm", "consecutive signals are correlated"},
		{"molene", Options{Difference: Yes}, "-s-", ""},
		{"sachs", Options{Log: true}, "cs-", "consecutive signals are correlated"}, // they are sorted by condition
		{"chickenpox", Options{Log: true, LogOffset: 1, Season: No}, "cs-", "consecutive signals are correlated"},
		{"chickenpox", Options{}, "cs-", "values are non-negative and skewed"},
		{"stocks", Options{}, "-sm", ""},
		{"metr_la", Options{}, "cs-", "consecutive signals are correlated"},
		{"animals", Options{}, "cs-", ""},
	} {
		path := filepath.Join("..", "..", "shared", "data", c.name, "signals.csv")
		s, err := dataio.ReadSignals(path, dataio.ReadOptions{})
		if err != nil {
			t.Skip("the measured signals are not here")
		}
		c.o.Names = s.Names
		_, r := prepared(t, s.Y, c.o)
		if got := signs(r); got != c.want {
			t.Errorf("%s %+v: got %s, want %s: %v", c.name, c.o.Log, got, c.want, r.Steps())
		}
		if all := sentences(r); !strings.Contains(all, c.warn) || c.warn == "" && all != "" {
			t.Errorf("%s: got the warnings %q, want %q", c.name, all, c.warn)
		}
	}
}
