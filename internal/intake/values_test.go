package intake

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/prepare"
)

// Truth to error decides: with 33 vertices, chance is 1/√528 = 0.0435, and innovations must tell
// 1.1 + 2·0.0435 = 1.187 times as much; less where values count as few.
func TestInnovationsAreLearnedFromIfTheyTellMore(t *testing.T) {
	const n, m = 33, 400
	for name, c := range map[string]struct {
		innovations, values, independent float64
		want                             bool
	}{
		"just more":                        {0.544, 0.5, 400, true}, // 0.544/0.456 = 1.193
		"not quite":                        {0.541, 0.5, 400, false},
		"more where both agree well":       {0.920, 0.906, 400, true}, // 11.5 against 1.187·9.64 = 11.4
		"as much":                          {0.89, 0.89, 160, false},
		"an eighth counts, half of enough": {0.373, 0.5, 50, true}, // 0.595 against 1.187/2
		"an eighth counts, not quite":      {0.371, 0.5, 50, false},
		"values say nothing":               {-0.1, 0.043, 400, true},
		"values say hardly anything":       {0.045, 0.044, 400, false},
		"innovations say the opposite":     {-0.2, 0.1, 400, false},
	} {
		choice := &prepare.ValuesChoice{AgreementOfInnovations: c.innovations, AgreementOfValues: c.values, Independent: c.independent}
		if got := innovationsTellMore(choice, n, m); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

// Where vertices are many, those that are compared are of groups that are alike; else they are all.
func TestComparedVerticesAreGroups(t *testing.T) {
	if got := comparedVertices(mat.NewDense(30, 10, nil)); len(got) != 30 {
		t.Errorf("%d of 30 are compared", len(got))
	}
	const n, m, of = 1200, 400, 15 // every 80th vertex is alike
	draw := rng.Stream(1, "groups")
	y := mat.NewDense(n, m, nil)
	for i := range n {
		for k := range m {
			v := draw.NormFloat64() / 3
			if i >= n/of {
				v += y.At(i%(n/of), k)
			} else {
				v *= 3
			}
			y.Set(i, k, v)
		}
	}
	count := map[int]int{}
	got := comparedVertices(y)
	for _, i := range got {
		count[i%(n/of)]++
	}
	if len(got) > valuesVertices || !slices.IsSorted(got) {
		t.Errorf("%d are compared, in order %t", len(got), slices.IsSorted(got))
	}
	for k := range valuesVertices / groupVertices {
		seed := k * n * groupVertices / valuesVertices
		if !slices.Contains(got, seed) || count[seed%(n/of)] != of {
			t.Errorf("seed %d: %d of its %d are compared", seed, count[seed%(n/of)], of)
		}
	}
}
