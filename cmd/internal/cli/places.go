package cli

import (
	"encoding/csv"
	"io"
	"strconv"
)

// A place is where a vertex lies in the plane. Y points up.
type place struct {
	Name string
	X, Y float64
}

// encodePlaces writes places as CSV.
func encodePlaces(w io.Writer, places []place) error {
	rows := [][]string{{"name", "x", "y"}}
	for _, p := range places {
		rows = append(rows, []string{p.Name, strconv.FormatFloat(p.X, 'g', -1, 64), strconv.FormatFloat(p.Y, 'g', -1, 64)})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
