package nervure_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/figure"
	"github.com/nervure/nervure/plot"
	"github.com/nervure/nervure/report"
)

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

	dir, err := os.MkdirTemp("", "leaf")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := dataio.WriteGraph(filepath.Join(dir, "leaf.graphml"), analysis.Graph); err != nil {
		log.Fatal(err)
	}
	err = dataio.WriteFile(filepath.Join(dir, "leaf.svg"), func(w io.Writer) error {
		return figure.Write(w, figure.SVG, figure.Page{}, plot.Graph("the veins of a leaf", analysis.Graph, nil))
	})
	if err != nil {
		log.Fatal(err)
	}
	err = dataio.WriteFile(filepath.Join(dir, "leaf.html"), func(w io.Writer) error {
		return report.Write(w, analysis, report.Options{Title: "The veins of a leaf"})
	})
	if err != nil {
		log.Fatal(err)
	}
	files, err := os.ReadDir(dir)
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
