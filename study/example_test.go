package study_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/study"
)

// Learn a graph from each of several files.
func ExampleBatch() {
	dir, err := os.MkdirTemp("", "study")
	if err != nil {
		log.Fatal(err)
	}
	batch := study.Batch{
		Files: []string{"../examples/leaf/signals.csv", "../examples/molene/signals.csv"},
		Learn: document.Run{Version: document.RunVersion, Method: document.RunMethod{Name: "tree"}},
		Dir:   dir,
	}
	index, err := batch.Run(context.Background())
	if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
		log.Fatal(err)
	}
	for _, row := range index.Rows {
		fmt.Println(row.Name, row.Vertices, "vertices", row.Edges, "edges")
	}
	// Output:
	// leaf_signals 24 vertices 23 edges
	// molene_signals 37 vertices 36 edges
}
