package dataio

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// What the elements of a MATLAB file hold, and what an array may be.
const (
	miInt8, miUint8, miInt32, miUint32, miSingle, miMatrix, miCompressed, miUTF8 = 1, 2, 5, 6, 7, 14, 15, 16
	matCell, matStruct, matChar, matSparse, matDouble, matUint8                  = 1, 2, 4, 5, 6, 9
)

// matTag starts an element of that many bytes.
func matTag(kind uint32, size int) []byte { return ints(int32(kind), int32(size)) }

// matElement appends an element.
func matElement(b []byte, kind uint32, data []byte) []byte {
	b = append(append(b, matTag(kind, len(data))...), data...)
	return append(b, make([]byte, -len(data)&7)...)
}

// matHead is what stands before the values of an array.
func matHead(class, nonzeros int32, rows, cols int32, name string) []byte {
	head := matElement(nil, miUint32, ints(class, nonzeros))
	return matElement(matElement(head, miInt32, ints(rows, cols)), miInt8, []byte(name))
}

// matlabFile is a file of elements that are not compressed.
func matlabFile(elements ...[]byte) string {
	var b bytes.Buffer
	newMATWriter(&b)
	for _, e := range elements {
		b.Write(matTag(miMatrix, len(e)))
		b.Write(e)
	}
	return b.String()
}

// matlabMatrix is a matrix of bytes, rows × cols.
func matlabMatrix(name string, rows, cols int32, values ...byte) []byte {
	return matElement(matHead(matUint8, 0, rows, cols, name), miUint8, values)
}

func matlabText(name string, rows, cols int32, text string) []byte {
	return matElement(matHead(matChar, 0, rows, cols, name), miUTF8, []byte(text))
}

func matlabCells(name string, texts ...string) []byte {
	cells := matHead(matCell, 0, 1, int32(len(texts)), name)
	for _, text := range texts {
		cell := matlabText("", 1, int32(len(text)), text)
		cells = append(append(cells, matTag(miMatrix, len(cell))...), cell...)
	}
	return cells
}

func TestSignalsAreFoundInMATLABFiles(t *testing.T) {
	y := matlabMatrix("y", 2, 2, 1, 2, 3, 4) // observations (1, 3) and (2, 4)
	scalar := matlabMatrix("X", 1, 1, 9)
	other := matlabMatrix("Z", 2, 2, 9, 9, 9, 9)
	sparse := matElement(matElement(matElement(matHead(matSparse, 4, 2, 2, "S"),
		miInt32, ints(0, 1, 0, 1)), miInt32, ints(0, 2, 4)), miUint8, []byte{1, 2, 3, 4})
	for name, c := range map[string]struct {
		file, variable, names string
	}{
		"the only matrix":          {matlabFile(y), "", "v0 v1"},
		"a matrix among scalars":   {matlabFile(scalar, y, matlabCells("who", "me")), "", "v0 v1"},
		"the one called Y":         {matlabFile(other, bytes.Replace(y, []byte("y"), []byte("Y"), 1)), "", "v0 v1"},
		"the one asked for":        {matlabFile(other, y), "y", "v0 v1"},
		"a sparse one":             {matlabFile(sparse), "", "v0 v1"},
		"names in cells beside it": {matlabFile(y, matlabCells("names", "a b", "ü")), "", "a b ü"},
		"names in rows beside it":  {matlabFile(matlabText("names", 2, 2, "ab c"), y), "", "a bc"},
	} {
		s, err := decode(c.file, MAT, ReadOptions{Variable: c.variable})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(s.Names, " "); got != c.names || !mat.Equal(s.Y, mat.NewDense(2, 2, []float64{1, 2, 3, 4})) {
			t.Errorf("%s: names %s, %v", name, got, mat.Formatted(s.Y))
		}
	}
}

func ints(values ...int32) []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, values)
	return b
}

func TestBadMATLABFilesAreAnsweredWithWhatAndHow(t *testing.T) {
	y := matlabMatrix("Y", 1, 2, 1, 2)
	whole := matlabFile(y)
	complexOne := bytes.Clone(y)
	complexOne[9] |= 8
	const unknown = "this is not a MATLAB file: save it with save('signals.mat', 'Y', '-v7')"
	for name, c := range map[string]struct{ file, want string }{
		"an empty file":            {"", "the file is empty"},
		"something else":           {"a,b\n1,2\n", unknown},
		"version 7.3":              {"MATLAB 7.3 MAT-file, Platform: GLNXA64" + strings.Repeat(" ", 600), "this is a MATLAB v7.3 (HDF5) file, which cannot be read: save it with '-v7'"},
		"version 4":                {string(ints(0, 1, 2, 0, 2)) + "Y\x00" + strings.Repeat("\x00", 16), "this is a MATLAB v4 file, which cannot be read: save it with '-v7'"},
		"nothing in it":            {matlabFile(), "the file holds no matrix of numbers: save one with save('signals.mat', 'Y', '-v7')"},
		"no numbers in it":         {matlabFile(matlabCells("c", "x"), matHead(matStruct, 0, 1, 1, "G")), "the file holds no matrix of numbers, only c (cell array), G (struct): save one as a variable of its own"},
		"two matrices":             {matlabFile(matlabMatrix("a", 2, 2, 1, 2, 3, 4), matlabMatrix("b", 2, 2, 1, 2, 3, 4)), "the file holds several matrices (a 2×2, b 2×2): say which to read, or call it signals"},
		"half a file":              {whole[:len(whole)-4], "the file is cut short: copy or save it again"},
		"complex numbers":          {matlabFile(complexOne), `variable "Y": its numbers are complex: take their real parts, or moduli, and save it again`},
		"a size beyond all bounds": {matlabFile(matlabMatrix("Y", 1<<30, 1<<30, 1, 2)), `variable "Y": the array claims shape 1073741824×1073741824, more than the 268435456 values that can be read: take fewer observations`},
		"too few names":            {matlabFile(y, matlabCells("names", "a")), "there are 1 names for 2 vertices: check the names, or whether the file has vertices in rows"},
		"a name given twice":       {matlabFile(y, matlabCells("names", "a", "a")), `variable "names": the vertex name "a" is given twice, in entry (1) and entry (2): names must differ`},
		"names that are numbers":   {matlabFile(y, matlabMatrix("names", 1, 2, 1, 2)), `variable "names": it is not a cell array of text: save it as cellstr(names)`},
		"infinity":                 {matlabFile(matElement(matHead(matDouble, 0, 1, 2, "Y"), miSingle, binary.LittleEndian.AppendUint32(ints(0), math.Float32bits(float32(math.Inf(1)))))), "the value at index (1, 2) (v1) is not finite: it must be a number below 1.8e308 in size"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decode(c.file, MAT, ReadOptions{})
			wantFault(t, err, 0, 0, "stdin: "+c.want)
		})
	}
	_, err := decode(whole, MAT, ReadOptions{Variable: "Z"})
	wantFault(t, err, 0, 0, `stdin: the file has no variable "Z" (it holds Y 1×2): say which to read, or call it signals`)
	_, err = decode(matlabFile(y, matlabCells("c", "x")), MAT, ReadOptions{Variable: "c"})
	wantFault(t, err, 0, 0, `stdin: variable "c" (cell array) is not a matrix of numbers (the file holds Y 1×2): say which to read, or call it signals`)
	_, err = DecodeGraph(strings.NewReader(matlabFile(matlabMatrix("a", 2, 2, 0, 1, 1, 0), matlabMatrix("b", 2, 2, 0, 1, 1, 0))), "g.mat", "", nil)
	wantFault(t, err, 0, 0, "g.mat: the file holds several matrices, and none of them is called W: call the matrix of weights so")
	_, err = decode("1,2\n", CSV, ReadOptions{Variable: "Z"})
	wantFault(t, err, 0, 0, `stdin: a .csv file has no variable "Z", for it holds a single table: leave the name out`)
}

func TestLaplaciansInMATLABFilesAreThoseOfTheGraph(t *testing.T) {
	g := pathGraph(t)
	var b bytes.Buffer
	if err := EncodeGraph(&b, MAT, g); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]mat.Matrix{"W": g.Weights(), "L": g.Laplacian()} {
		s, err := DecodeSignals(bytes.NewReader(b.Bytes()), "g.mat", ReadOptions{Variable: name, Transpose: true})
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(s.Y, want) || strings.Join(s.Names, " ") != "v0 v1 v2" {
			t.Errorf("%s is %v", name, mat.Formatted(s.Y))
		}
	}
}
