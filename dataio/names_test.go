package dataio

import (
	"bufio"
	"bytes"
	"slices"
	"strings"
	"testing"
)

// Names stand one per line, whatever ends the lines and however the file begins and ends.
func TestNamesAreLines(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"plain":                       {"a\nb\nc\n", []string{"a", "b", "c"}},
		"no line end after the last":  {"a\nb", []string{"a", "b"}},
		"CRLF, and a byte order mark": {"\ufeffa\r\nb\r\n", []string{"a", "b"}},
		"blank lines at the end":      {"a\nb\n\n  \n\r\n", []string{"a", "b"}},
		"blanks and commas are kept":  {" a,1\nb \n", []string{" a,1", "b "}},
		"other scripts":               {"Zürich\n東京\n", []string{"Zürich", "東京"}},
	} {
		var o ReadOptions
		err := o.DecodeNames(strings.NewReader(c.text), "names.txt")
		got := o.Names
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	for text, want := range map[string]string{
		"":               "names.txt: there are no names in the file: write one per line",
		"\n\n":           "names.txt: there are no names in the file: write one per line",
		"a\n\nb\n":       "names.txt: line 2: there is no name here: name every vertex, one per line",
		"a\nb\na\n":      `names.txt: the vertex name "a" is given twice, in line 1 and line 3: names must differ`,
		"a\n\xff\n":      `names.txt: line 2: the vertex name "\xff" is not UTF-8 text`,
		"a\rb\rc\r":      "names.txt: the lines end in CR alone, as on computers long gone: save the file with LF or CRLF",
		"\x93NUMPY\x01a": "names.txt: this is a NumPy array, not text: name it .npy",
	} {
		if err := new(ReadOptions).DecodeNames(strings.NewReader(text), "names.txt"); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// Signals without names take those given, whichever way round they are, and also where
// they are read by blocks; signals with names do not.
func TestGivenNamesAreForFilesWithout(t *testing.T) {
	plain := func(i, j int) float64 { return float64(i) + float64(j)/4 }
	numbers := numpyFile(5, 3, false, false, plain)
	for name, c := range map[string]struct {
		content string
		o       ReadOptions
		names   string
		want    string // of the error; "" for none
	}{
		"an array":                 {content: string(numbers), o: ReadOptions{Format: NPY}, names: "a b c"},
		"an array, transposed":     {content: string(numbers), o: ReadOptions{Format: NPY, Transpose: true}, names: "a b c d e"},
		"a table without header":   {content: "1,2,3\n4,5,7\n", o: ReadOptions{Format: CSV}, names: "a b c"},
		"a table with its header":  {content: "x,y,z\n4,5,7\n", o: ReadOptions{Format: CSV}, names: "a b c", want: "f: the file has names of its own for the vertices: leave out those given besides"},
		"vertices in rows":         {content: "1,2,3\n4,5,7\n", o: ReadOptions{Format: CSV, Transpose: true}, names: "a b"},
		"vertices in rows, labels": {content: "x,2,3\ny,5,7\n", o: ReadOptions{Format: CSV, Transpose: true}, names: "a b", want: "f: the file has names of its own for the vertices: leave out those given besides"},
		"too few":                  {content: string(numbers), o: ReadOptions{Format: NPY}, names: "a b", want: "f: there are 2 given names for 3 vertices: check the names, or whether the file has vertices in rows"},
		"too many for a table":     {content: "1,2,3\n4,5,7\n", o: ReadOptions{Format: CSV}, names: "a b c d", want: "f: there are 4 given names for 3 vertices: check the names, or whether the file has vertices in rows"},
	} {
		c.o.Names = strings.Fields(c.names)
		s, err := DecodeSignals(strings.NewReader(c.content), "f", c.o)
		switch {
		case c.want != "" && (err == nil || err.Error() != c.want):
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want == "" && !slices.Equal(s.Names, c.o.Names):
			t.Errorf("%s: the names are %q", name, s.Names)
		}
	}
}

// Whatever the bytes, names are distinct and not empty, or there is an error.
func FuzzDecodeNames(f *testing.F) {
	for _, text := range []string{"a\nb\n", "\ufeffa\r\n", "", "a\n\nb", "a\na"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var o ReadOptions
		err := o.DecodeNames(bytes.NewReader(text), "f")
		names := o.Names
		if err != nil {
			return
		}
		var lines []string // as another reader has them
		for scanner := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff")))); scanner.Scan(); {
			lines = append(lines, scanner.Text())
		}
		for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
			lines = lines[:len(lines)-1]
		}
		if !bytes.HasPrefix(text, []byte("\x1f\x8b")) && !slices.Equal(names, lines) {
			t.Fatalf("got %q, want %q", names, lines)
		}
		seen := map[string]bool{}
		for _, name := range names {
			if name == "" || seen[name] || strings.Contains(name, "\n") {
				t.Fatalf("%q", names)
			}
			seen[name] = true
		}
	})
}

// Names that are times or years are those of observations where text labels the rows, unless the columns are chosen.
func TestNamesThatAreTimesAreRefusedAboveLabelledRows(t *testing.T) {
	const remedy = ": each row looks like a vertex, so say that vertices are in rows, or choose the columns to read"
	for name, c := range map[string]struct{ text, names, note, want string }{
		"days above labels":  {text: "x,2024-01-01,2024-01-02,2024-01-03\nn,1,2,3\ns,4,5,7\n", want: `stdin: line 1: the names of the vertices would be times ("2024-01-01", "2024-01-02", "2024-01-03")` + remedy},
		"years above labels": {text: "Country Name,Country Code,1960,1961,1962\nAustria,AUT,1,2,3\nChad,TCD,4,5,7\n", want: `stdin: line 1: the names of the vertices would be years ("1960", "1961", "1962")` + remedy},
		"values":             {text: "n,1.5,2,1.5\ns,4,5,7\nt,2,1,3\n", want: `stdin: line 1: the names of the vertices would be numbers ("1.5", "2", "1.5")` + remedy},
		"days":               {text: "2024-01-01,2024-01-02,2024-01-03\n1,2,3\n4,5,7\n", names: "2024-01-01 2024-01-02 2024-01-03", note: "the names of the vertices look like times: if each row is a vertex, say that vertices are in rows"},
		"days beside times":  {text: "date,2024-01-01,2024-01-02,2024-01-03\n2024-02-01,1,2,3\n2024-02-02,4,5,7\n", names: "2024-01-01 2024-01-02 2024-01-03", note: "the names of the vertices look like times: if each row is a vertex, say that vertices are in rows"},
		"years beside times": {text: "date,2001,2002,2003\n2024-02-01,1,2,3\n2024-02-02,4,5,7\n", names: "2001 2002 2003"},
		"versions":           {text: "1-1-10,1-2-10,1-3-10\n1,2,3\n4,5,7\n", names: "1-1-10 1-2-10 1-3-10", note: "the names of the vertices look like times"},
	} {
		s, err := decode(c.text, CSV, ReadOptions{})
		if c.want != "" {
			wantFault(t, err, 1, 0, c.want)
			for _, o := range []ReadOptions{{Transpose: true}, {Columns: []string{"3-"}}} {
				if _, err := decode(c.text, CSV, o); err != nil {
					t.Errorf("%s: the remedy does not help: %v", name, err)
				}
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(s.Names, " "); got != c.names || !strings.Contains(strings.Join(s.Notes, "; "), c.note) {
			t.Errorf("%s: the vertices are %s, notes %q", name, got, s.Notes)
		}
		var b bytes.Buffer
		if name == "years beside times" { // numbers are no names of a file
			continue
		}
		if err := EncodeSignals(&b, CSV, s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if again, err := decode(b.String(), CSV, ReadOptions{}); err != nil || !slices.Equal(again.Names, s.Names) {
			t.Errorf("%s, read back: %v, %v", name, again, err)
		}
	}
}

// So they are in a Parquet file.
func TestNamesThatAreYearsAreRefusedInParquet(t *testing.T) {
	type country struct {
		Name string  `parquet:"country"`
		A    float64 `parquet:"1960"`
		B    float64 `parquet:"1961"`
		C    float64 `parquet:"1962"`
	}
	file := parquetFile(t, []country{{"Austria", 1, 2, 3}, {"Chad", 4, 5, 7}})
	_, err := decode(file, Parquet, ReadOptions{})
	wantFault(t, err, 0, 0, `stdin: the names of the vertices would be years ("1960", "1961", "1962"): each row looks like a vertex, so say that vertices are in rows, or choose the columns to read`)
	s, err := decode(file, Parquet, ReadOptions{Transpose: true})
	if err != nil || strings.Join(s.Names, " ") != "Austria Chad" {
		t.Errorf("transposed: %v, %v", s, err)
	}
}
