package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/synth"
)

// A causalCase is a problem and its answers, by coordinate descent and an exact solve
// on the support in NumPy, each checked against Clarabel and the first step also
// against scikit-learn's Lasso. The optimality conditions hold to 3e-13.
type causalCase struct {
	Name                      string
	Order                     int
	Lambda1, Lambda2, Lambda3 float64
	Lambda1Step2              float64 `json:"lambda1_step2"`
	Lambda3Step2              float64 `json:"lambda3_step2"`
	Signals                   [][]float64
	Step1, Base               struct {
		R          [][][]float64
		Objective  float64
		Objectives []float64 // before, and after each of four sweeps
	}
	Step2 struct {
		A         [][]float64
		Objective float64
	}
	Step3 struct {
		Terms     [][2]int
		C         []float64
		Objective float64
	}
}

func fitProcess(t *testing.T, y *mat.Dense, o CausalProcessOptions) *CausalProcess {
	t.Helper()
	p, err := FitCausalProcess(t.Context(), y, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The tolerances are those that the answers come with: 1e-9 of objectives, 1e-7 of
// entries, the same entries zero.
func wantMatrix(t *testing.T, what string, got *mat.Dense, want [][]float64) {
	t.Helper()
	for i, row := range want {
		for j, v := range row {
			if g := got.At(i, j); math.Abs(g-v) > 1e-7 || (g == 0) != (v == 0) {
				t.Errorf("%s: entry (%d, %d) is %g, want %g", what, i, j, g, v)
			}
		}
	}
}

func wantObjective(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*want {
		t.Errorf("%s: the objective is %.12g, want %.12g", what, got, want)
	}
}

func TestCausalProcessesAreThoseOfOtherSolvers(t *testing.T) {
	for _, c := range oracle[causalCase](t, "causal_graph_process") {
		t.Run(c.Name, func(t *testing.T) {
			y := denseOf(c.Signals)
			o := CausalProcessOptions{
				Order: c.Order, Penalty: c.Lambda1, AdjacencyPenalty: c.Lambda1Step2, AdjacencyCommutator: c.Lambda3Step2, CoefficientPenalty: c.Lambda2,
			}
			p := fitProcess(t, y, o)
			for i, r := range c.Step1.R {
				wantMatrix(t, "step 1", p.Lags[i], r)
			}
			wantObjective(t, "step 1", p.Objectives[0], c.Step1.Objective)
			wantMatrix(t, "step 2", p.A, c.Step2.A)
			var second float64
			for i, r := range p.Lags {
				var d mat.Dense
				if i == 0 {
					d.Sub(r, p.A)
					second += mat.Norm(&d, 2)*mat.Norm(&d, 2)/2 + c.Lambda1Step2*floats.Norm(p.A.RawMatrix().Data, 1)
					continue
				}
				second += c.Lambda3Step2 * math.Pow(mat.Norm(commutator(p.A, r), 2), 2)
			}
			wantObjective(t, "step 2", second, c.Step2.Objective)
			for k, term := range c.Step3.Terms {
				if got := p.Coefficients[term[0]-2][term[1]]; math.Abs(got-c.Step3.C[k]) > 1e-7 {
					t.Errorf("step 3: c_%d%d is %g, want %g", term[0], term[1], got, c.Step3.C[k])
				}
			}
			wantObjective(t, "step 3", predictionLoss(t, y, p)+c.Lambda2*floats.Norm(c.Step3.C, 1), c.Step3.Objective)

			o.Commutator, o.Sweeps = c.Lambda3, len(c.Base.Objectives)-1
			p = fitProcess(t, y, o)
			for i, r := range c.Base.R {
				wantMatrix(t, "base", p.Lags[i], r)
			}
			for k, want := range c.Base.Objectives {
				wantObjective(t, "base", p.Objectives[k], want)
			}
		})
	}
}

// predictionLoss is half the squares of what is not predicted of all signals with a past.
func predictionLoss(t *testing.T, y *mat.Dense, p *CausalProcess) float64 {
	t.Helper()
	n, count := y.Dims()
	loss := 0.0
	for k := 1 + len(p.Coefficients); k < count; k++ {
		next, err := p.Predict(mat.DenseCopyOf(y.Slice(0, n, 0, k)))
		if err != nil {
			t.Fatal(err)
		}
		floats.Sub(next, mat.Col(nil, k, y))
		loss += floats.Dot(next, next) / 2
	}
	return loss
}

// Without any penalty the first step is least squares, by QR here.
func TestCausalProcessWithoutPenaltyIsLeastSquares(t *testing.T) {
	truth, err := synth.Causal(synth.CausalSpec{Vertices: 5, Arrows: 2, Order: 2, Signals: 80, Seed: stream("process").Uint64()})
	if err != nil {
		t.Fatal(err)
	}
	y := truth.Signals
	p := fitProcess(t, y, CausalProcessOptions{Order: 2})
	var z, r mat.Dense
	z.Stack(y.Slice(0, 5, 1, 79), y.Slice(0, 5, 0, 78))
	if err := r.Solve(z.T(), y.Slice(0, 5, 2, 80).T()); err != nil {
		t.Fatal(err)
	}
	for i, lag := range p.Lags {
		if d := largestEntry(lag, r.Slice(5*i, 5*i+5, 0, 5).T()); d > 1e-9 {
			t.Errorf("lag %d differs by %g", i+1, d)
		}
	}
	if largestEntry(p.A, p.Lags[0]) != 0 {
		t.Error("without a second step, A is not the first coefficients")
	}
}

// The objective never rises, and the sweeps end by themselves.
func TestCausalProcessDescends(t *testing.T) {
	c := oracle[causalCase](t, "causal_graph_process")[0]
	p := fitProcess(t, denseOf(c.Signals), CausalProcessOptions{Order: c.Order, Penalty: c.Lambda1, Commutator: c.Lambda3})
	last := len(p.Objectives) - 1
	for k := range last {
		if p.Objectives[k+1] > p.Objectives[k]*(1+1e-14) {
			t.Errorf("sweep %d raises the objective from %.12g to %.12g", k+1, p.Objectives[k], p.Objectives[k+1])
		}
	}
	if last < len(c.Base.Objectives)-1 || p.Objectives[last-1]-p.Objectives[last] > 1e-6*p.Objectives[last] {
		t.Errorf("it ends after %d sweeps at %.12g", last, p.Objectives[last])
	}
}

func TestCausalProcessRefusesBadInput(t *testing.T) {
	good := randomSignals(stream("refuse"), 4, 60)
	missing := mat.DenseCopyOf(good)
	missing.Set(1, 1, math.NaN())
	for name, c := range map[string]struct {
		y     *mat.Dense
		o     CausalProcessOptions
		field input.Field
	}{
		"no signals":            {nil, CausalProcessOptions{}, input.Signals},
		"a missing value":       {missing, CausalProcessOptions{}, input.Signals},
		"an order too large":    {good, CausalProcessOptions{Order: 4}, "order"},
		"too few signals":       {randomSignals(stream("few"), 10, 12), CausalProcessOptions{Order: 2}, input.Signals},
		"too many to commute":   {randomSignals(stream("many"), 31, 100), CausalProcessOptions{Order: 2, Commutator: 1}, input.Vertices},
		"a negative penalty":    {good, CausalProcessOptions{Penalty: -1}, "penalty"},
		"a penalty that is NaN": {good, CausalProcessOptions{CoefficientPenalty: math.NaN()}, "coefficient penalty"},
	} {
		_, err := FitCausalProcess(t.Context(), c.y, c.o)
		if fault := input.Find(err); fault == nil || fault.Field != c.field {
			t.Errorf("%s: got %v, want a fault of %s", name, err, c.field)
		}
	}
	p := fitProcess(t, good, CausalProcessOptions{Order: 2})
	if _, err := p.Predict(mat.NewDense(4, 1, nil)); input.Find(err) == nil {
		t.Errorf("one signal is enough past for order 2: %v", err)
	}
}
