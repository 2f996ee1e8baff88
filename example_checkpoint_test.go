package nervure_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
)

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
	saved, err := dataio.OpenCheckpoint(folder, id, dataio.CheckpointOptions{Resume: true})
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
