package nervure_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
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
			return plot.Write(w, plot.SVG, plot.Page{}, plot.Graph("the veins of a leaf", analysis.Graph, nil))
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
