package cli

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// A place is where a vertex lies in the plane. Y points up.
type place struct {
	Name string
	X, Y float64
}

var placeHeader = []string{"name", "x", "y"}

// encodePlaces writes places as CSV.
func encodePlaces(w io.Writer, places []place) error {
	rows := [][]string{placeHeader}
	for _, p := range places {
		rows = append(rows, []string{p.Name, strconv.FormatFloat(p.X, 'g', -1, 64), strconv.FormatFloat(p.Y, 'g', -1, 64)})
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// decodePlaces reads what encodePlaces writes.
func decodePlaces(r io.Reader) ([]place, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	var places []place
	for i, row := range rows {
		if i == 0 {
			continue // the header
		}
		if len(row) != len(placeHeader) {
			return nil, fmt.Errorf("line %d has %d cells, not %d", i+1, len(row), len(placeHeader))
		}
		x, errX := strconv.ParseFloat(row[1], 64)
		y, errY := strconv.ParseFloat(row[2], 64)
		if errX != nil || errY != nil {
			return nil, fmt.Errorf("line %d is no place: %q", i+1, row)
		}
		places = append(places, place{row[0], x, y})
	}
	return places, nil
}
