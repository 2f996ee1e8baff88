package examples_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/examples"
)

// Read the signals of an example.
func ExampleOpen() {
	file, err := examples.Open("molene", examples.Signals)
	if err != nil {
		log.Fatal(err)
	}
	signals, err := dataio.DecodeSignals(file, examples.Signals, dataio.ReadOptions{})
	if err := errors.Join(err, file.Close()); err != nil {
		log.Fatal(err)
	}
	vertices, observations := signals.Y.Dims()
	fmt.Println(examples.About("molene"))
	fmt.Println(vertices, "stations,", observations, "hours")
	// Output:
	// Molène: hourly temperatures at weather stations in Brittany
	// 37 stations, 744 hours
}
