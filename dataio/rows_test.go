package dataio

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/input"
)

func readRows(text string, f Format) (cells [][]string, lines []int, err error) {
	r, err := map[Format]delimited{CSV: {CSV, ',', false}, TSV: {TSV, '\t', true}}[f].rows(strings.NewReader(text))
	if err != nil {
		return nil, nil, err
	}
	for {
		row, line, err := r.next()
		if errors.Is(err, io.EOF) {
			return cells, lines, nil
		}
		if err != nil {
			return nil, nil, err
		}
		cells, lines = append(cells, slices.Clone(row)), append(lines, line)
	}
}

func TestRowsKeepTheLinesOfTheFile(t *testing.T) {
	cells, lines, err := readRows("\ufeff a , \"b\r\nc\" ,\"d \"\"e\"\"\"\r\n\r\n  \n1,,3\n4,5\" long,", CSV)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"a", "b\r\nc", `d "e"`}, {"1", "", "3"}, {"4", `5" long`, ""}}
	if !slices.EqualFunc(cells, want, slices.Equal) || !slices.Equal(lines, []int{1, 5, 6}) {
		t.Errorf("got %q on lines %v", cells, lines)
	}
}

func TestLinesLongerThanTheBufferAreWhole(t *testing.T) {
	long := strings.Repeat("12345,", inputBuffer) + "end"
	cells, lines, err := readRows(long+"\n1,2\n", CSV)
	if err != nil || len(cells) != 2 || len(cells[0]) != inputBuffer+1 || cells[0][inputBuffer] != "end" || lines[1] != 2 {
		t.Errorf("%d rows, lines %v, %v", len(cells), lines, err)
	}
}

func TestSeparatorIsToldFromTheFirstLines(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want byte
	}{
		"commas":                       {"a,b\n1,2\n", ','},
		"semicolons":                   {"a;b\n1;2\n", ';'},
		"semicolons, decimal commas":   {"1,5;2,5\n3;4,5\n", ';'},
		"tabs":                         {"a\tb\n1,5\t2\n", '\t'},
		"semicolons inside names":      {"in; C,out; C\n1,2\n", ','},
		"quoted semicolons":            {"\"a;b\",\"c;d\"\n1,2\n", ','},
		"one column":                   {"a\n1\n", ','},
		"ragged with decimal commas":   {"1,5;2,5\n1,5;2,5;3,5\n", ';'},
		"ragged, a line without any":   {"a;b;c\n1;2;3\n4\n", ';'},
		"nothing":                      {"", ','},
		"blank lines between":          {"a;b\n\n1,5;2\n", ';'},
		"quoted name over three lines": {"\"a,\n,\n,\";b\n1;2\n", ';'},
	} {
		if got := separator([]byte(c.text), false); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	// The sample may end within a line, which then has too few.
	if got := separator([]byte("a;b;c\n1,5;2;3\n4,5;6,"), true); got != ';' {
		t.Errorf("cut sample: got %q", got)
	}
}

func TestCellsReadBackAsWritten(t *testing.T) {
	cells := append(slices.Clone(awkward), "", "\ufeffbom", "1", "NA", "\t", " ")
	for f, separator := range map[Format]byte{CSV: ',', TSV: '\t'} {
		var line []byte
		for _, cell := range cells {
			line = append(appendCell(line, cell), separator)
		}
		got, _, err := readRows(string(line)+"end\n", f)
		if err != nil || len(got) != 1 || !slices.Equal(got[0], append(slices.Clone(cells), "end")) {
			t.Errorf("%s: got %q, %v", f, got, err)
		}
	}
}

// Where encoding/csv reads a file, we read the same cells but for trimming and
// the carriage returns that it drops.
func FuzzRowsAgreeWithEncodingCSV(f *testing.F) {
	for _, text := range []string{"a,b\n1,2\n", "\"a\"\"b\",\" c\nd\"\n1,\n", ",\n\n,", "a b,\"c\"\r\n1, 2 "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		reference := csv.NewReader(strings.NewReader(text))
		reference.FieldsPerRecord = -1
		want, err := reference.ReadAll()
		// A line of blanks is a record there and nothing here.
		blank := func(row []string) bool { return len(row) == 1 && strings.TrimSpace(row[0]) == "" }
		want = slices.DeleteFunc(want, blank)
		if err != nil || separator([]byte(text), false) != ',' {
			t.Skip()
		}
		got, _, err := readRows(text, CSV)
		if err != nil {
			if _, ok := errors.AsType[*input.Error](err); !ok {
				t.Fatalf("%v is not an input.Error", err)
			}
			t.Skip() // not text, or a quote after blanks
		}
		got = slices.DeleteFunc(got, blank)
		same := func(a, b string) bool {
			clean := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r", "")) }
			return clean(a) == clean(b)
		}
		if !slices.EqualFunc(got, want, func(a, b []string) bool { return slices.EqualFunc(a, b, same) }) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	})
}
