package dataio

import (
	"bytes"
	"testing"
)

// A table that is written is read back the same.
func TestVertexTablesAreReadBack(t *testing.T) {
	for name, table := range map[string]*VertexTable{
		"places":      PlacesTable([]string{"a", "b, \"c\""}, [][2]float64{{0.1, -2}, {1e-300, 3}}),
		"other words": vertexTable(t, "Station,kind,lat\nA,x,1.50\nB,,-2\n"),
	} {
		var b bytes.Buffer
		if err := table.Encode(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		back, err := DecodeVertices(&b, "v.csv", "")
		if err != nil || !sameTable(table, back) {
			t.Errorf("%s: got %+v (%v) from\n%s", name, back, err, text)
		}
		if x, _, _, ok := back.Places(); name == "places" && (!ok || x[0] != 0.1) {
			t.Errorf("the places are %v, %t", x, ok)
		}
	}
}
