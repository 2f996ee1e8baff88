package dataio

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
)

func vertexTable(t testing.TB, text string) *VertexTable {
	t.Helper()
	v, err := DecodeVertices(strings.NewReader(text), "v.csv", "")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestVerticesAreNamedByTheColumnThatSaysSo(t *testing.T) {
	for name, c := range map[string]struct{ text, names, columns string }{
		"the first column":             {"town,lat\nA,1\nB,2\n", "A B", "lat"},
		"a column called Name":         {"lat,Name\n1,A\n2,B\n", "A B", "lat"},
		"name before id":               {"id,name\n7,A\n8,B\n", "A B", "id"},
		"id where names are alike":     {"id,name\n7,A\n8,A\n", "7 8", "name"},
		"station":                      {"lat;Station\n1,5;A\n2,5;B\n", "A B", "lat"},
		"row numbers of a frame":       {",name,lat\n0,A,1\n1,B,2\n", "A B", "lat"},
		"names under an empty cell":    {",lat\nA,1\nB,2\n", "A B", "lat"},
		"years for columns":            {"name,2019,2020\nA,1,2\nB,3,4\n", "A B", "2019 2020"},
		"names alone":                  {"name\nA\nB\n", "A B", ""},
		"names that look like numbers": {"id,lat\n007,1\n7,2\n", "007 7", "lat"},
	} {
		v := vertexTable(t, c.text)
		var columns []string
		for _, column := range v.Columns {
			columns = append(columns, column.Name)
		}
		if strings.Join(v.Names, " ") != c.names || strings.Join(columns, " ") != c.columns {
			t.Errorf("%s: names %q, columns %q", name, v.Names, columns)
		}
	}
}

func TestAColumnIsNumbersIfNoCellIsText(t *testing.T) {
	v := vertexTable(t, "name,a,b,c,d,e\nA,1.5,x,,1e999,9007199254740993\nB,NA,2,,1,5\nC,,3,,2,6\n")
	a := v.Columns[0]
	if len(a.Numbers) != 3 || a.Numbers[0] != 1.5 || !math.IsNaN(a.Numbers[1]) || !math.IsNaN(a.Numbers[2]) {
		t.Errorf("numbers with gaps: %v", a.Numbers)
	}
	for _, c := range v.Columns[1:] {
		if c.Numbers != nil {
			t.Errorf("column %s is numbers: %v", c.Name, c.Numbers)
		}
	}
	if !slices.Equal(v.Columns[1].Text, []string{"x", "2", "3"}) {
		t.Errorf("text: %q", v.Columns[1].Text)
	}
}

func TestTablesAreAskedForSomeVertices(t *testing.T) {
	v := vertexTable(t, "id,name,lat,kind\n1,A,10,x\n2,B,20,y\n3,C,30,z\n")
	of, missing, err := v.For([]string{"C", "new", "A"})
	if err != nil || missing != 1 {
		t.Fatal(missing, err)
	}
	kind := of.Columns[2]
	lat := of.Columns[1].Numbers
	if !slices.Equal(of.Names, []string{"C", "new", "A"}) || !slices.Equal(kind.Text, []string{"z", "", "x"}) || lat[0] != 30 || !math.IsNaN(lat[1]) || lat[2] != 10 {
		t.Errorf("got %+v", of)
	}
	// Signals may call vertices by another column.
	if of, missing, err = v.For([]string{"3", "1"}); err != nil || missing != 0 || !slices.Equal(of.Columns[0].Text, []string{"C", "A"}) {
		t.Errorf("by id: %+v, %d, %v", of, missing, err)
	}
	_, _, err = v.For([]string{"v0", "v1"})
	wantFault(t, err, 0, 0, `v.csv: it knows none of the 2 vertices ("v0", …): its vertices are called "A", …`)
	_, _, err = vertexTable(t, "id,name\n1,A\n2,B\n3,A\n").For([]string{"A", "B"})
	wantFault(t, err, 4, 2, `v.csv: the vertex name "A" is given twice, in line 2, column 2 and line 4, column 2: names must differ`)
	if len(v.Columns) != 3 || v.Names[0] != "A" {
		t.Error("the table has changed")
	}
}

func TestPlacesAreDrawnToScale(t *testing.T) {
	x, y, geographic, ok := vertexTable(t, "name,Latitude,LNG\nA,59,10\nB,61,20\nC,,5\n").Places()
	if !ok || !geographic || math.Abs(x[1]-10) > 1e-12 || y[1] != 61 { // cos 60° = ½
		t.Errorf("%v %v %t %t", x, y, geographic, ok)
	}
	if !math.IsNaN(x[2]) || !math.IsNaN(y[2]) {
		t.Errorf("half a place is (%g, %g)", x[2], y[2])
	}
	x, y, geographic, ok = vertexTable(t, "name,x,y\nA,1,2\nB,3,4\n").Places()
	if !ok || geographic || !slices.Equal(x, []float64{1, 3}) || !slices.Equal(y, []float64{2, 4}) {
		t.Errorf("%v %v %t %t", x, y, geographic, ok)
	}
	for name, text := range map[string]string{
		"no columns":         "name,a\nA,1\nB,2\n",
		"half the columns":   "name,lat,y\nA,1,2\nB,2,3\n",
		"text":               "name,x,y\nA,1,2\nB,3,no\n",
		"one place":          "name,x,y\nA,1,2\nB,3,\n",
		"no latitude at all": "name,lat,lon\nA,100,2\nB,3,5\n",
	} {
		if _, _, _, ok := vertexTable(t, text).Places(); ok {
			t.Errorf("%s make places", name)
		}
	}
}

func TestBadTablesOfVerticesAreAnsweredWithWhatAndWhere(t *testing.T) {
	for name, c := range map[string]struct {
		text         string
		line, column int
		want         string
	}{
		"an empty file":      {"", 0, 0, "the file is empty"},
		"a header only":      {"name,lat\n", 1, 0, "line 1: there is a header but no vertex below it"},
		"no header":          {"A,1,2\nB,3,4\n", 1, 0, "line 1: there is no header: name the columns in the first row, such as name,lat,lon"},
		"a name given twice": {"name,x\nA,1\nB,2\nA,3\n", 4, 1, `the vertex name "A" is given twice, in line 2, column 1 and line 4, column 1: names must differ`},
		"a name missing":     {"name,x\nA,1\n,2\n", 3, 1, "line 3, column 1: a vertex has no name here: name it, or leave it out"},
		"a column twice":     {"name,x,x\nA,1,2\n", 1, 3, `line 1, column 3: the column name "x" is given twice, the first time in column 2: names must differ`},
		"a column nameless":  {"name,x,\nA,1,2\n", 1, 3, "line 1, column 3: a column has no name here: name it, or leave it out"},
		"a short row":        {"name,x\nA\n", 2, 0, "line 2: this row has 1 cell where line 1 has 2: give every row the same number of cells"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := DecodeVertices(strings.NewReader(c.text), "v.csv", "")
			wantFault(t, err, c.line, c.column, "v.csv: "+c.want)
		})
	}
}

func FuzzVertices(f *testing.F) {
	f.Add([]byte("id,name,lat,lon,kind\n1,A,10,20,x\n2,B,,30,y\n"))
	f.Add([]byte(",x,y\nA;1,5;\"2\"\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		file = file[:min(len(file), longestInput)]
		v, err := DecodeVertices(bytes.NewReader(file), "fuzz", CSV)
		if err != nil {
			checkSentence(t, err)
			return
		}
		of, missing, err := v.For(v.Names)
		if err != nil || missing != 0 || !slices.Equal(of.Names, v.Names) || len(of.Columns) != len(v.Columns) {
			t.Fatalf("asked for its own vertices: %v, %d missing", err, missing)
		}
		for k, c := range of.Columns {
			if !slices.Equal(c.Text, v.Columns[k].Text) {
				t.Fatalf("column %q became %q", v.Columns[k].Text, c.Text)
			}
		}
		v.Places()
	})
}

// A table that is written is read back the same.
func TestVertexTablesAreReadBack(t *testing.T) {
	for name, table := range map[string]*VertexTable{
		"places":      VertexTable{Names: []string{"a", "b, \"c\""}}.WithPlaces([][2]float64{{0.1, -2}, {1e-300, 3}}),
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
