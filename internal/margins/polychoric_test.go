package margins

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// axesOf returns the two ordinal vertices of a table.
func axesOf(t *testing.T, table [][]int) (a, b axis) {
	t.Helper()
	var x, y []float64
	for i, row := range table {
		for j, count := range row {
			for range count {
				x, y = append(x, float64(i)), append(y, float64(j))
			}
		}
	}
	a, first := newAxis(x)
	b, second := newAxis(y)
	if !first || !second {
		t.Fatal("not ordinal")
	}
	return a, b
}

// What R 4.2.2 says of the same tables, by polychor of package polycor 0.8.1:
//
//	polychor(rbind(c(20, 10, 3), c(8, 25, 12), c(1, 9, 30)))
func TestPolychoricIsThatOfR(t *testing.T) {
	for _, c := range []struct {
		table [][]int
		want  float64
	}{
		{[][]int{{20, 10, 3}, {8, 25, 12}, {1, 9, 30}}, 0.738227},
		{[][]int{{40, 10}, {15, 35}}, 0.712732},
		{[][]int{{5, 2, 1, 0}, {10, 20, 8, 2}, {3, 15, 30, 10}, {0, 4, 12, 20}}, 0.688129},
		{[][]int{{2, 9, 30}, {10, 25, 8}, {28, 7, 1}}, -0.817550},
	} {
		a, b := axesOf(t, c.table)
		if got := polychoric(a, b); math.Abs(got-c.want) > 2e-4 {
			t.Errorf("%v: got %.6f, want %.6f", c.table, got, c.want)
		}
	}
}

// No other correlation is likelier, with the probabilities of cells integrated in another way.
func TestPolychoricIsTheLikeliest(t *testing.T) {
	table := [][]int{{20, 10, 3}, {8, 25, 12}, {1, 9, 30}}
	a, b := axesOf(t, table)
	likelihood := func(r float64) (sum float64) {
		at := func(of []float64, k int) float64 {
			return append(append([]float64{-8}, of...), 8)[k]
		}
		for i, row := range table {
			for j, count := range row {
				const steps = 2000
				from, to := at(a.thresholds, i), at(a.thresholds, i+1)
				p := 0.0
				for s := range steps { // by the midpoints of slices
					x := from + (to-from)*(float64(s)+0.5)/steps
					width := math.Sqrt(2 * (1 - r*r))
					p += math.Exp(-x*x/2) * (math.Erf((at(b.thresholds, j+1)-r*x)/width) - math.Erf((at(b.thresholds, j)-r*x)/width)) / 2 * (to - from) / steps
				}
				sum += float64(count) * math.Log(p)
			}
		}
		return sum
	}
	r := polychoric(a, b)
	for _, step := range []float64{-0.2, -0.01, 0.01, 0.1} {
		if likelihood(r+step) >= likelihood(r) {
			t.Errorf("%g is likelier than %g", r+step, r)
		}
	}
}

// inspected returns the levels of the rows of y.
func inspected(y *mat.Dense) []*axis { return Inspect(y).axes }

// Tables of normal variables cut into levels give back the correlation, whatever the cuts; so do
// levels beside values. Taken together they are brought part of the way to those of the levels, as far
// as levels are coarse, which is how well they follow the variable.
func TestHiddenCorrelationsAreFound(t *testing.T) {
	const signals = 20000
	r := rand.New(rand.NewPCG(4, 4))
	for _, want := range []float64{-0.6, 0.8} {
		y, means := mat.NewDense(4, signals, nil), mat.NewDense(2, signals, nil)
		for k := range signals {
			u := r.NormFloat64()
			v := want*u + math.Sqrt(1-want*want)*r.NormFloat64()
			y.SetCol(k, []float64{float64(levelIn(u, -1, 0.2, 1.1)), float64(levelIn(v, 0.4)), u, v})
		}
		axes, scores := inspected(y), NormalScores(y)
		if axes[0] == nil || axes[1] == nil || axes[2] != nil || axes[3] != nil {
			t.Fatal("the first two vertices are the ordinal ones")
		}
		kept := [4]float64{1, 1, 1, 1}
		for i := range 2 { // e by what it is: how well the mean of its level predicts a value
			sums, counts := map[float64]float64{}, map[float64]float64{}
			for k, level := range y.RawRowView(i) {
				sums[level] += y.At(i+2, k)
				counts[level]++
			}
			for k, level := range y.RawRowView(i) {
				means.Set(i, k, sums[level]/counts[level])
			}
			kept[i] = math.Pow(correlation(means.RawRowView(i), y.RawRowView(i+2)), 2)
			if math.Abs(axes[i].kept-kept[i]) > 0.01 {
				t.Errorf("vertex %d: levels keep %g, want %g", i, axes[i].kept, kept[i])
			}
		}
		for pair, got := range map[[2]int]float64{
			{0, 1}: polychoric(*axes[0], *axes[1]), {0, 3}: polyserial(scores.RawRowView(3), *axes[0]), {1, 2}: polyserial(scores.RawRowView(2), *axes[1]),
		} {
			if math.Abs(got-want) > 0.035 {
				t.Errorf("vertices %v: got %g, want %g", pair, got, want)
			}
		}
		c, corrected := hiddenCorrelations(scores, axes)
		if corrected != 2 {
			t.Errorf("%d vertices were corrected", corrected)
		}
		for _, pair := range [][2]int{{0, 1}, {0, 3}, {1, 2}, {2, 3}} {
			want := want * math.Sqrt(math.Sqrt(kept[pair[0]]*kept[pair[1]]))
			if got := c.At(pair[0], pair[1]); math.Abs(got-want) > 0.035 {
				t.Errorf("vertices %v: got %g, want %g", pair, got, want)
			}
		}
	}
}

// A correction may not add errors: correlations of independent vertices are no larger than those of normal
// variables, and strong ones of fine levels stay nearly as they are.
func TestCorrectionsAreCautious(t *testing.T) {
	const signals, draws = 400, 300
	for name, cuts := range map[string][]float64{"halves": {0}, "five levels, most in one": {0.84, 1.28, 1.64, 2.05}} {
		r, sum := rand.New(rand.NewPCG(8, uint64(len(name)))), 0.0
		for range draws {
			y := mat.NewDense(2, signals, nil)
			y.Apply(func(i, _ int, _ float64) float64 { return float64(levelIn(r.NormFloat64(), cuts...)) }, y)
			c, _ := hiddenCorrelations(NormalScores(y), inspected(y))
			sum += c.At(0, 1) * c.At(0, 1)
		}
		if got := sum / draws * signals; got > 1.3 { // normal variables have 1, ± 0.08
			t.Errorf("%s: variance %g/m", name, got)
		}
	}
	if got := cautious(0.6, 0.8, 400); got < 0.55 || got >= 0.6 {
		t.Errorf("0.6 became %g", got)
	}
	if got := cautious(-0.6, 0.8, 400); got != -cautious(0.6, 0.8, 400) {
		t.Errorf("−0.6 became %g", got)
	}
	if got := cautious(0.02, 0.3, 400); got != 0 {
		t.Errorf("less than its error is %g", got)
	}
}

// A column of zeros with a single one decides about nothing, whatever the others are; where
// there is hardly anything else it stays.
func TestVerticesThatHardlyVaryAreLeftOut(t *testing.T) {
	hidden := elliptical(5, 6, 400, math.Inf(1))
	for name, y := range map[string]*mat.Dense{"beside values": mat.DenseCopyOf(hidden), "beside levels": mat.NewDense(6, 400, nil)} {
		if name == "beside levels" {
			y.Apply(func(i, k int, _ float64) float64 { return float64(levelIn(hidden.At(i, k), -1, 0, 1)) }, y)
		}
		for k := range 400 {
			y.Set(3, k, 0)
		}
		y.Set(3, 17, 1)
		y.Set(3, 18, math.NaN())
		z, found, err := Inspect(y).Field(func(z *mat.Dense) (*mat.Dense, error) {
			filled := mat.DenseCopyOf(z)
			filled.Set(3, 18, 0)
			return filled, nil
		})
		if err != nil || found.Rare != 1 || found.Outliers != 0 || !math.IsInf(found.Freedom, 1) || !math.IsNaN(z.At(3, 18)) || z.At(3, 17) != 0 || z.At(3, 16) != 0 {
			t.Errorf("%s: got %+v, %v, scores %g", name, found, err, z.RawRowView(3)[15:20])
		}
	}
	few := mat.NewDense(2, 400, nil)
	few.Set(0, 1, 1)
	few.Set(1, 2, 1)
	if rare := Inspect(few).rare(); len(rare) != 0 {
		t.Errorf("left out %v of all", rare)
	}
}

func levelIn(v float64, cuts ...float64) (level int) {
	for _, c := range cuts {
		if v > c {
			level++
		}
	}
	return level
}

// Where gaps are, pairs of values that are there count alone.
func TestGapsAreLeftOut(t *testing.T) {
	nan := math.NaN()
	x := []float64{0, 0, 0, 1, 1, 1, nan, 0, 1, 0, 1, 0, 1}
	y := []float64{0, 0, 1, 1, 1, 0, 1, nan, nan, 0, 1, 0, 1}
	a, _ := newAxis(x)
	b, _ := newAxis(y)
	before := polychoric(a, b)
	a.level[6], b.level[7], b.level[8] = -1, -1, -1
	if got := polychoric(a, b); got != before || got <= 0 || got >= mostCorrelated {
		t.Errorf("got %g, want %g", got, before)
	}
}

// The signals have the correlations that they are given, mean 0, and are as near as can be to what they were: the
// map is symmetric and positive, as that of the least change is.
func TestCorrelationsAreTaken(t *testing.T) {
	z := elliptical(3, 4, 300, math.Inf(1))
	inOwnUnits(z)
	want := mat.NewSymDense(4, []float64{1, 0.5, 0.2, 0.1, 0.5, 1, 0.4, 0, 0.2, 0.4, 1, 0.3, 0.1, 0, 0.3, 1})
	before := mat.DenseCopyOf(z)
	if !takeCorrelations(z, want) {
		t.Fatal("singular")
	}
	var got, across mat.Dense
	got.Mul(z, z.T())
	got.Scale(1./300, &got)
	if !mat.EqualApprox(&got, want, 1e-9) {
		t.Errorf("got %v", mat.Formatted(&got))
	}
	// With A = ZXᵀ(XXᵀ)⁻¹, Z = AX.
	var square, inverse, a mat.Dense
	square.Mul(before, before.T())
	if err := inverse.Inverse(&square); err != nil {
		t.Fatal(err)
	}
	across.Mul(z, before.T())
	a.Mul(&across, &inverse)
	if !mat.EqualApprox(&a, a.T(), 1e-9) {
		t.Errorf("the map is %v", mat.Formatted(&a))
	}
	negative := mat.NewSymDense(4, []float64{1, 0.9, -0.9, 0, 0.9, 1, 0.9, 0, -0.9, 0.9, 1, 0, 0, 0, 0, 1})
	if !takeCorrelations(before, negative) {
		t.Error("correlations that cannot be were not drawn in")
	}
}
