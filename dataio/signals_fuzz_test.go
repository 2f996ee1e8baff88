package dataio

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/fuzzing"
)

// Whatever a table of text holds, it is signals or refused, and signals read back as the same.
func FuzzSignalsTable(f *testing.F) {
	for _, text := range []string{
		"1,2\n3,4\n", "a;b\n1,5;2\n", ",0,1\n0,1,2\n1,3,4\n", "t\ta\n2021-01-03\t1e400\n", "\ufeff\"a\nb\",NA\r\n1,2\r\n", "x,1\n,2\n", "1\n\n2\n", "\t6\nk\t1",
		"time,a\n2024-01-31 13:00,1\n31.01.2024,2\n", "a,date,time\n1,2024-01-31,13:00\n2,2024-01-30,24:00\n", "t,a,b\n1706706000,1,2\n1706709600,3,\n",
		"# a\n# t,a\n0,1\n1,2\n# end\n", "title,,\n,,\nt,a,b\ns,m,m\n0,\"1,234.5\",3\n1,2,-\n", "a|b\n1|2\n", "a b\n1,5 2\n3 4,5\n", "t,s,v\nx,a,1\nx,b,2\ny,a,3\ny,b,4\n",
		"\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00", "Z\xfcrich,b\n1,2\n", "d,a,b\nMo,1,2\nTu,3,4\nTotal,4,6\n", "2001,2002,2003\n1,2,3\n2,3,1\n", "\"a\" \"b\"\n1 2 3\n2 3 4\n", "x,2024-01,2024-03,2024-02\na,1,2,3\n",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, transpose bool) {
		text = text[:min(len(text), longestInput)]
		s, err := decode(text, CSV, ReadOptions{Transpose: transpose})
		checkAccepted(t, s, err, []Format{CSV, TSV, NPZ}[len(text)%3])
	})
}

// Whatever a binary file holds, it is signals or refused, and signals read back as the same.
func FuzzSignalsFile(f *testing.F) {
	formats := Formats(ReadsSignals)
	for format, files := range map[Format][]string{
		NPY: {npyFile(header("|u1", "False", "(2, 3)"), "123456"), npyFile(header(">f2", "True", "(2, 3)"), "123456789012")},
		NPZ: {npzFile(f, "Y.npy", npyFile(header("|u1", "False", "(1, 2)"), "12"), "names.npy", npyFile(header("|S1", "False", "(2,)"), "ab"))},
		MAT: {
			matlabFile(matlabMatrix("Y", 2, 2, 1, 2, 3, 4), matlabCells("names", "a", "b")),
			matlabFile(matlabMatrix("Y", 2, 2, 1, 2, 3, 4), matlabText("names", 2, 2, "ab c")),
		},
		Parquet: {parquetFile(f, sampleRows())},
	} {
		for _, file := range files {
			f.Add([]byte(file), uint8(slices.Index(formats, format)), true)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, k uint8, transpose bool) {
		format := formats[int(k)%len(formats)]
		file = file[:min(len(file), longestInput)]
		s, err := DecodeSignals(bytes.NewReader(file), "fuzz", ReadOptions{Format: format, Transpose: transpose, MaxValues: 1 << 12})
		checkAccepted(t, s, err, []Format{NPY, NPZ, MAT}[len(file)%3])
	})
}

// A builtTable is a table of text, and the signals that it holds.
type builtTable struct {
	text, separator string
	names           []string   // nil for the usual ones
	matrix          *mat.Dense // vertices × observations
	isPlain         bool       // nothing but numbers, so that it can be read with vertices in rows
}

// buildTable writes numbers as one of the many programs that write tables.
func buildTable(c *fuzzing.Choices) *builtTable {
	b := &builtTable{separator: fuzzing.Pick(c, ",", ";", "\t")}
	vertices, observations := 1+c.Int(5), 1+c.Int(6)
	header, labels := c.Bool(), fuzzing.Pick(c, "", "row", "time")
	if !header {
		labels = ""
	}
	b.isPlain = !header
	width := vertices
	if labels != "" {
		width++
	}
	comma := b.separator == ";" && width > 1 && c.Bool()
	end, blank := fuzzing.Pick(c, "\n", "\r\n"), width > 1 && c.Bool()
	var rows [][]string
	if header {
		var row []string
		if labels != "" {
			row = append(row, fuzzing.Pick(c, labels, "\""+labels+"\""))
		}
		for i, name := range c.Names(vertices) {
			name = strings.TrimSpace(fmt.Sprintf("n%d%s", i, name))
			b.names = append(b.names, name)
			row = append(row, cellOf(name))
		}
		rows = append(rows, row)
	}
	b.matrix = mat.NewDense(vertices, observations, nil)
	for k := range observations {
		var row []string
		switch labels {
		case "row":
			row = append(row, fmt.Sprintf("r%d", k))
		case "time":
			row = append(row, fmt.Sprintf("2024-01-%02d 1%d:30", k+1, c.Int(10)))
		}
		for i := range vertices {
			v := c.Number()
			text := strconv.FormatFloat(v, fuzzing.Pick(c, byte('g'), 'e'), -1, 64)
			if comma {
				text = strings.Replace(text, ".", ",", 1)
			}
			if i > 0 && k > 0 && c.Int(5) == 4 {
				v, text = math.NaN(), fuzzing.Pick(c, "", "NA", "nan", "null", "N/A")
			}
			b.matrix.Set(i, k, v)
			row = append(row, fuzzing.Pick(c, text, text, " "+text, text+" ", "\""+text+"\""))
		}
		rows = append(rows, row)
	}
	var text strings.Builder
	text.WriteString(fuzzing.Pick(c, "", "", "\ufeff"))
	for k, row := range rows {
		text.WriteString(strings.Join(row, b.separator))
		if k < len(rows)-1 || c.Bool() {
			text.WriteString(end)
		}
		if blank && c.Bool() {
			text.WriteString(end)
		}
	}
	b.text = text.String()
	return b
}

// cellOf quotes a name unless it is nothing but letters and digits.
func cellOf(name string) string {
	if regexp.MustCompile(`^\w+$`).MatchString(name) {
		return name
	}
	return "\"" + strings.ReplaceAll(name, "\"", "\"\"") + "\""
}

// slowTable reads a table in another way: only such as have a header of names like those that
// buildTable gives, no quotation marks, and no cell without a number. It returns nil for others.
func slowTable(data []byte) (names []string, y *mat.Dense) {
	if bytes.ContainsAny(data, "\"\r;\t") {
		return nil, nil
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	rows, err := r.ReadAll()
	if err != nil || len(rows) < 2 || len(rows[0]) < 2 {
		return nil, nil
	}
	for _, name := range rows[0] {
		if !regexp.MustCompile(`^n\d\w*$`).MatchString(name) {
			return nil, nil
		}
	}
	y = mat.NewDense(len(rows[0]), len(rows)-1, nil)
	for k, row := range rows[1:] {
		for i, cell := range row {
			v, ok := number(cell)
			if !ok || math.IsNaN(v) {
				return nil, nil
			}
			y.Set(i, k, v)
		}
	}
	return rows[0], y
}

// A table that another program has written reads as what was put in. Damaged, it reads as by another
// reader, if both read it; and compressed and damaged, as it was, or not at all.
func FuzzBuiltTable(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte("\x00\x02\x03\x01\x00\x00\x00\x02ab\x01c\x00\x00\x05\x02\x03\x01\x01\x09\x02\x00\x07"), []byte{2, 30, 8, 4})
	f.Add([]byte("\x01\x02\x03\x01\x02\x01\x01\x01\x03\x09\x0b\x0c\x00\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09"), []byte{0, 20, 4, 2})
	f.Add([]byte("\x02\x03\x02\x00\x00\x00\x00\x05\x06\x01\x03\x03\x04\x05\x06\x07\x08\x09\x01\x01\x01"), []byte{0, 2, 6, 2})
	f.Fuzz(func(t *testing.T, recipe, harm []byte) {
		b := buildTable(fuzzing.By(recipe))
		names := b.names
		if names == nil {
			names = graph.DefaultNames(b.matrix.RawMatrix().Rows)
		}
		format := CSV
		if b.separator == "\t" {
			format = TSV
		}
		got, err := decode(b.text, format, ReadOptions{})
		if err != nil || !sameValues(got.Y, b.matrix) || !slices.Equal(got.Names, names) {
			t.Fatalf("%q: got %+v, %v, want %q %v", b.text, got, err, names, mat.Formatted(b.matrix))
		}
		if b.isPlain {
			turned, err := decode(b.text, format, ReadOptions{Transpose: true})
			if err != nil || !sameValues(turned.Y, mat.DenseCopyOf(b.matrix.T())) {
				t.Fatalf("%q: with vertices in rows, got %+v, %v", b.text, turned, err)
			}
		}
		damaged := fuzzing.By(harm).Damage([]byte(b.text))
		s, err := decode(string(damaged), format, ReadOptions{})
		checkAccepted(t, s, err)
		if err != nil {
			checkSentence(t, err)
		} else if names, y := slowTable(damaged); names != nil && s.Times == nil && (!sameValues(s.Y, y) || !slices.Equal(s.Names, names)) {
			t.Errorf("%q: got %q %v, but read in another way %q %v", damaged, s.Names, mat.Formatted(s.Y), names, mat.Formatted(y))
		}
		packed := packedAndDamaged([]byte(b.text), harm)
		if packed == nil {
			return
		}
		if s, err := decode(string(packed), format, ReadOptions{}); err == nil && (!sameValues(s.Y, b.matrix) || !slices.Equal(s.Names, names)) {
			t.Errorf("compressed and damaged, it is %q %v, not %q %v", s.Names, mat.Formatted(s.Y), names, mat.Formatted(b.matrix))
		}
	})
}
