package dataio

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/matrix"

	"github.com/parquet-go/parquet-go"
	"gonum.org/v1/gonum/mat"
)

type parquetRow struct {
	Day string  `parquet:"day"`
	A   float64 `parquet:"a"`
	B   *int32  `parquet:"b,optional"`
}

// parquetFile writes rows in groups of two.
func parquetFile[T any](t testing.TB, rows []T, o ...parquet.WriterOption) string {
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
	return b.String()
}

func sampleRows() []parquetRow {
	two, four := int32(2), int32(4)
	return []parquetRow{{"Mo", 1, &two}, {"Tu", 3, &four}, {"We", 5, nil}}
}

func TestParquetColumnsAreVertices(t *testing.T) {
	nan := math.NaN()
	for name, o := range map[string][]parquet.WriterOption{
		"plain":      nil,
		"compressed": {parquet.Compression(&parquet.Zstd)},
		"gzipped":    {parquet.Compression(&parquet.Gzip)},
		"by snappy":  {parquet.Compression(&parquet.Snappy), parquet.DataPageVersion(1)},
	} {
		file := parquetFile(t, sampleRows(), o...)
		for _, transpose := range []bool{false, true} {
			s, err := decode(file, Parquet, ReadOptions{Transpose: transpose})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, names, notes := mat.Matrix(s.Y), "a b", `column "day" is treated as row labels`
			if transpose {
				got, names, notes = s.Y.T(), "Mo Tu We", ""
			}
			if strings.Join(s.Names, " ") != names || strings.Join(s.Notes, ";") != notes || matrix.Missing(s.Y) != 1 {
				t.Errorf("%s, transpose %t: names %q, notes %q, %d missing", name, transpose, s.Names, s.Notes, matrix.Missing(s.Y))
			}
			want := [][]float64{{1, 3, 5}, {2, 4, nan}}
			for i, row := range want {
				for j, v := range row {
					if x := got.At(i, j); x != v && !(math.IsNaN(x) && math.IsNaN(v)) {
						t.Errorf("%s: entry (%d, %d) is %g, not %g", name, i, j, x, v)
					}
				}
			}
		}
	}
}

// The first column counts the rows under the names, and from as many rows on, as it does in text.
func TestAParquetColumnThatCountsRowsIsNoVertex(t *testing.T) {
	type yearly struct {
		Year int64   `parquet:"YEAR"`
		A    float64 `parquet:"a"`
		B    float64 `parquet:"b"`
	}
	var rows []yearly
	for k := range 12 {
		rows = append(rows, yearly{1950 + int64(k), math.Sin(float64(k)), math.Cos(float64(3 * k))})
	}
	for _, counts := range []bool{true, false} {
		s, err := decode(parquetFile(t, rows), Parquet, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(s.Names); got != 3 && !counts || got != 2 && counts {
			t.Errorf("counting %t: the vertices are %q", counts, s.Names)
		}
		rows[5].Year = 1999
	}
}

func TestBadParquetFilesAreAnsweredWithWhatAndHow(t *testing.T) {
	whole := parquetFile(t, sampleRows())
	const damaged = "this is not a Parquet file, or it is damaged: write it again with pandas.DataFrame.to_parquet"
	type place struct {
		A    float64 `parquet:"a"`
		City string  `parquet:"city"`
	}
	type lists struct {
		L []float64 `parquet:"l"`
	}
	for name, c := range map[string]struct{ file, want string }{
		"something else": {"a,b\n1,2\n3,4\n5,6\n", damaged},
		"text":           {parquetFile(t, []place{{1, "x"}}), `column "city" holds text, not numbers: leave it out`},
		"lists":          {parquetFile(t, []lists{{[]float64{1}}}), `column "l" holds lists or records, not numbers: leave it out`},
		"no rows":        {parquetFile(t, []parquetRow{}), "there is a header but no row of numbers"},
		"LZ4":            {parquetFile(t, sampleRows(), parquet.Compression(&parquet.Lz4Raw)), `column "day": compression by lz4_raw cannot be read: write the file with snappy, gzip or zstd`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decode(c.file, Parquet, ReadOptions{})
			wantFault(t, err, 0, 0, "stdin: "+c.want)
		})
	}
	// Where the first page, of labels, should start, a set of 2³¹ numbers is claimed.
	_, err := decode(whole[:4]+"\xfa\xf7\xff\xff\xff\xff\x07"+whole[11:], Parquet, ReadOptions{Transpose: true})
	wantFault(t, err, 0, 0, "stdin: "+damaged)
	_, err = decode(whole, Parquet, ReadOptions{MaxValues: 5})
	wantFault(t, err, 0, 0, "stdin: the array claims shape 3×2, more than the 5 values that can be read: take fewer observations")
}
