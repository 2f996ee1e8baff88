package figure

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"
	"testing"
)

// corners is a field on a square.
func corners() Field {
	return Field{Title: "a < b", Network: square(), Values: []float64{-0.2, 0, 0.1, 0.8}, Marked: []int{3}}
}

func drawnFields(t *testing.T, fields ...Field) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteFields(&b, "values & more", fields...); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
		t.Errorf("not a number: %s", s)
	}
	return b.Bytes()
}

func TestFieldsWithoutValuesHaveNoBar(t *testing.T) {
	flat := corners()
	flat.Values = make([]float64, 4)
	// Vertices and a ring, edges, and marks at the bar with their numbers and the title.
	for bar, f := range map[bool]Field{true: corners(), false: flat} {
		marks := map[bool]int{true: 5}[bar]
		if count, _ := elements(t, drawnFields(t, f)); count["circle"] != 5 || count["line"] != 3+marks || (count["rect"] > 0) != bar || count["text"] != 1+marks {
			t.Errorf("elements %v", count)
		}
	}
}

func TestVerticesAndRingsStayInsideTheirField(t *testing.T) {
	wide, tall := corners(), corners()
	wide.Network.Vertices = []Vertex{{X: -5, Y: 1}, {X: 9, Y: 1}, {X: 3, Y: 2}, {X: 4, Y: 1.5}}
	tall.Network.Vertices = []Vertex{{X: 1, Y: -5}, {X: 1, Y: 9}, {X: 2, Y: 3}, {X: 1.5, Y: 4}}
	for name, f := range map[string]Field{"a square": corners(), "a wide one": wide, "a tall one": tall} {
		f.Marked = []int{0, 1, 2, 3}
		_, height := Fields{Fields: []Field{f}}.size(0)
		for d := xml.NewDecoder(bytes.NewReader(drawnFields(t, f))); ; {
			token, err := d.Token()
			if err != nil {
				break // its end: drawnFields is held to be XML above
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "circle" {
				x, y, r := attribute(t, e, "cx"), attribute(t, e, "cy"), attribute(t, e, "r")
				if x-r < 0 || x+r > fieldWidth || y-r < 20 || y+r > height-barRoom {
					t.Errorf("%s: a circle of radius %g at (%g, %g)", name, r, x, y)
				}
			}
		}
	}
}

func attribute(t *testing.T, e xml.StartElement, name string) float64 {
	t.Helper()
	for _, a := range e.Attr {
		if a.Name.Local == name {
			v, err := strconv.ParseFloat(a.Value, 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	t.Fatalf("%s has no %s", e.Name.Local, name)
	return 0
}

// The number below a place of the bar is the value whose colour is there.
func TestBarTellsTheValuesOfItsColors(t *testing.T) {
	quarter := tint(0.2, 0.8) // halfway along the bar, by its number
	for k := range quarter {
		if middle := (neutral[k] + positive[k]) / 2; quarter[k] < middle-0.5 || quarter[k] > middle+0.5 {
			t.Errorf("+0.2 of 0.8 is %s, want halfway between %s and %s", quarter, neutral, positive)
		}
	}
	for _, label := range []string{">−0.8<", ">−0.2<", ">0<", ">+0.2<", ">+0.8<"} {
		if !bytes.Contains(drawnFields(t, corners()), []byte(label)) {
			t.Errorf("no label %s", label)
		}
	}
}
