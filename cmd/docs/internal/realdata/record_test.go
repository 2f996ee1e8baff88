package realdata

import (
	"path/filepath"
	"testing"
)

// What is committed reads as written.
func TestCommittedRecordsAreInOrder(t *testing.T) {
	records, err := ReadRecords(filepath.Join(root, Results))
	if err != nil || len(records) != len(Sets) {
		t.Fatalf("%d records, want %d: %v", len(records), len(Sets), err)
	}
	for k, r := range records {
		if r.Set != Sets[k].Name || len(r.Methods) == 0 || r.Methods[0].Method != Auto || r.Of("ggl") == nil || r.Of("no such method") != nil {
			t.Errorf("%s stands where %s should, or has no auto first", r.Set, Sets[k].Name)
		}
	}
}

func TestUnknownSetsAreRefused(t *testing.T) {
	path := filepath.Join(directory(t, map[string]string{"r.jsonl": `{"set": "atlantis"}` + "\n"}), "r.jsonl")
	if records, err := ReadRecords(path); err == nil {
		t.Errorf("got %v", records)
	}
}

func TestRecordsThatDoNotExistYetAreNone(t *testing.T) {
	if records, err := ReadRecords(filepath.Join(t.TempDir(), "none")); err != nil || records != nil {
		t.Errorf("%v, %v", records, err)
	}
}
