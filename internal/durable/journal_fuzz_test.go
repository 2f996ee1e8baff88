package durable

import (
	"bytes"
	"slices"
	"testing"

	"github.com/nervure/nervure/internal/fuzzing"
)

// Whatever a file holds, reading it neither panics nor gives records
// that cannot be written again, and what is kept of it reads as the same.
func FuzzParseJournal(f *testing.F) {
	f.Add([]byte("{\"name\":\"a\",\"value\":0.5}\n{\"na"))
	f.Add([]byte("\n\n"))
	if text, err := JournalText(some...); err == nil {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		records, good, bad := parse[entry](text)
		if again, same, none := parse[entry](good); !slices.Equal(again, records) || !bytes.Equal(same, good) || len(none) > 0 {
			t.Fatalf("%d records and %d lines that are none; of what was kept, %d and %d", len(records), len(bad), len(again), len(none))
		}
		written, err := JournalText(records...)
		if err != nil {
			t.Fatal(err)
		}
		if again, _, none := parse[entry](written); !slices.Equal(again, records) || len(none) > 0 {
			t.Fatalf("%v is written as %s", records, written)
		}
	})
}

// A journal reads as what was appended. With anything wrong with it, no record is read that was not appended.
func FuzzBuiltJournal(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte("\x03\x02ab\x00\x05\x01c\x01\x00\x07\x04\x12\x13de\x02\x03"), []byte{2, 30, 8, 2})
	f.Fuzz(func(t *testing.T, recipe, harm []byte) {
		c := fuzzing.By(recipe)
		want := make([]entry, 1+c.Int(5))
		for k := range want {
			want[k] = entry{c.Text(), c.Number()}
		}
		text, err := JournalText(want...)
		if err != nil {
			t.Fatal(err)
		}
		if got, good, bad := parse[entry](text); !slices.Equal(got, want) || !bytes.Equal(good, text) || len(bad) > 0 {
			t.Fatalf("%q: got %v, want %v", text, got, want)
		}
		damaged := fuzzing.By(harm).Damage(text)
		got, _, _ := parse[entry](damaged)
		for _, r := range got {
			if !slices.Contains(want, r) {
				t.Errorf("%q: %v was not appended", damaged, r)
			}
		}
	})
}
