package report_test

import (
	"log"
	"os"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/report"
)

// Draw a graph.
func ExamplePicture() {
	g, err := graph.New([]string{"stem", "left", "right"}, []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 0, J: 2, Weight: 2}})
	if err != nil {
		log.Fatal(err)
	}
	file, err := os.CreateTemp("", "leaf-*.svg")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if err := report.Picture(file, report.SVG, "a leaf", g, nil); err != nil {
		log.Fatal(err)
	}
	// Output:
}
