package dataio

import (
	"reflect"
	"strings"
	"testing"
)

// Columns that are asked for are labels, not vertices, wherever they stand and whatever is in them; they follow
// the observations where those are sorted or left out.
func TestLabelsAreNotVertices(t *testing.T) {
	const text = "group,a,time,b,age\nx,1,2024-01-03,2,30\n y ,3,2024-01-01,4,31\nx,,2024-01-02,,32\n"
	s, err := DecodeSignals(strings.NewReader(text), "people.csv", ReadOptions{Labels: []string{"group", "age"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string][]string{"group": {"y", "x"}, "age": {"31", "30"}}; !reflect.DeepEqual(s.Labels, want) {
		t.Errorf("got %v, want %v", s.Labels, want)
	}
	if want := []string{"a", "b"}; !reflect.DeepEqual(s.Names, want) || s.Y.At(0, 0) != 3 {
		t.Errorf("got %v, first value %g", s.Names, s.Y.At(0, 0))
	}
	if _, err := DecodeSignals(strings.NewReader(text), "people.csv", ReadOptions{Labels: []string{"sex"}}); err == nil || !strings.Contains(err.Error(), `there is no column "sex"`) {
		t.Errorf("got %v", err)
	}
	if _, err := DecodeSignals(strings.NewReader(text), "people.csv", ReadOptions{Labels: []string{"group"}, Transpose: true}); err == nil {
		t.Error("labels of a transposed table were read")
	}
}

// Numbers with a unit in the first column name the rows if they say at what hour, and are values if they go up and down.
func TestRowsAreNamedByAmountsInOrderAlone(t *testing.T) {
	if _, err := decode("at,a,b\n0 h,1,2\n24 h,2,1\n48 h,3,3\n", CSV, ReadOptions{}); err != nil {
		t.Errorf("hours in order: %v", err)
	}
	if _, err := decode("at,a,b\n24 h,1,2\n0 h,2,1\n48 h,3,3\n", CSV, ReadOptions{}); err == nil {
		t.Error("hours out of order are labels")
	}
	if _, err := decode("at,a,b\n24 h,1,2\n0 h,2,1\n48 h,3,3\n", CSV, ReadOptions{Labels: []string{"at"}}); err != nil {
		t.Errorf("hours that are called labels: %v", err)
	}
}
