package report_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/report"
)

// Draw a graph.
func ExamplePicture() {
	g, err := graph.New([]string{"stem", "left", "right"}, []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 0, J: 2, Weight: 2}})
	if err != nil {
		log.Fatal(err)
	}
	var svg bytes.Buffer
	if err := report.Picture(&svg, report.SVG, "a leaf", g, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.HasPrefix(svg.Bytes(), []byte("<svg")))
	// Output: true
}
