package dataio

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"
	"testing"
)

// packed compresses text repeated so often, without ever holding it.
func packed(t *testing.T, z io.WriteCloser, start, text string, times int) {
	t.Helper()
	if _, err := io.WriteString(z, start); err != nil {
		t.Fatal(err)
	}
	block := strings.Repeat(text, 1<<20/len(text))
	for range times * len(text) / len(block) {
		if _, err := io.WriteString(z, block); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCompressedFilesAreNotInflatedBeyondReason(t *testing.T) {
	const size, refused = 9 << 20, "it decompresses to more than 250 times its size: if that is meant, save it without compression"
	file := func(start, text string) string {
		var b bytes.Buffer
		packed(t, gzip.NewWriter(&b), start, text, size/len(text))
		return b.String()
	}
	var inside, matlab bytes.Buffer
	head := append(matHead(matUint8, 0, 1<<12, size>>12, "Y"), matTag(miUint8, size)...)
	packed(t, zlib.NewWriter(&inside), string(matTag(miMatrix, len(head)+size))+string(head), "\x00", size)
	newMATWriter(&matlab)
	matlab.Write(matTag(miCompressed, inside.Len()))
	matlab.Write(inside.Bytes())
	array := npyFile(header("|u1", "False", "(4096, 3072)"), "")
	for name, c := range map[string]struct {
		file   string
		format Format
		want   string
	}{
		"rows":            {file("a,b\n", "0,0\n"), CSV, refused},
		"an endless line": {file("", "0,"), CSV, refused},
		"an endless cell": {file("\"", "a"), CSV, refused},
		"an array":        {file(array, "\x00"), NPY, refused},
		"an archive":      {npzFile(t, "Y.npy", array+strings.Repeat("\x00", size)), NPZ, `array "Y": ` + refused},
		"a MATLAB file":   {matlab.String(), MAT, `variable "Y": ` + refused},
	} {
		_, err := decode(c.file, c.format, ReadOptions{})
		if err == nil || err.Error() != "stdin: "+c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := DecodeGraph(strings.NewReader(file("%%MatrixMarket matrix coordinate real symmetric\n", "%\n")), "g.mtx", "", nil)
	wantFault(t, err, 0, 0, "g.mtx: "+refused)
}

func TestLinesWithoutEndAreASentence(t *testing.T) {
	if testing.Short() {
		t.Skip("takes lines of 64 MiB")
	}
	_, err := decode(strings.Repeat("0,", maxLine/2+inputBuffer), CSV, ReadOptions{})
	wantFault(t, err, 1, 0, "stdin: line 1: this line is longer than 67108864 bytes: is this a table, and are its lines ended?")
	_, err = decode("\""+strings.Repeat(strings.Repeat("a", 1023)+"\n", maxLine>>10+64), CSV, ReadOptions{})
	wantFault(t, err, 1, 0, "stdin: line 1: a quotation mark is opened and not closed for 67108864 bytes: close it, or double it if it belongs to the text")
}

func TestTooManyValuesAreASentence(t *testing.T) {
	_, err := decode("a,b\n1,2\n3,4\n5,6\n", CSV, ReadOptions{MaxValues: 6})
	wantFault(t, err, 4, 0, "stdin: line 4: there are more than the 6 values that can be read: take fewer observations")
	_, err = decode(npyFile(header("|u1", "False", "(3, 2)"), "123456"), NPY, ReadOptions{MaxValues: 5})
	wantFault(t, err, 0, 0, "stdin: the array claims shape (3, 2), more than the 5 values that can be read: take fewer observations")
}

// A mistake in the second line of a long compressed stream is answered before its end has
// come, and damage right behind it is still what is told.
func TestMistakesInLongCompressedStreamsAreAnsweredEarly(t *testing.T) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	packed(t, z, "a,b\n1,x\n", "1,2\n", 4*afterError/len("1,2\n"))
	r := bytes.NewReader(b.Bytes())
	_, err = DecodeSignals(r, "s.csv.gz", ReadOptions{Format: CSV})
	wantFault(t, err, 2, 2, `s.csv.gz: line 2, column 2: "x" is not a number: a column holds numbers or text and not both; code ordered answers as numbers such as 1 to 5, or leave the column out`)
	if read := b.Len() - r.Len(); read > 2*afterError {
		t.Errorf("%d of %d bytes are read", read, b.Len())
	}
	cut := bytes.NewReader(b.Bytes()[:afterError/2])
	_, err = DecodeSignals(cut, "s.csv.gz", ReadOptions{Format: CSV})
	wantFault(t, err, 0, 0, "s.csv.gz: the compressed data is damaged or cut short: copy or compress the file again")
}
