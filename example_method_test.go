package nervure_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
)

// Pairs is a method of one's own: it connects vertices whose correlation is at least Least.
type Pairs struct {
	Least float64 `param:"least" about:"smallest correlation of an edge; 0 means 0.8"`
}

// Name returns the name of the method.
func (Pairs) Name() string { return "pairs" }

// Learn learns the graph. [method.Run] takes care of names, missing values, vertices that do
// not vary, and cuts.
func (m Pairs) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return method.Run(ctx, m, p, func(_ context.Context, p method.Problem) (*method.Result, error) {
		var edges []graph.Edge
		for i := range p.Names {
			for j := i + 1; j < len(p.Names); j++ {
				c := math.Abs(stat.Correlation(p.Y.RawRowView(i), p.Y.RawRowView(j), nil))
				if c >= max(m.Least, 0.8) {
					edges = append(edges, graph.Edge{I: i, J: j, Weight: c})
				}
			}
		}
		g, err := graph.New(p.Names, edges)
		return &method.Result{Weights: g}, err
	})
}

// A method of one's own gets what every method gets: preprocessing, the structure test, a
// confidence for each edge, a verdict.
func Example_method() {
	signals, err := dataio.ReadSignals("examples/molene/signals.csv", dataio.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	analysis, err := nervure.Learn(context.Background(), signals, nervure.Options{Method: Pairs{Least: 0.95}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(analysis.Verdict)
	fmt.Println(len(analysis.Graph.Confidence()) == analysis.Graph.EdgeCount())
	// Output:
	// supported: edges learned from half of the signals predict 67% of hidden values in the other half
	// true
}
