package dataio

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// awkward are names that some format could stumble over.
var awkward = []string{
	"plain", "with, comma", `with "quotes"`, "semi;colon", "tab\tinside", "two\nlines", "cr\r\nlf", " padded ",
	"Ünïcödé 東京 🜁", "<a & 'b'>", `back\slash`, "%percent", "# hash", "]]>", "v1", "1.5", "NA", "007", "source",
}

func decode(text string, f Format, o ReadOptions) (*signals.Set, error) {
	o.Format = f
	return DecodeSignals(strings.NewReader(text), "stdin", o)
}

func TestTextSignalsAreRead(t *testing.T) {
	numbers := []float64{1, 3, 2, 4} // Y, vertices in rows: v0 = (1, 3), v1 = (2, 4)
	for name, c := range map[string]struct {
		text      string
		transpose bool
		names     string
	}{
		"numbers alone":                              {"1,2\n3,4\n", false, "v0 v1"},
		"a header":                                   {"a,b\n1,2\n3,4\n", false, "a b"},
		"a header with one name among numbers":       {"a,7\n1,2\n3,4\n", false, "a 7"},
		"a header with a vertex called NA":           {"NA,b\n1,2\n3,4\n", false, "NA b"},
		"no newline at the end":                      {"a,b\n1,2\n3,4", false, "a b"},
		"a byte-order mark and CRLF":                 {"\ufeffa,b\r\n1,2\r\n3,4\r\n", false, "a b"},
		"a byte-order mark and a quoted name":        {"\ufeff\"a\",b\n1,2\n3,4\n", false, "a b"},
		"blank lines":                                {"\na,b\n\n1,2\n3,4\n\n  \n", false, "a b"},
		"spaces round cells":                         {" a , b \n 1 , 2\n3 ,\t4 \n", false, "a b"},
		"semicolons":                                 {"a;b\n1;2\n3;4\n", false, "a b"},
		"semicolons and decimal commas":              {"a;b\n1,0;2,0\n3;4,0\n", false, "a b"},
		"tabs":                                       {"a\tb\n1\t2\n3\t4\n", false, "a b"},
		"quoted numbers":                             {"\"a\",\"b\"\n\"1\",\"2\"\n\"3\",\"4\"\n", false, "a b"},
		"dates before each row":                      {"date,a,b\n2021-01-03,1,2\n2021-01-04,3,4\n", false, "a b"},
		"dates under an empty cell":                  {",a,b\n2021-01-03,1,2\n2021-01-04,3,4\n", false, "a b"},
		"one date missing":                           {"date,a,b\n2021-01-03,1,2\n,3,4\n", false, "a b"},
		"row numbers as R writes them":               {"\"\",\"a\",\"b\"\n\"1\",1,2\n\"2\",3,4\n", false, "a b"},
		"dates and numbers for names":                {",1001,1002\n2021-01-03,1,2\n2021-01-04,3,4\n", false, "1001 1002"},
		"labels and no header":                       {"NA,1,2\n2021-01-04,3,4\n", false, "v0 v1"},
		"a pandas frame without names":               {",0,1\n0,1,2\n1,3,4\n", false, "0 1"},
		"a pandas frame with numbers for names":      {",1000,1001\n0,1,2\n1,3,4\n", false, "1000 1001"},
		"transposed, pandas, numbers for labels":     {",0.5,1.5\n0,1,3\n1,2,4\n", true, "0 1"},
		"transposed numbers":                         {"1,3\n2,4\n", true, "v0 v1"},
		"transposed, names first":                    {"a,1,3\nb,2,4\n", true, "a b"},
		"transposed, one name among numbers":         {"a,1,3\n7,2,4\n", true, "a 7"},
		"transposed, names and labels":               {"name,t0,t1\na,1,3\nb,2,4\n", true, "a b"},
		"transposed, names under an empty cell":      {",0,1\na,1,3\nb,2,4\n", true, "a b"},
		"transposed, names are numbers":              {",t0,t1\n17,1,3\n4,2,4\n", true, "17 4"},
		"transposed, labels without names":           {"t0,t1\n1,3\n2,4\n", true, "v0 v1"},
		"transposed, a pandas frame without names":   {",0,1\n0,1,3\n1,2,4\n", true, "0 1"},
		"transposed, dates as labels, vertex called": {"x,2021-01-03,2021-01-04\nNA,1,3\nb,2,4\n", true, "NA b"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := decode(c.text, CSV, ReadOptions{Transpose: c.transpose})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(s.Names, " "); got != c.names {
				t.Errorf("names: got %s, want %s", got, c.names)
			}
			if !mat.Equal(s.Y, mat.NewDense(2, 2, numbers)) {
				t.Errorf("got %v", mat.Formatted(s.Y))
			}
		})
	}
}

func TestNotesSayWhatWasTakenForGranted(t *testing.T) {
	const counts = `the first vertex, "t", counts up evenly: if it is a time or an index, remove it`
	for name, c := range map[string]struct {
		text      string
		transpose bool
		want      string
	}{
		"nothing to tell":            {"a,b\n1,2\n3,4\n", false, ""},
		"labels":                     {"day,a,b\nMo,1,2\nTu,3,4\n", false, "column 1 is treated as row labels"},
		"labels under a blank":       {",a,b\n1,1,2\n2,3,4\n", false, "column 1 is treated as row labels"},
		"labels, transposed":         {"\nx,t0,t1\na,1,2\nb,3,4\n", true, "line 2 is treated as row labels"},
		"an index":                   {"t,a\n1,5\n2,3\n3,3\n4,9\n5,1\n", false, counts},
		"a time, rounded":            {"t,a\n0,5\n0.3333,3\n0.6667,3\n1,9\n1.3333,1\n", false, counts},
		"a time, transposed":         {"t,10,20,30,40,50\na,5,3,3,9,1\n", true, counts},
		"a step that differs":        {"t,a\n1,5\n2,3\n3,3\n4,9\n5.1,1\n", false, ""},
		"a second column that rises": {"a,t\n5,1\n3,2\n3,3\n9,4\n1,5\n", false, ""},
		"too few to tell":            {"t,a\n1,5\n2,3\n3,3\n", false, ""},
		"the same throughout":        {"t,a\n1,5\n1,3\n1,3\n1,9\n1,1\n", false, ""},
	} {
		s, err := decode(c.text, CSV, ReadOptions{Transpose: c.transpose})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := strings.Join(s.Notes, "; "); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestBadTextSignalsAreAnsweredWithWhatWhereAndHow(t *testing.T) {
	normal, transposed := ReadOptions{}, ReadOptions{Transpose: true}
	const onlyFirst = "a column holds numbers or text and not both; code ordered answers as numbers such as 1 to 5, or leave the column out"
	for name, c := range map[string]struct {
		text         string
		o            ReadOptions
		line, column int
		want         string
	}{
		"an empty file":                   {"", normal, 0, 0, "the file is empty"},
		"lines that end in CR":            {"a,b\r1,2\r3,4\r", normal, 0, 0, "the lines end in CR alone, as on computers long gone: save the file with LF or CRLF"},
		"nothing but blank lines":         {"\ufeff\n \n\n", normal, 0, 0, "the file is empty"},
		"a header only":                   {"a,b\n", normal, 1, 0, "line 1: there is a header but no row of numbers below it"},
		"a header only, transposed":       {"a,b\n", transposed, 1, 0, "line 1: there is a header but no row of numbers below it"},
		"a short row":                     {"a,b\n1,2\n\n3\n", normal, 4, 0, "line 4: this row has 1 cell where line 1 has 2: give every row the same number of cells"},
		"a long row":                      {"1,2\n3,4,5\n", normal, 2, 0, "line 2: this row has 3 cells where line 1 has 2: give every row the same number of cells"},
		"text in a cell":                  {"a,b\n1,2\n3,x4\n", normal, 3, 2, `line 3, column 2: "x4" is not a number: ` + onlyFirst},
		"text in one column":              {"a\n1\nx\n", normal, 3, 1, `line 3, column 1: "x" is not a number: ` + onlyFirst},
		"text in one row, transposed":     {"a\n1\nx\n", transposed, 3, 1, `line 3, column 1: "x" is not a number: ` + onlyFirst},
		"percent":                         {"a,b\n1,2.5%\n", normal, 2, 2, `line 2, column 2: "2.5%" is not a number: write the number alone, without a sign for percent or money`},
		"money":                           {"a,b\n1,-2\n2,€ 3\n", normal, 3, 2, `line 3, column 2: "€ 3" is not a number: write the number alone, without a sign for percent or money`},
		"a unit":                          {"a,b\n1,-2.5 kg\n", normal, 2, 2, `line 2, column 2: "-2.5 kg" is not a number: write the number alone, without its unit`},
		"a unit without space":            {"a,b\n1,21°C\n", normal, 2, 2, `line 2, column 2: "21°C" is not a number: write the number alone, without its unit`},
		"money with commas":               {"a,b\n1,\"$2,273.10\"\n", normal, 2, 2, `line 2, column 2: "$2,273.10" is not a number: write the number alone, without a sign for percent or money`},
		"units in the first column":       {"a,b\n1.3 kg,1\n1.1 kg,2\n1.4 kg,3\n", normal, 2, 1, `line 2, column 1: "1.3 kg" is not a number: write the number alone, without its unit`},
		"money in the first column":       {"a,b\n\"$2,273.10\",1\n$900.00,2\n\"$1,100.50\",3\n", normal, 2, 1, `line 2, column 1: "$2,273.10" is not a number: write the number alone, without a sign for percent or money`},
		"a category":                      {"a,b\n1,female\n", normal, 0, 0, "1 column holds text (column 2: \"female\") and 1 holds numbers: code ordered answers as numbers such as 1 to 5, or choose the columns to read"},
		"a category with a number":        {"a,b\n1,grade 2\n", normal, 0, 0, "1 column holds text (column 2: \"grade 2\") and 1 holds numbers: code ordered answers as numbers such as 1 to 5, or choose the columns to read"},
		"a sign for a missing value":      {"a,b\n1,?\n", normal, 2, 2, `line 2, column 2: "?" is not a number: leave the cell empty if the value is missing`},
		"points and decimal commas":       {"a;b;c\n1;2,5;3\n1;2;1.234\n", normal, 3, 3, `line 3, column 3: "1.234" mixes decimal points with decimal commas: use one of them throughout, and nothing between thousands`},
		"labels beside numbers":           {"a,b\n1,2\nx,4\n", normal, 3, 1, `line 3, column 1: "x" is not a number, but line 2 has one in this column: a first column is all labels or all numbers`},
		"nothing but missing values":      {"a,b\nNA,\n,NA\n", normal, 0, 0, "the table has no values: all cells are empty, or stand for missing values"},
		"a gap among vertices":            {"1\n\n3\n", transposed, 2, 0, "line 2: there is no value here: give every vertex at least one, or leave out its line"},
		"an infinite value":               {"a,b\n1,-inf\n", normal, 2, 2, `line 2, column 2: the value (of "b") is not finite: it must be a number below 1.8e308 in size`},
		"a value that is too large":       {"1e400,2\n", normal, 1, 1, `line 1, column 1: the value (of "v0") is not finite: it must be a number below 1.8e308 in size`},
		"a name given twice":              {"a,b,a\n1,2,3\n", normal, 1, 3, `the vertex name "a" is given twice, in column 1 and column 3: names must differ`},
		"a name given twice after labels": {"t,a,a\nx,2,3\n", normal, 1, 3, `the vertex name "a" is given twice, in column 2 and column 3: names must differ`},
		"a name given twice, transposed":  {"a,1\nb,2\na,3\n", transposed, 3, 1, `the vertex name "a" is given twice, in line 1 and line 3: names must differ`},
		"a column without a name":         {"a,b,\n1,2,3\n", normal, 1, 3, "line 1, column 3: a vertex has no name here: name it, or leave it out"},
		"a row without a name":            {"a,1\n,2\n", transposed, 2, 1, "line 2, column 1: a vertex has no name here: name it, or leave it out"},
		"a graph":                         {"Source,target,Weight\na,b,1\n", normal, 1, 0, "line 1: the header source,target,weight makes this a graph, not signals: give a table with a column for each vertex"},
		"a quote never closed":            {"a,b\n1,2\n\"3,4\n5,6\n", normal, 3, 0, "line 3: a quotation mark is opened and never closed: close it, or double it if it belongs to the text"},
		"text after a quote":              {"a,\"b\"c\n1,2\n", normal, 1, 0, "line 1: there is text after a closing quotation mark: double the marks that belong to the text"},
		"binary garbage":                  {"\x7fELF\x02\x01\x00\x00\xff\xfe,\n", normal, 1, 0, "line 1: this is not UTF-8 text: save the file as UTF-8, or name it by its true format"},
		"an array under a wrong name":     {"\x93NUMPY\x01\x00", normal, 0, 0, "this is a NumPy array, not text: name it .npy"},
		"a spreadsheet under a wrong one": {"PK\x03\x04\x14\x00", normal, 0, 0, "this is a zip archive (.npz or a spreadsheet), not text: name it .npz or export it as CSV"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decode(c.text, CSV, c.o)
			wantFault(t, err, c.line, c.column, "stdin: "+c.want)
		})
	}
}

func TestMissingValuesAreReadAsNaN(t *testing.T) {
	nan := math.NaN()
	const left = "an observation without values was ignored: "
	for name, c := range map[string]struct {
		text      string
		format    Format
		transpose bool
		want      [][]float64 // vertices in rows
		missing   int
		note      string
	}{
		"an empty cell":              {"a,b\n1,2\n3,\n", CSV, false, [][]float64{{1, 3}, {2, nan}}, 1, ""},
		"all spellings":              {"1,2\nNA,3\nnan,4\nnull,5\nN/A,6\nNone,7\n", CSV, false, [][]float64{{1, nan, nan, nan, nan, nan}, {2, 3, 4, 5, 6, 7}}, 5, ""},
		"in the first row":           {"1,NA\n3,4\n", CSV, false, [][]float64{{1, 3}, {nan, 4}}, 1, ""},
		"beside labels":              {"day,a,b\nMo,1,2\nTu,,4\n", CSV, false, [][]float64{{1, nan}, {2, 4}}, 1, "column 1 is treated as row labels"},
		"transposed":                 {"a,1,2\nb,NaN,4\n", CSV, true, [][]float64{{1, 2}, {nan, 4}}, 1, ""},
		"tabs between nothing":       {"a\tb\tc\n\t\t1\n2\t3\t4\n", TSV, false, [][]float64{{nan, 2}, {nan, 3}, {1, 4}}, 2, ""},
		"a row of separators":        {"a,b\n1,2\n,\n3,4\n", CSV, false, [][]float64{{1, 3}, {2, 4}}, 0, left + "line 3"},
		"several empty rows":         {"a,b\n1,2\n\n,\nNA,NA\n3,\n", CSV, false, [][]float64{{1, 3}, {2, nan}}, 1, "2 observations without values were ignored, the first: line 4"},
		"an empty column":            {"a,1,,2\nb,3,,4\n", CSV, true, [][]float64{{1, 2}, {3, 4}}, 0, left + "column 3"},
		"a gap in a single column":   {"a\n1\n\n3\n", CSV, false, [][]float64{{1, 3}}, 0, left + "line 3"},
		"a first vertex that counts": {"1,2\n2,2\n,1\n4,2\n5,2\n6,7\n", CSV, false, [][]float64{{1, 2, nan, 4, 5, 6}, {2, 2, 1, 2, 2, 7}}, 1, ""},
		"an array":                   {npyFile(header("<f2", "False", "(2, 2)"), "\x00\x3c\x00\x7e\x00\x3c\x00\x3c"), NPY, false, [][]float64{{1, 1}, {nan, 1}}, 1, ""},
		"an empty row of an array":   {npyFile(header("<f2", "False", "(2, 2)"), "\x00\x7e\x00\x7e\x00\x3c\x00\x3c"), NPY, false, [][]float64{{1}, {1}}, 0, left + "index [0, :]"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := decode(c.text, c.format, ReadOptions{Transpose: c.transpose})
			if err != nil {
				t.Fatal(err)
			}
			if !sameValues(s.Y, mat.NewDense(len(c.want), len(c.want[0]), slices.Concat(c.want...))) {
				t.Errorf("got %v", mat.Formatted(s.Y))
			}
			if note := strings.Join(s.Notes, "; "); matrix.Missing(s.Y) != c.missing || note != c.note {
				t.Errorf("got %d missing and the note %q, want %d and %q", matrix.Missing(s.Y), note, c.missing, c.note)
			}
		})
	}
}

// sameValues reports whether two matrices are equal, what is missing included.
func sameValues(a, b *mat.Dense) bool {
	const absent = 12345.678901 // no value of these tests
	whole := func(m *mat.Dense) *mat.Dense {
		var w mat.Dense
		w.Apply(func(_, _ int, v float64) float64 {
			if math.IsNaN(v) {
				return absent
			}
			return v
		}, m)
		return &w
	}
	return mat.Equal(whole(a), whole(b))
}

func sample() *signals.Set {
	s := &signals.Set{Names: awkward, Y: mat.NewDense(len(awkward), 3, nil)}
	for i := range awkward {
		for m := range 3 {
			s.Y.Set(i, m, math.Pow(-1.0/3, float64(7*i+m)))
		}
	}
	return s
}

func TestSignalsReadBackExactly(t *testing.T) {
	s := sample()
	s.Y.Set(4, 1, math.NaN())
	for _, f := range Formats(WritesSignals) {
		for _, ending := range []string{"", ".gz"} {
			path := filepath.Join(t.TempDir(), "s."+string(f)+ending)
			if err := WriteSignals(path, s); err != nil {
				t.Fatal(err)
			}
			back, err := ReadSignals(path, ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if !sameValues(back.Y, s.Y) {
				t.Errorf("%s%s: values changed", f, ending)
			}
			if f.Can(KeepsNames) != slices.Equal(back.Names, s.Names) {
				t.Errorf("%s%s: the names are %q", f, ending, back.Names)
			}
			written, _ := os.ReadFile(path)
			if gzipped := strings.HasPrefix(string(written), "\x1f\x8b"); gzipped != (ending == ".gz" && f.Can(Gzips)) {
				t.Errorf("%s%s: compressed: %t", f, ending, gzipped)
			}
		}
	}
}

func TestMatricesReadBackExactly(t *testing.T) {
	m := mat.NewDense(2, 3, []float64{1, 0, -1.0 / 3, math.MaxFloat64, 5e-324, 7})
	for _, f := range Formats(HoldsMatrices) {
		for _, ending := range []string{"", ".gz"} {
			path := filepath.Join(t.TempDir(), "x."+string(f)+ending)
			if err := (Matrix{Values: m}).Write(path); err != nil {
				t.Fatal(err)
			}
			if back, err := ReadMatrix(path); err != nil || !mat.Equal(back, m) {
				t.Errorf("%s%s: %v, %v", f, ending, back, err)
			}
		}
	}
}

func TestMatricesMustBeComplete(t *testing.T) {
	for _, text := range []string{"1,\n3,4\n", "1,,2\n3,,4\n"} {
		path := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadMatrix(path)
		wantFault(t, err, 0, 0, "x.csv: entries are missing: give a matrix that is complete")
	}
}

func TestSignalsThatWouldNotReadBackAreNotWritten(t *testing.T) {
	one := mat.NewDense(1, 1, []float64{1})
	for name, s := range map[string]*signals.Set{
		"no values":                  {Names: []string{"a"}},
		"too many names":             {Names: []string{"a", "b"}, Y: one},
		"one name twice":             {Names: []string{"a", "a"}, Y: mat.NewDense(2, 1, nil)},
		"an empty name":              {Names: []string{""}, Y: one},
		"a name that is not text":    {Names: []string{"\xff"}, Y: one},
		"names that are all numbers": {Names: []string{"1"}, Y: one},
		"an infinite value":          {Names: []string{"a"}, Y: mat.NewDense(1, 1, []float64{math.Inf(1)})},
		"a signal without values":    {Names: []string{"a"}, Y: mat.NewDense(1, 2, []float64{1, math.NaN()})},
	} {
		path := filepath.Join(t.TempDir(), "s.csv")
		if err := WriteSignals(path, s); err == nil {
			t.Errorf("%s: written", name)
		} else if e := input.Find(err); e == nil || e.Op != "dataio.WriteSignals" {
			t.Errorf("%s: %v is not refused by WriteSignals", name, err)
		}
		if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 0 {
			t.Errorf("%s: something was left behind", name)
		}
	}
}

// checkAccepted checks what every accepted file gives: distinct names, values
// that are finite or missing, and a file of our own that reads back the same.
func checkAccepted(t *testing.T, s *signals.Set, err error, formats ...Format) {
	t.Helper()
	if err != nil {
		if _, ok := errors.AsType[*input.Error](err); !ok || err.Error() == "" {
			t.Fatalf("%v is not an input.Error", err)
		}
		return
	}
	if _, m := s.Y.Dims(); s.Times != nil && (len(s.Times) != m || !parse.IsAscending(s.Times)) {
		t.Fatalf("the times of %d signals are %v", m, s.Times)
	}
	for _, f := range formats {
		var b bytes.Buffer
		if err := EncodeSignals(&b, f, s); err != nil {
			if strings.Contains(err.Error(), "are numbers") || strings.Contains(err.Error(), "would be read as the times") {
				continue
			}
			t.Fatal(err)
		}
		back, err := DecodeSignals(&b, "back", ReadOptions{Format: f})
		if err != nil {
			t.Fatal(err)
		}
		if !sameValues(back.Y, s.Y) || f.Can(KeepsNames) && !slices.Equal(back.Names, s.Names) {
			t.Errorf("%s: signals changed on the way: %q, %q", f, s.Names, back.Names)
		}
		if f != NPZ && !slices.EqualFunc(back.Times, s.Times, time.Time.Equal) {
			t.Errorf("%s: times changed on the way: %v, %v", f, s.Times, back.Times)
		}
	}
}

// A vertex without values is kept, in every layout; a file without any value is refused.
func TestEmptyVerticesAreKept(t *testing.T) {
	for _, c := range []struct {
		text      string
		transpose bool
	}{{"a,b,c\n1,,3\n,,\n4,,5\n", false}, {"a,1,,4\nb,,,\nc,3,,5\n", true}} {
		s, err := DecodeSignals(strings.NewReader(c.text), "s.csv", ReadOptions{Transpose: c.transpose})
		if err != nil {
			t.Fatal(err)
		}
		row := s.Y.RawRowView(1)
		if n, m := s.Y.Dims(); n != 3 || m != 2 || s.Dropped != 1 || !math.IsNaN(row[0]) || !math.IsNaN(row[1]) || s.Y.At(2, 1) != 5 {
			t.Errorf("%q: got %d×%d, %d dropped, %v", c.text, n, m, s.Dropped, s.Y)
		}
	}
	if _, err := DecodeSignals(strings.NewReader("a,b\nNaN,NaN\nNA,NA\n"), "s.csv", ReadOptions{}); input.Find(err) == nil {
		t.Errorf("a file without values: %v", err)
	}
}
