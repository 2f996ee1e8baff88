package parquet

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

type row struct {
	Day  string    `parquet:"day"`
	A    float64   `parquet:"a"`
	B    *int32    `parquet:"b,optional"`
	When time.Time `parquet:"when,timestamp"`
	List []float64 `parquet:"list"`
}

func sampleRows() []row {
	two, four := int32(2), int32(4)
	return []row{{Day: "Mo", A: 1, B: &two}, {Day: "Tu", A: 3, B: &four}, {Day: "We", A: 5}}
}

// write writes rows in groups of two.
func write[T any](t testing.TB, rows []T, o ...parquet.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, o...)
	for len(rows) > 0 {
		n := min(2, len(rows))
		if _, err := w.Write(rows[:n]); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		rows = rows[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(b []byte) (*File, error) { return Open(bytes.NewReader(b), int64(len(b))) }

func TestMetadataIsFoundByItsKey(t *testing.T) {
	f, err := open(write(t, sampleRows(), parquet.KeyValueMetadata("pandas", "{}")))
	if err != nil || f.Metadata("pandas") != "{}" || f.Metadata("other") != "" {
		t.Errorf("%q, %v", f.Metadata("pandas"), err)
	}
}

func TestEachFaultHasItsError(t *testing.T) {
	whole := write(t, sampleRows())
	for name, b := range map[string][]byte{
		"nothing":                nil,
		"something else":         []byte("a,b\n1,2\n3,4\n5,6\n"),
		"half a file":            whole[:len(whole)/2],
		"an end beyond the file": append(slices.Clone(whole[:len(whole)-8]), "\xff\xff\xff\x7fPAR1"...),
	} {
		if _, err := open(b); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// Where the first page should start, a set of 2³¹ numbers is claimed.
	f, err := open(slices.Concat(whole[:4], []byte("\xfa\xf7\xff\xff\xff\xff\x07"), whole[11:]))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Texts(f.Columns[0]); !errors.Is(err, ErrDamaged) {
		t.Errorf("a set without end: got %v", err)
	}
	if f, err = open(slices.Concat(whole[:4], make([]byte, 7), whole[11:])); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Texts(f.Columns[0]); !errors.Is(err, ErrPages) {
		t.Errorf("a page that is none: got %v", err)
	}
	if f, err = open(write(t, sampleRows(), parquet.Compression(&parquet.Lz4Raw))); err != nil {
		t.Fatal(err)
	}
	_, err = f.Numbers(f.Columns[1], nil)
	if e, ok := errors.AsType[*CompressionError](err); !ok || e.Codec != "lz4_raw" {
		t.Errorf("LZ4: got %v", err)
	}
}

func TestDecimalsAreNegativeIfTheirFirstBitIsSet(t *testing.T) {
	for bytes, want := range map[string]float64{"": 0, "\x05": 5, "\xff\x06": -250, "\x80": -128, "\x01" + strings.Repeat("\x00", 15): 0x1p120} {
		if got := bigEndian([]byte(bytes)); got != want {
			t.Errorf("% x is %g, not %g", bytes, got, want)
		}
	}
}
