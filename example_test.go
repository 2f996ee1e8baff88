package nervure_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/report"
)

func Example() {
	signals, err := dataio.ReadSignals("examples/leaf/signals.csv", dataio.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	analysis, err := nervure.Learn(context.Background(), signals, nervure.Options{})
	if err != nil {
		log.Fatal(err)
	}
	edge, names := analysis.Graph.Edges()[0], analysis.Graph.Names()
	fmt.Println(analysis.Verdict)
	fmt.Println("the first of them connects", names[edge.I], "and", names[edge.J])
	// Output:
	// exact: 35 edges explain all 200 signals to rounding error
	// the first of them connects stem and M1
}

// Save a long run to a folder. If the process dies, the same program goes on where it
// was and comes to the same graph.
func Example_checkpoint() {
	signals, err := dataio.ReadSignals("examples/leaf/signals.csv", dataio.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	options := nervure.Options{Confidence: nervure.Yes}
	id, err := nervure.RunIdentity(signals, options)
	if err != nil {
		log.Fatal(err)
	}
	folder := filepath.Join(os.TempDir(), "nervure-example")
	saved, err := dataio.OpenCheckpoint(folder, id, true)
	if err != nil {
		log.Fatal(err)
	}
	analysis, err := nervure.Learn(saved.Context(context.Background()), signals, options)
	if err != nil {
		log.Fatal(err)
	}
	if err := saved.Remove(); err != nil { // the run is over
		log.Fatal(err)
	}
	fmt.Println(analysis.Verdict.Grade, analysis.Graph.EdgeCount())
	// Output: exact 35
}

// Compare several methods on the same signals and take the graph of the one that
// is recommended.
func Example_compare() {
	signals, err := dataio.ReadSignals("examples/leaf/signals.csv", dataio.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	comparison, err := nervure.Compare(context.Background(), signals, nervure.CompareOptions{
		Methods: []method.Method{learn.Sparse{}, baseline.Tree{}, baseline.Correlation{Degree: 4}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range comparison.Methods {
		fmt.Printf("%-12s rank %d, %d edges\n", m.Name, m.Place.Rank, m.Result.Graph.EdgeCount())
	}
	best := comparison.Recommended()
	if best == nil {
		log.Fatal("no graph predicts better than none")
	}
	fmt.Println("take the", best.Result.Graph.EdgeCount(), "edges of", best.Name)
	// Output:
	// sparse       rank 1, 35 edges
	// tree         rank 2, 23 edges
	// correlation  rank 3, 48 edges
	// take the 35 edges of sparse
}

// Learn a graph, show progress, and write the graph, a drawing of it and the
// report.
func Example_report() {
	signals, err := dataio.ReadSignals("examples/leaf/signals.csv", dataio.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	var analysis *nervure.Analysis
	for step, err := range nervure.Steps(context.Background(), signals, nervure.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		if step.Stage == nervure.Learning && step.Method.Phase == "" {
			fmt.Println("learning …")
		}
		analysis = step.Analysis // of the last step
	}

	files, err := writeAll(analysis)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(analysis.Verdict.Grade)
	for _, f := range files {
		fmt.Println("wrote", f.Name())
	}
	// Output:
	// learning …
	// exact
	// wrote leaf.graphml
	// wrote leaf.html
	// wrote leaf.svg
}

// writeAll writes an analysis to a directory and lists its files.
func writeAll(analysis *nervure.Analysis) ([]os.DirEntry, error) {
	dir, err := os.MkdirTemp("", "leaf")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	err = errors.Join(
		dataio.WriteGraph(filepath.Join(dir, "leaf.graphml"), analysis.Graph),
		dataio.WriteFile(filepath.Join(dir, "leaf.svg"), func(w io.Writer) error {
			return report.Picture(w, report.SVG, "the veins of a leaf", analysis.Graph, nil)
		}),
		dataio.WriteFile(filepath.Join(dir, "leaf.html"), func(w io.Writer) error {
			return report.Write(w, analysis, report.Options{Title: "The veins of a leaf"})
		}),
	)
	if err != nil {
		return nil, err
	}
	return os.ReadDir(dir)
}

// Pairs is a method of one's own: it connects vertices whose correlation is at least Least.
type Pairs struct {
	Least float64 `param:"least" about:"smallest correlation of an edge; 0 means 0.5"`
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
				if c >= cmp.Or(m.Least, 0.5) {
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
	analysis, err := nervure.Learn(context.Background(), signals, nervure.Options{Method: Pairs{Least: 0.4}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(analysis.Verdict)
	fmt.Println(len(analysis.Graph.Confidence()) == analysis.Graph.EdgeCount())
	// Output:
	// supported: edges learned from half of the signals predict 28% of hidden values in the other half
	// true
}
