package dataio

import (
	"cmp"
	"encoding/csv"
	"io"
)

// PlacesTable returns the table of where vertices lie in the plane, with columns x
// and y, y pointing up.
func PlacesTable(names []string, places [][2]float64) *VertexTable {
	t := &VertexTable{Names: names, Columns: []VertexColumn{{Name: "x"}, {Name: "y"}}}
	for _, place := range places {
		for c := range t.Columns {
			column := &t.Columns[c]
			column.Text, column.Numbers = append(column.Text, formatNumber(place[c])), append(column.Numbers, place[c])
		}
	}
	return t
}

// Encode writes the table as CSV, which [DecodeVertices] reads: the names first,
// then its columns, as they are written.
func (t *VertexTable) Encode(w io.Writer) error {
	rows := [][]string{{cmp.Or(t.nameColumn, nameWords[0])}}
	for _, name := range t.Names {
		rows = append(rows, []string{name})
	}
	for _, c := range t.Columns {
		rows[0] = append(rows[0], c.Name)
		for i, cell := range c.Text {
			rows[i+1] = append(rows[i+1], cell)
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}
