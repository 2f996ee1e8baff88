package dataio

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nervure/nervure/input"
)

// What cannot be seen can be said; what was found out is told.
func TestOptionsSayWhatAFileDoesNot(t *testing.T) {
	const latin2 = "Łódź;Gdańsk\n1,5;2\n2,5;3\n"
	for name, c := range map[string]struct {
		text string
		o    ReadOptions
		want string // as want.txt has it, or ! and an error
		note string
	}{
		"a delimiter":                   {"a:b\n1:2\n3:4\n", ReadOptions{Delimiter: ":"}, "a b | 1 2; 3 4", `cells are separated by ":"`},
		"a delimiter by name":           {"a\tb,c\n1\t2\n3\t4\n", ReadOptions{Delimiter: "tab"}, "a b,c | 1 2; 3 4", ""},
		"rows before the table":         {"5,6\n7,8\na,b\n1,2\n3,4\n", ReadOptions{SkipRows: 2}, "a b | 1 2; 3 4", ""},
		"rows before and remarks":       {"5,6\n# b\n# a,b\n1,2\n3,4\n", ReadOptions{SkipRows: 1}, "a b | 1 2; 3 4", ""},
		"too many rows":                 {"a,b\n1,2\n", ReadOptions{SkipRows: 9}, "! stdin: the file has 2 lines, and all of them are to be skipped", ""},
		"columns by name":               {"a,b,c\n1,2,3\n4,5,6\n", ReadOptions{Columns: []string{"c", "a"}}, "a c | 1 3; 4 6", ""},
		"columns by number":             {"1,2,3\n4,5,6\n7,8,9\n", ReadOptions{Columns: []string{"2-"}}, "v0 v1 | 2 3; 5 6; 8 9", ""},
		"a range of names":              {"a,b,c,d\n1,2,3,x\n4,5,6,y\n", ReadOptions{Columns: []string{"b:c"}}, "b c | 2 3; 5 6", ""},
		"columns and times":             {"time,a,b,c\n2024-01-01,1,bad,3\n2024-01-02,4,5,6\n", ReadOptions{Columns: []string{"a", "c"}}, "a c | 1 3; 4 6 | 2024-01-01", "is read as the times"},
		"columns of vertices in rows":   {"name,kind,1,2\na,x,3,4\nb,y,5,7\n", ReadOptions{Columns: []string{"3-4"}, Transpose: true}, "a b | 3 5; 4 7", "row labels"},
		"columns of a long table":       {"time,site,a,b\n0,n,1,9\n0,s,2,9\n1,n,3,9\n1,s,4,9\n", ReadOptions{Columns: []string{"site", "a"}}, "n s | 1 2; 3 4", "column 2 (site) names the vertices"},
		"no such column":                {"a,b\n1,2\n3,4\n", ReadOptions{Columns: []string{"c"}}, `! stdin: line 1: there is no column "c": the columns are "a", "b"`, ""},
		"a column too far":              {"a,b\n1,2\n3,4\n", ReadOptions{Columns: []string{"1-3"}}, "! stdin: line 1: there is no column 3: there are 2", ""},
		"an encoding":                   {inEncoding(t, "latin-2", latin2), ReadOptions{Encoding: "ISO-8859-2"}, "Łódź Gdańsk | 1.5 2; 2.5 3", ""},
		"text that is no UTF-8":         {"Z\xfcrich,b\n1,2\n3,4\n", ReadOptions{Encoding: "utf-8"}, "! stdin: line 1: this is not UTF-8 text", ""},
		"one byte wrong in UTF-8":       {"Zürich,b\n1,2\n3,4\n\xfc,1\n", ReadOptions{}, "! stdin: line 4: this is not UTF-8 text", ""},
		"bytes of no Windows-1252":      {"\x8f,b\n1,2\n3,4\n", ReadOptions{}, "! stdin: line 1: this is not UTF-8 text", ""},
		"an unknown encoding":           {"a,b\n1,2\n", ReadOptions{Encoding: "ebcdic"}, `! stdin: encoding "ebcdic": want utf-8,`, ""},
		"a sheet of a table":            {"a,b\n1,2\n", ReadOptions{Sheet: "x"}, "! stdin: a .csv file has no sheets: leave that option out", ""},
		"a first name like a remark":    {"#a,b\n1,2\n3,4\n", ReadOptions{}, "#a b | 1 2; 3 4", ""},
		"names like remarks, in quotes": {"\"# a\",b\n1,2\n3,4\n", ReadOptions{}, "#_a b | 1 2; 3 4", ""},
		"a remark with the names":       {"# a,b\n1,2\n3,4\n", ReadOptions{}, "a b | 1 2; 3 4", ""},
		"a first row of years as data":  {"a,b,c,d\n5,2001,2002,2003\n6,1,2,3\n7,2,1,4\n", ReadOptions{}, "a b c d | 5 2001 2002 2003; 6 1 2 3; 7 2 1 4", ""},
		"names like grouped numbers":    {"\"1.234,5\";b\n1.234;2\n3.5;4\n", ReadOptions{}, "1.234,5 b | 1.234 2; 3.5 4", ""},
		"a date like grouped numbers":   {"t;a;b\n31.01.2024;1,5;2\n30.01.2024;2,5;3\n", ReadOptions{}, "a b | 2.5 3; 1.5 2 | 2024-01-30", ""},
		"a total of other rows":         {"d,a,b\nMo,1,2\nTu,3,4\nTotal,4,7\n", ReadOptions{}, "a b | 1 2; 3 4; 4 7", ""},
		"data before a header":          {"1,2\na,b\n3,4\n5,6\n", ReadOptions{}, "! stdin: line 2", ""},
		"a value lost among units":      {"a,b\nm,1\n3,4\n5,6\n", ReadOptions{}, "! stdin: line 2, column 1", ""},
	} {
		s, err := decode(c.text, CSV, c.o)
		if refusal, refused := strings.CutPrefix(c.want, "! "); refused {
			if e := input.Find(err); e == nil || !strings.HasPrefix(err.Error(), refusal) {
				t.Errorf("%s: got %s, %v, want %s", name, inWords(s), err, refusal)
			}
			continue
		}
		if err != nil || inWords(s) != c.want {
			t.Errorf("%s: got %s, %v, want %s", name, inWords(s), err, c.want)
		} else if notes := strings.Join(s.Notes, "; "); !strings.Contains(notes, c.note) {
			t.Errorf("%s: the notes are %s, without %s", name, notes, c.note)
		}
	}
}

func inEncoding(t *testing.T, name, text string) string {
	t.Helper()
	e, _ := findEncoding(name)
	bytes, err := e.encoding.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

func TestSheetsAreChosenByName(t *testing.T) {
	file, err := os.ReadFile(filepath.Join(everyday, "two-sheets.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o    ReadOptions
		want string
	}{
		{ReadOptions{Sheet: "B"}, "north south west | 3 4.5 -6.25; 5 3.5 1; 0.5 9 2.25; 7.5 0.25 5"},
		{ReadOptions{Variable: "A", Columns: []string{"1-2"}, SkipRows: 1}, "v0 v1 | 1.5 2.25; 2.5 1.75; 0.25 4.5; 3.75 0.125"},
	} {
		s, err := DecodeSignals(bytes.NewReader(file), "a.xlsx", c.o)
		if err != nil || inWords(s) != c.want {
			t.Errorf("%+v: got %s, %v, want %s", c.o, inWords(s), err, c.want)
		}
	}
	_, err = DecodeSignals(bytes.NewReader(file), "a.xlsx", ReadOptions{Sheet: "A", Columns: []string{"east"}})
	wantFault(t, err, 1, 0, `a.xlsx: sheet "A": row 1: there is no column "east": the columns are "north", "south", "west"`)
	_, err = decode(string(file), CSV, ReadOptions{})
	wantFault(t, err, 0, 0, "stdin: this is an Excel workbook, not text: name it .xlsx")
}
