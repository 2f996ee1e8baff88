package simulate

import (
	"cmp"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
)

// The covariance of the signals times the precision matrix is the identity, up to chance, for graphs
// with edges of either sign.
func TestLargeFieldsHaveTheirPrecision(t *testing.T) {
	const m, ridge = 4000, 0.1
	for _, c := range []struct {
		name     string
		negative float64
		order    int
	}{{"positive", 0, 1}, {"either sign", 0.3, 1}, {"positive, order two", 0, 2}, {"either sign, order two", 0.3, 2}} {
		t.Run(c.name, func(t *testing.T) {
			g, err := FieldGraph(Sensors, 30, c.negative, 3)
			if err != nil {
				t.Fatal(err)
			}
			y, err := LargeField(t.Context(), g, c.order, m, ridge, 4)
			if err != nil {
				t.Fatal(err)
			}
			n := g.Vertices()
			precision := mat.NewDense(n, n, nil)
			for i := range n {
				precision.Set(i, i, ridge)
			}
			for _, e := range g.Edges() {
				precision.Set(e.I, e.J, -e.Weight)
				precision.Set(e.J, e.I, -e.Weight)
				for _, v := range []int{e.I, e.J} {
					precision.Set(v, v, precision.At(v, v)+math.Abs(e.Weight))
				}
			}
			var covariance, product mat.Dense
			covariance.Mul(y, y.T())
			covariance.Scale(1./m, &covariance)
			product.Mul(&covariance, precision)
			if c.order == 2 {
				product.Mul(mat.DenseCopyOf(&product), precision)
			}
			// S·Θ is the identity up to entries of standard deviation √(Σ_ii·Θ_jj/M) at most √2.
			for i := range n {
				for j := range n {
					want := 0.0
					if i == j {
						want = 1
					}
					theta := precision.At(j, j)
					if c.order == 2 {
						theta = mat.Dot(precision.ColView(j), precision.ColView(j))
					}
					within := 6 * math.Sqrt(2*covariance.At(i, i)*theta/m)
					if got := product.At(i, j); math.Abs(got-want) > within {
						t.Fatalf("entry %d, %d of covariance times precision is %g, want %g within %g", i, j, got, want, within)
					}
				}
			}
		})
	}
}

// The first signals of a large field are those of a smaller number of them.
func TestSignalsOfALargeFieldDoNotDependOnTheirNumber(t *testing.T) {
	g, err := FieldGraph(Tree, 40, 0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	few, err := LargeField(t.Context(), g, 1, 5, 0.1, 1)
	if err != nil {
		t.Fatal(err)
	}
	many, err := LargeField(t.Context(), g, 1, drawnAtOnce+5, 0.1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(few, many.Slice(0, 40, 0, 5), 1e-9) {
		t.Error("the first five signals are others if there are more")
	}
}

func TestSensorsAreJoinedToTheFourNearest(t *testing.T) {
	const n, seed = 300, 5
	pairs, r := sensorPairs(n, rng.Stream(seed, "test")), rng.Stream(seed, "test")
	points := make([][2]float64, n)
	for i := range points {
		points[i] = [2]float64{r.Float64(), r.Float64()}
	}
	if len(pairs) != 4*n {
		t.Fatalf("%d pairs, want %d", len(pairs), 4*n)
	}
	for i, p := range points {
		distance := func(j int) float64 { return math.Hypot(points[j][0]-p[0], points[j][1]-p[1]) }
		for k, j := range matrix.Sorted(n, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })[1:5] {
			if got := pairs[4*i+k]; got != [2]int{i, j} {
				t.Fatalf("pair %d of vertex %d is %v, want one with %d", k, i, got, j)
			}
		}
	}
}

func TestGraphsOfFieldsHaveTheEdgesOfTheirKind(t *testing.T) {
	const n = 400
	for kind, edges := range map[string][2]int{ // least and most
		Grid: {760, 760}, Tree: {399, 399}, Sensors: {800, 1600}, SmallWorld: {700, 800}, RandomPairs: {1150, 1200},
	} {
		g, err := FieldGraph(kind, n, 0.3, 1)
		if err != nil {
			t.Fatal(err)
		}
		if k := g.EdgeCount(); g.Vertices() != n || k < edges[0] || k > edges[1] {
			t.Errorf("%s: %d vertices and %d edges, want %d and %v", kind, g.Vertices(), k, n, edges)
		}
		// Six standard deviations of a binomial share.
		if share := float64(g.Negative()) / float64(g.EdgeCount()); math.Abs(share-0.3) > 6*math.Sqrt(0.21/float64(g.EdgeCount())) {
			t.Errorf("%s: %g of the edges are negative, want 0.3", kind, share)
		}
		for _, e := range g.Edges() {
			if w := math.Abs(e.Weight); w < 0.5 || w >= 1.5 {
				t.Errorf("%s: weight %g", kind, e.Weight)
			}
		}
	}
}
