package prepare

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

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

// At most one draw in a hundred may be changed; that three of 30 are would then happen by chance in one
// of 300 seeds.
func TestSignalsOfTheModelAreLeftAlone(t *testing.T) {
	const draws, most = 30, 2
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
