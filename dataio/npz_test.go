package dataio

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// npzFile makes an archive of files given as name, content, name, content, …
func npzFile(t testing.TB, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(files); k += 2 {
		w, err := z.Create(files[k])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[k+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSignalsAreFoundInArchives(t *testing.T) {
	want := npyFile(header("|u1", "False", "(1, 2)"), "\x01\x02")
	other := npyFile(header("|u1", "False", "(1, 2)"), "\x05\x06")
	vector := npyFile(header("|u1", "False", "(2,)"), "\x07\x08")
	names := npyFile(header("<U2", "False", "(2,)"), "a\x00\x00\x00b\x00\x00\x00\xac\x20\x00\x00\x00\x00\x00\x00")
	for name, c := range map[string]struct {
		files []string
		names string
	}{
		"the only array":           {[]string{"whatever.npy", want}, "v0 v1"},
		"the only matrix":          {[]string{"t.npy", vector, "whatever.npy", want, "readme.txt", "hello"}, "v0 v1"},
		"signals before Y":         {[]string{"Y.npy", other, "signals.npy", want}, "v0 v1"},
		"arr_0 before others":      {[]string{"arr_1.npy", other, "arr_0.npy", want}, "v0 v1"},
		"names beside it":          {[]string{"names.npy", names, "data.npy", want}, "ab €"},
		"names as bytes beside it": {[]string{"data.npy", want, "names.npy", npyFile(header("|S2", "False", "(2,)"), "abc\x00")}, "ab c"},
		"names in big-endian":      {[]string{"data.npy", want, "names.npy", npyFile(header(">U1", "False", "(2,)"), "\x00\x00\x00a\x00\x00\x20\xac")}, "a €"},
	} {
		s, err := decode(npzFile(t, c.files...), NPZ, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(s.Names, " "); got != c.names || !mat.Equal(s.Y, mat.NewDense(2, 1, []float64{1, 2})) {
			t.Errorf("%s: names %s, %v", name, got, mat.Formatted(s.Y))
		}
	}
}

func TestBadArchivesAreAnsweredWithWhatAndHow(t *testing.T) {
	matrix := npyFile(header("|u1", "False", "(1, 2)"), "\x01\x02")
	damaged := strings.Replace(npzFile(t, "a.npy", strings.Repeat(matrix, 1)), "PK\x01\x02", "PK\x01\x03", 1)
	text := func(dict, data string) string { return npzFile(t, "a.npy", matrix, "names.npy", npyFile(dict, data)) }
	for name, c := range map[string]struct{ file, want string }{
		"something else":       {"a,b\n1,2\n", "this is not a NumPy archive, or it is cut short: write it with numpy.savez, or copy it again"},
		"a damaged directory":  {damaged, "this is not a NumPy archive, or it is cut short: write it with numpy.savez, or copy it again"},
		"no array":             {npzFile(t, "a.txt", "x"), "the archive holds no NumPy array: write it with numpy.savez"},
		"no matrix":            {npzFile(t, "a.npy", npyFile(header("|u1", "False", "(2,)"), "12")), "no array in the archive has two dimensions (a 2): reshape it and save it again"},
		"two matrices":         {npzFile(t, "a.npy", matrix, "b.npy", matrix), "the archive holds several matrices (a 1×2, b 1×2): say which to read, or call it signals"},
		"names given twice":    {text(header("|S1", "False", "(2,)"), "aa"), `array "names": the vertex name "a" is given twice, in entry [0] and entry [1]: names must differ`},
		"names that are not":   {text(header("<f8", "False", "(2,)"), ""), `array "names": it holds "<f8" of shape (2,), but names are a list of text: save it as numpy.array(names, dtype=str)`},
		"names without bounds": {text(header("<U999999999", "False", "(999999,)"), ""), `array "names": it claims 999999 names of 3999999996 bytes: that is too much`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decode(c.file, NPZ, ReadOptions{})
			wantFault(t, err, 0, 0, "stdin: "+c.want)
		})
	}
}
