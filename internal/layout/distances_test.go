package layout

import (
	"testing"
)

// Against Floyd and Warshall's way.
func TestDistancesAreShortest(t *testing.T) {
	for name, g := range examples(t) {
		for _, p := range newSpringGraph(g).parts() {
			n := len(p.vertices)
			if n > 100 {
				continue
			}
			want := make([][]int32, n)
			for i := range want {
				want[i] = make([]int32, n)
				for j := range want[i] {
					want[i][j] = 1 << 20
				}
				want[i][i] = 0
				near, length := p.springs.around(i)
				for e, j := range near {
					want[i][j] = length[e]
				}
			}
			for k := range n {
				for i := range n {
					for j := range n {
						want[i][j] = min(want[i][j], want[i][k]+want[k][j])
					}
				}
			}
			got := make([]int32, n)
			for i := range n {
				p.springs.distances(i, got)
				for j := range n {
					if got[j] != want[i][j] {
						t.Fatalf("%s: from %d to %d: %d, want %d", name, i, j, got[j], want[i][j])
					}
				}
			}
		}
	}
}

func TestExtremeWeightsHaveLengths(t *testing.T) {
	for _, c := range []struct {
		weight, median float64
		want           int32
	}{{1, 1, whole}, {1e308, 1e-308, shortest}, {5e-324, 1e308, longest}, {3, 1, whole - 1}, {1, 9, whole + 2}} {
		if got := lengthOf(c.weight, c.median); got != c.want {
			t.Errorf("weight %g beside %g: length %d, want %d", c.weight, c.median, got, c.want)
		}
	}
}
