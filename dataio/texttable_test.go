package dataio

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nervure/nervure/input"
)

// Cells are text as it is written, whatever separates them; faults name the place.
func TestTextTables(t *testing.T) {
	read := func(name, text string) (*TextTable, error) {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return ReadTextTable(path)
	}
	for name, text := range map[string]string{
		"t.csv": "who,group,age\ns01, well,1e1\n\"s,02\",ill,\n",
		"t.tsv": "who\tgroup\tage\ns01\t well\t1e1\ns,02\till\t\n",
	} {
		table, err := read(name, text)
		if err != nil {
			t.Fatal(err)
		}
		for column, want := range map[string]string{"who": "s01 s,02", "group": "well ill", "age": "1e1 "} {
			if got := strings.Join(table.Column(column), " "); got != want {
				t.Errorf("%s: %s is %q, want %q", name, column, got, want)
			}
		}
		if table.Column("sex") != nil {
			t.Error("a column that is not there has cells")
		}
	}
	for text, want := range map[string]string{
		"":                   "the file is empty",
		"who,group\n":        "there is a header but no row below it",
		"who,group\na\n":     "line 2: this row has 1 cell where line 1 has 2",
		"who,age,who\na,1,b": `line 1, column 3: another column is called "who", too`,
	} {
		if _, err := read("t.csv", text); input.Find(err) == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	if table, err := read("pipe", "who;group\na;1\n"); err != nil || len(table.Header) != 2 {
		t.Errorf("no extension: %v", err)
	}
	if _, err := read("t.npy", "who,group\na,1\n"); input.Find(err) == nil || !strings.Contains(err.Error(), "a table is read from a .csv or .tsv file, not from .npy") {
		t.Errorf("got %v", err)
	}
	if _, err := ReadTextTable("gone.csv"); input.Find(err) == nil {
		t.Errorf("no file: got %v", err)
	}
}
