package signals_test

import (
	"fmt"
	"log"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/signals"
)

// Average what was measured every quarter of an hour over whole hours.
func ExampleSet_Resample() {
	begun := time.Date(2024, 1, 31, 12, 0, 0, 0, time.UTC)
	s := &signals.Set{Y: mat.NewDense(1, 8, []float64{1, 2, 3, 4, 5, 6, 7, 8}), Names: []string{"gauge"}}
	for k := range 8 {
		s.Times = append(s.Times, begun.Add(time.Duration(k)*15*time.Minute))
	}
	hours, err := s.Resample(time.Hour)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hours.Y.RawRowView(0))
	// Output: [2.5 6.5]
}
