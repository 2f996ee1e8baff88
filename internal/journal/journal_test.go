package journal

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
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
		j, old, err := Open[entry](path)
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
	if got, err := Read[entry](path); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestABrokenLineInTheMiddleIsLocated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	if err := os.WriteFile(path, []byte("{}\n{\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := Open[entry](path)
	if e := input.Find(err); e == nil || e.Line != 2 || e.File != path {
		t.Errorf("error %v, want one at line 2", err)
	}
}

// FuzzParse: whatever a file holds, reading it neither panics nor gives records
// that cannot be written again.
func FuzzParse(f *testing.F) {
	f.Add([]byte("{\"name\":\"a\",\"value\":0.5}\n{\"na"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		records, good, err := parse[entry]("file", text)
		if err != nil {
			return
		}
		if good > len(text) {
			t.Fatalf("%d good bytes of %d", good, len(text))
		}
		for _, r := range records {
			line, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			var again entry
			if err := json.Unmarshal(line, &again); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
	})
}
