package dataio

import (
	"math"
	"slices"
)

// vertexAttributes are what a graph file says about its vertices, by the number
// of the vertex and the name of a column.
type vertexAttributes struct {
	names []string // of the columns, in order of appearance
	text  map[string]map[int]string
}

// set notes something about a vertex, unless it is nothing.
func (a *vertexAttributes) set(vertex int, name, text string) {
	if text == "" {
		return
	}
	if a.text == nil {
		a.text = map[string]map[int]string{}
	}
	if a.text[name] == nil {
		a.names = append(a.names, name)
		a.text[name] = map[int]string{}
	}
	a.text[name][vertex] = text
}

// setDefault notes the same about each of n vertices, in place of nothing, if it
// has a name.
func (a *vertexAttributes) setDefault(n int, name, text string) {
	if name == "" {
		return
	}
	for i := range n {
		if _, known := a.text[name][i]; !known {
			a.set(i, name, text)
		}
	}
}

// table returns the attributes of vertices with these names, nil if there are none.
func (a *vertexAttributes) table(names []string) *VertexTable {
	if len(a.names) == 0 {
		return nil
	}
	t := &VertexTable{Names: slices.Clone(names)}
	for _, name := range a.names {
		text := make([]string, len(names))
		for i := range names {
			text[i] = a.text[name][i]
		}
		t.Columns = append(t.Columns, newVertexColumn(name, text, false))
	}
	return t
}

// valuesOf returns the columns of the table that have a value for vertex i, each
// value as it is to be written.
func (t *VertexTable) valuesOf(i int) (columns []int, values []string) {
	if t == nil {
		return nil, nil
	}
	for k, c := range t.Columns {
		switch {
		case c.Numbers == nil && c.Text[i] != "":
			columns, values = append(columns, k), append(values, c.Text[i])
		case c.Numbers != nil && !math.IsNaN(c.Numbers[i]):
			columns, values = append(columns, k), append(values, formatNumber(c.Numbers[i]))
		}
	}
	return columns, values
}

// xmlType is what XML formats call the type of a column.
func (c *VertexColumn) xmlType() string {
	if c.Numbers != nil {
		return "double"
	}
	return "string"
}

// eachXMLColumn visits the columns with their names as XML writes them.
func (t *VertexTable) eachXMLColumn(visit func(k int, name, kind string)) error {
	if t == nil {
		return nil
	}
	for k, c := range t.Columns {
		name, err := xmlText(c.Name)
		if err != nil {
			return err
		}
		visit(k, name, c.xmlType())
	}
	return nil
}

// drawnPlaces returns the places of vertices on a drawing a thousand units wide or
// high, centred at zero, which suits the size at which Gephi draws vertices; nil
// if they are not known.
func (t *VertexTable) drawnPlaces() (x, y []float64) {
	if t == nil {
		return nil, nil
	}
	x, y, _, ok := t.Places()
	if !ok {
		return nil, nil
	}
	left, right := bounds(x)
	low, high := bounds(y)
	scale := 1.0
	if size := max(right-left, high-low); size > 0 && size <= math.MaxFloat64 {
		scale = 1000 / size
	}
	for i := range x {
		x[i] = scale * (x[i] - (left/2 + right/2))
		y[i] = scale * (y[i] - (low/2 + high/2))
	}
	return x, y
}

// bounds returns the least and the largest of the numbers that are known.
func bounds(values []float64) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			least, most = min(least, v), max(most, v)
		}
	}
	return least, most
}

// addDrawnPlaces adds where vertices are drawn to what is known, unless that says
// where they are.
func (parsed *parsedGraph) addDrawnPlaces(drawn *vertexAttributes) {
	if known := parsed.attributes.table(parsed.names); known != nil {
		if _, _, _, ok := known.Places(); ok || known.find("x") >= 0 || known.find("y") >= 0 {
			return
		}
	}
	for _, name := range drawn.names {
		for i := range parsed.names {
			if text, ok := drawn.text[name][i]; ok {
				parsed.attributes.set(i, name, text)
			}
		}
	}
}
