package durable

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/input"
)

type entry struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

func TestRecordsOutliveATornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	want := []entry{{"a", 1}, {"b", 0.1}, {"c", 3}}
	for k, e := range want {
		j, old, err := OpenJournal[entry](path)
		if err != nil || !slices.Equal(old, want[:k]) {
			t.Fatalf("%v, %v", old, err)
		}
		if err := j.Append(e); err != nil {
			t.Fatal(err)
		}
		if _, err := j.file.Write([]byte(`{"name":"to`)); err != nil { // and then the power goes
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := ReadJournal[entry](path); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
}

var some = []entry{{"a", 1}, {"b", 0.1}, {"c", 3}}

// journalOf is a file with some records.
func journalOf(t *testing.T, records ...entry) (path, text string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "journal.jsonl")
	all, err := JournalText(records...)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(all))
	return path, string(all)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLinesAreJSONWithAChecksum(t *testing.T) {
	_, text := journalOf(t, some[0])
	// printf '{"name":"a","value":1' | sha256sum
	if want := `{"name":"a","value":1,"check":"85c8d2fa7c3c0c5009ced80ef1637522"}` + "\n"; text != want {
		t.Errorf("got %s, want %s", text, want)
	}
	if line, err := JournalText(struct{}{}); err == nil {
		t.Errorf("a record without keys is written: %s", line)
	}
}

// What has been altered is told by who reads the records, and left out by who goes on from
// them, wherever it is.
func TestAlteredLinesAreNoticed(t *testing.T) {
	for name, alter := range map[string]func(string) string{
		"a digit":                 func(s string) string { return strings.Replace(s, "0.1", "0.2", 1) },
		"a type":                  func(s string) string { return strings.Replace(s, "0.1", `"x"`, 1) },
		"no checksum":             func(s string) string { return cutSum(s, `"value":0.1`) },
		"the checksum of another": func(s string) string { return strings.Replace(s, `"b","value":0.1`, `"a","value":1`, 1) },
	} {
		path, text := journalOf(t, some...)
		write(t, path, alter(text))
		_, err := ReadJournal[entry](path)
		if e := input.Find(err); e == nil || e.Line != 2 || e.File != path {
			t.Errorf("%s: error %v, want one at line 2", name, err)
		}
		j, got, err := OpenJournal[entry](path)
		if err != nil || !slices.Equal(got, []entry{some[0], some[2]}) {
			t.Fatalf("%s: %v, %v", name, got, err)
		}
		if err := errors.Join(j.Append(some[1]), j.Close()); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadJournal[entry](path); err != nil || !slices.Equal(got, []entry{some[0], some[2], some[1]}) {
			t.Errorf("%s: afterwards %v, %v", name, got, err)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
			t.Errorf("%s: %v is left", name, left)
		}
	}
}

// cutSum takes the checksum off the line that has a text.
func cutSum(s, after string) string {
	at := strings.Index(s, after) + len(after)
	end := at + strings.IndexByte(s[at:], '\n')
	return s[:at] + "}" + s[end:]
}

// Whichever bit is flipped, no record is read that was not written.
func TestFlippedBitsMakeNoRecords(t *testing.T) {
	for _, records := range [][]entry{some, some[:1]} {
		_, text := journalOf(t, records...)
		for at := range 8 * len(text) {
			flipped := []byte(text)
			flipped[at/8] ^= 1 << (at % 8)
			got, good, _ := parse[entry](flipped)
			for _, e := range got {
				if !slices.Contains(records, e) {
					t.Fatalf("bit %d of %d: %v is read", at, 8*len(text), e)
				}
			}
			if len(got) < len(records)-2 || !strings.HasSuffix(text, string(good)) && len(got) == len(records) { // a newline ends two lines
				t.Fatalf("bit %d: of %d records, %d are left", at, len(records), len(got))
			}
		}
	}
}

// An altered line does not hide behind one that was not finished.
func TestAlteredLinesAreNoticedBeforeATornOne(t *testing.T) {
	path, text := journalOf(t, some[:2]...)
	for _, c := range []struct {
		text string
		line int // that is told; 0 for none
		left int // out, though finished
	}{
		{text, 0, 0},
		{text + `{"name":"to`, 0, 0},
		{strings.Replace(text, "0.1", "0.2", 1) + `{"name":"to`, 2, 1},
		{strings.Replace(text, `"a"`, `"d"`, 1) + "{}\n" + `{"name":"to`, 1, 2},
		{"", 0, 0},
	} {
		write(t, path, c.text)
		_, err := ReadJournal[entry](path)
		if e := input.Find(err); (e == nil) != (c.line == 0) || e != nil && e.Line != c.line {
			t.Errorf("%s: error %v, want one at line %d", c.text, err, c.line)
		}
		j, _, err := OpenJournal[entry](path)
		if err != nil {
			t.Fatal(err)
		}
		if got := j.Altered(); got != c.left {
			t.Errorf("%s: %d lines have been altered, want %d", c.text, got, c.left)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
