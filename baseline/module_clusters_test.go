package baseline

import (
	"math"
	"slices"
	"testing"

	"github.com/nervure/nervure/internal/linalg"
)

// Costs of the mergers are what newly computed losses grow by, in any order of rows.
func TestMergersCostWhatTheLossGrowsBy(t *testing.T) {
	for trial := range 2 {
		draw := stream("mergers", trial)
		x := randomSignals(draw, 3+draw.IntN(12), 4).RawMatrix()
		list := mergers(t.Context(), x)
		if len(list) != x.Rows-1 {
			t.Fatalf("%d mergers of %d rows", len(list), x.Rows)
		}
		loss := 0.0
		for k := x.Rows; k >= 1; k-- {
			c := merged(x, list, k)
			if c.means.Rows != k || math.Abs(c.loss-loss) > 1e-9*(1+loss) {
				t.Errorf("%d clusters of loss %g, want %d of %g", c.means.Rows, c.loss, k, loss)
			}
			if k > 1 {
				loss += list[x.Rows-k].cost
			}
		}
		least := math.Inf(1) // the first merger is that of the two nearest rows
		eachPair(x.Rows, func(_, i, j int) {
			least = min(least, squaredDistance(linalg.Row(x, i), linalg.Row(x, j))/2)
		})
		if math.Abs(list[0].cost-least) > 1e-12 {
			t.Errorf("the first merger costs %g, want %g", list[0].cost, least)
		}
	}
}

// planted returns rows in groups of the given size around that many far centres.
func planted(trial, groups, size, values int) (x linalg.Dense, of []int) {
	draw := stream("planted groups", trial)
	centres := randomSignals(draw, groups, values)
	y := randomSignals(draw, groups*size, values)
	y.Apply(func(i, j int, v float64) float64 { return 0.3*v + 3*centres.At(i/size, j) }, y)
	for i := range groups * size {
		of = append(of, i/size)
	}
	return y.RawMatrix(), of
}

func TestClustersAreThosePlanted(t *testing.T) {
	for trial := range 2 {
		x, want := planted(trial, 4, 10, 40)
		list := mergers(t.Context(), x)
		if k := clusterCount(x, list, 20, 1e-9); k != 4 {
			t.Errorf("got %d clusters, want 4", k)
		}
		if c := merged(x, list, 4).settle(t.Context(), x); !slices.Equal(c.of, want) {
			t.Errorf("got clusters %v", c.of)
		}
	}
}

// Settling ends where every row is in the cluster of the nearest mean, and never raises the loss.
func TestSettledClustersAreNearest(t *testing.T) {
	for trial := range 2 {
		draw := stream("settle", trial)
		x := randomSignals(draw, 30, 3).RawMatrix()
		before := scattered(x, 5, draw.Uint64(), 0)
		c := before.settle(t.Context(), x)
		if c.loss > before.loss {
			t.Errorf("the loss rose from %g to %g", before.loss, c.loss)
		}
		for i, a := range c.of {
			if a != nearestRow(c.means, linalg.Row(x, i)) {
				t.Errorf("row %d is nearer to another mean", i)
			}
		}
	}
}
