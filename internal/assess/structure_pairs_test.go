package assess

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
)

// noises are signals without a graph, of one vertex each or with something that all share.
var noises = map[string]func(y *mat.Dense, seed uint64){
	"white": func(y *mat.Dense, seed uint64) {
		draw := rng.Stream(seed, "white")
		y.Apply(func(int, int, float64) float64 { return draw.NormFloat64() }, y)
	},
	"heavy tails": func(y *mat.Dense, seed uint64) {
		draw := rng.Stream(seed, "heavy")
		y.Apply(func(int, int, float64) float64 {
			square := 0.0
			for range 3 {
				v := draw.NormFloat64()
				square += v * v
			}
			return draw.NormFloat64() / math.Sqrt(square/3)
		}, y)
	},
	"a common mode": func(y *mat.Dense, seed uint64) {
		draw := rng.Stream(seed, "common")
		n, m := y.Dims()
		loads := make([]float64, n)
		for i := range loads {
			loads[i] = 0.5 + draw.Float64()
		}
		for k := range m {
			mode := draw.NormFloat64()
			for i, load := range loads {
				y.Set(i, k, load*mode+draw.NormFloat64())
			}
		}
	},
	"dependence in time": func(y *mat.Dense, seed uint64) {
		draw := rng.Stream(seed, "time")
		n, m := y.Dims()
		for i := range n {
			v := draw.NormFloat64()
			for k := range m {
				v = 0.9*v + math.Sqrt(0.19)*draw.NormFloat64()
				y.Set(i, k, v)
			}
		}
	},
}

// Noise of any kind has no pair beyond chance, but for one in a hundred files.
func TestNoPairOfNoiseIsBeyondChance(t *testing.T) {
	const files = 8
	for name, fill := range noises {
		found := 0
		for seed := range uint64(files) {
			y := mat.NewDense(20, 10+int(seed%4)*20, nil)
			fill(y, seed)
			test := &StructureTest{}
			if err := test.LookAtPairs(t.Context(), y, StructureOptions{Seed: seed}); err != nil {
				t.Fatal(err)
			}
			if test.Structure {
				found++
			}
		}
		if found > 1 {
			t.Errorf("%s: %d of %d files have structure", name, found, files)
		}
	}
}

// Two vertices of few signals that follow each other are seen, with their correlation; what was
// seen already is not looked at again.
func TestAPairIsBeyondChance(t *testing.T) {
	y := mat.NewDense(20, 30, nil)
	noises["white"](y, 1)
	for k := range 30 {
		y.Set(7, k, y.At(3, k)+0.2*y.At(7, k))
	}
	test := &StructureTest{}
	if err := test.LookAtPairs(t.Context(), y, StructureOptions{Seed: 1}); err != nil || !test.Structure || test.Clear() || !(test.Pair > 0.9) {
		t.Errorf("got %+v, %v", test, err)
	}
	seen := &StructureTest{Structure: true}
	if err := seen.LookAtPairs(t.Context(), y, StructureOptions{}); err != nil || seen.Pair != 0 {
		t.Errorf("got %+v, %v", seen, err)
	}
}

// Edges that predict only what all vertices share are no graph; those of a field are, although its
// vertices share most.
func TestEdgesThatOnlyRepeatWhatAllShareAreNoStructure(t *testing.T) {
	const n, m = 20, 200
	for _, size := range []float64{1.5, 0.7} { // of what they share, over that of each vertex
		r := rng.Stream(1, "shared by all")
		shared, chain, all := mat.NewDense(n, m, nil), mat.NewDense(n, m, nil), mat.NewDense(n, m, nil)
		for k := range m {
			common, before := size*r.NormFloat64(), 0.0
			var weak float64 // that a few vertices have in common
			for i := range n {
				if i%4 == 0 {
					weak = r.NormFloat64()
				}
				before = 0.8*before + r.NormFloat64()
				shared.Set(i, k, common+r.NormFloat64())
				chain.Set(i, k, common+before)
				all.Set(i, k, common+0.6*weak+r.NormFloat64())
			}
		}
		for name, c := range map[string]struct {
			y    *mat.Dense
			want bool
		}{"shared": {shared, false}, "a chain": {chain, true}, "many weak pairs": {all, true}} {
			test := &StructureTest{Structure: true, HeldOut: m}
			if err := test.LookAtPairs(t.Context(), c.y, StructureOptions{Seed: 1, Independent: true}); err != nil || test.Structure != c.want || test.SharedOnly == c.want {
				t.Errorf("%s, %g: got %+v and %v", name, size, test, err)
			}
		}
	}
}

// Codes of noise that shares a mode fit it better than shuffled noise, by that mode alone: no graph.
// Pairs beside that mode are one, and so is what a graph explains exactly, which
// held-out signals did not have to show.
func TestCodesThatOnlyRepeatWhatAllShareAreNoStructure(t *testing.T) {
	const n, m = 20, 300
	y := mat.NewDense(n, m, nil)
	draw := rng.Stream(*seed, "codes of what all share")
	for k := range m {
		all := 2 * draw.NormFloat64()
		for i := range n {
			y.Set(i, k, all+draw.NormFloat64())
		}
	}
	f := goodness(t, y, learn.Model{})
	if !f.Structure || !f.FitsBetter() {
		t.Fatalf("codes of a common mode fit no better than of shuffled signals: %+v", *f)
	}
	o := StructureOptions{Seed: 1, Independent: true}
	if err := f.LookAtPairs(t.Context(), y, o); err != nil || f.Structure || !f.SharedOnly {
		t.Errorf("a common mode: got %+v, %v", *f, err)
	}
	exact := &StructureTest{Coded: true, Structure: true}
	if err := exact.LookAtPairs(t.Context(), y, o); err != nil || !exact.Structure {
		t.Errorf("certified: got %+v, %v", *exact, err)
	}
	for k := range m {
		for i := 1; i < n; i += 2 {
			y.Set(i, k, y.At(i, k)+y.At(i-1, k)) // pairs beside the mode
		}
	}
	pairs := &StructureTest{Coded: true, Structure: true, HeldOut: m}
	if err := pairs.LookAtPairs(t.Context(), y, o); err != nil || !pairs.Structure {
		t.Errorf("pairs and a common mode: got %+v, %v", *pairs, err)
	}
}

// With too few signals to hold any out, pairs are all that can be looked at.
func TestFewSignalsAreTestedByPairs(t *testing.T) {
	r := rng.Stream(2, "few signals")
	y := mat.NewDense(6, 24, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, y)
	none, err := TestPairs(t.Context(), y, StructureOptions{Seed: 1})
	if err != nil || none == nil || none.Structure {
		t.Errorf("noise: got %+v and %v", none, err)
	}
	for k := range 24 {
		y.Set(3, k, y.At(2, k)+0.1*r.NormFloat64())
	}
	pair, err := TestPairs(t.Context(), y, StructureOptions{Seed: 1})
	if err != nil || pair == nil || !pair.Structure || pair.Pair < 0.9 {
		t.Errorf("a pair: got %+v and %v", pair, err)
	}
	if few, err := TestPairs(t.Context(), mat.NewDense(6, 9, nil), StructureOptions{}); few != nil || err != nil {
		t.Errorf("nine: got %+v and %v", few, err)
	}
}
