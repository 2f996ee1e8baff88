package dataio

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

const everyday = "testdata/everyday"

// Files as people have them: spreadsheets of several countries, loggers, and what other programs export. Those with a
// name such as excel-german.csv were written by hand after such files; the workbooks are by openpyxl 3.1 and
// XlsxWriter 3.2. want.txt has, for each, what the file says: the names of the vertices, blanks as _, the
// observations, and the time of the first if there is one; transpose comes before the names of a file with vertices in rows.
// What follows ! is a part of the sentence by which a file is refused.
func TestEverydayFilesAreReadRightOrRefused(t *testing.T) {
	wants, err := os.ReadFile(filepath.Join(everyday, "want.txt"))
	if err != nil {
		t.Fatal(err)
	}
	seen := []string{"want.txt"}
	for line := range strings.Lines(string(wants)) {
		name, want, _ := strings.Cut(strings.TrimSpace(line), ": ")
		seen = append(seen, name)
		t.Run(name, func(t *testing.T) {
			want, transpose := strings.CutPrefix(want, "transpose ")
			s, err := ReadSignals(filepath.Join(everyday, name), ReadOptions{Transpose: transpose})
			if refusal, refused := strings.CutPrefix(want, "! "); refused {
				if e := input.Find(err); e == nil || !strings.Contains(err.Error(), refusal) || strings.Contains(err.Error(), "\n") {
					t.Errorf("got %s, %v, want %s", inWords(s), err, refusal)
				}
				return
			}
			if err != nil || inWords(s) != want {
				t.Errorf("got  %s, %v\nwant %s", inWords(s), err, want)
			} else {
				t.Logf("notes: %q", s.Notes)
			}
		})
	}
	files, err := os.ReadDir(everyday)
	if err != nil || len(seen) < 41 {
		t.Fatalf("%d files, %v", len(seen), err)
	}
	for _, f := range files {
		if !slices.Contains(seen, f.Name()) {
			t.Errorf("%s is not in want.txt", f.Name())
		}
	}
}

// inWords writes signals as want.txt does.
func inWords(s *signals.Set) string {
	if s == nil {
		return "nothing"
	}
	var names, observations []string
	for _, name := range s.Names {
		names = append(names, strings.ReplaceAll(name, " ", "_"))
	}
	n, m := s.Y.Dims()
	for k := range m {
		var cells []string
		for i := range n {
			v := s.Y.At(i, k)
			if math.IsNaN(v) {
				cells = append(cells, "nan")
			} else {
				cells = append(cells, strconv.FormatFloat(v, 'g', 12, 64))
			}
		}
		observations = append(observations, strings.Join(cells, " "))
	}
	text := strings.Join(names, " ") + " | " + strings.Join(observations, "; ")
	if s.Times != nil {
		text += " | " + strings.TrimSuffix(words.Time(s.Times[0]), " 00:00")
	}
	return text
}

// A column of numbers that identify the rows becomes a vertex, unless columns are chosen: that is said.
func TestIdentifiersAmongVerticesAreNoted(t *testing.T) {
	const rows = "\n93559,1.5,2\n91657,2.5,4\n89169,3,1\n"
	for header, noted := range map[string]bool{
		"id,a,b": true, "patient_id,a,b": true, "SubjectID,a,b": true, "personId,a,b": true, "Nr,a,b": true,
		"humid,a,b": false, "valid,a,b": false, "count,a,b": false, "a_id,id,b": true,
	} {
		const note = "looks like an identifier and is learned as a vertex: leave it out by choosing the columns to read"
		s, err := DecodeSignals(strings.NewReader(header+rows), "people.csv", ReadOptions{})
		if err != nil || noted != slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, note) }) {
			t.Errorf("%s: %v, %v", header, s, err)
		}
		s, err = DecodeSignals(strings.NewReader(header+rows), "people.csv", ReadOptions{Columns: []string{"1-3"}})
		if err != nil || slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, note) }) {
			t.Errorf("%s, asked for: %v, %v", header, s, err)
		}
	}
}
