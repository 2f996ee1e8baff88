package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"
)

var when = time.Unix(1_700_000_000, 0)

func some() []File {
	return []File{
		{Name: "x/tool", Mode: 0o755, Data: []byte("program")},
		{Name: "x/a/LICENSE", Mode: 0o644, Data: []byte("text")},
		{Name: "x/tmp/", Mode: 0o777 | fs.ModeSticky, Owner: 7},
	}
}

// What other readers must find in an archive of some.
const want = `x/ 0755 dir 
x/a/ 0755 dir 
x/a/LICENSE 0644 file text
x/tmp/ 1777 dir 
x/tool 0755 file program
`

var writers = map[string]func(io.Writer, []File, time.Time) error{"tar": Tar, "tar.gz": TarGz, "zip": Zip}

func TestBytesDependOnContentAlone(t *testing.T) {
	for name, write := range writers {
		var a, b, later bytes.Buffer
		other := some()
		slices.Reverse(other)
		if err := errors.Join(write(&a, some(), when), write(&b, other, when.In(time.FixedZone("far", 3600))),
			write(&later, some(), when.Add(2*time.Second))); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: another order and time zone give other bytes", name)
		}
		if name != "zip" && bytes.Equal(a.Bytes(), later.Bytes()) {
			t.Errorf("%s: the time is not in it", name)
		}
	}
}

func TestTarHasWhatWasPutIn(t *testing.T) {
	var packed bytes.Buffer
	if err := TarGz(&packed, some(), when); err != nil {
		t.Fatal(err)
	}
	plain, err := gzip.NewReader(&packed)
	if err != nil {
		t.Fatal(err)
	}
	if !plain.ModTime.IsZero() || plain.Name != "" {
		t.Errorf("the gzip header has %v %q", plain.ModTime, plain.Name)
	}
	var got strings.Builder
	r := tar.NewReader(plain)
	for h, err := r.Next(); err == nil; h, err = r.Next() {
		kind := map[byte]string{tar.TypeDir: "dir", tar.TypeReg: "file"}[h.Typeflag]
		data, _ := io.ReadAll(r)
		fmt.Fprintf(&got, "%s %04o %s %s\n", h.Name, h.Mode, kind, data)
		if !h.ModTime.Equal(when) || h.Uid != h.Gid || (h.Uid == 7) != (h.Name == "x/tmp/") || h.Uname != "" {
			t.Errorf("%+v", h)
		}
	}
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

func TestZipHasWhatWasPutIn(t *testing.T) {
	var packed bytes.Buffer
	if err := Zip(&packed, some(), when); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		kind := map[bool]string{true: "dir", false: "file"}[f.Mode().IsDir()]
		fmt.Fprintf(&got, "%s %04o %s %s\n", f.Name, tarMode(f.Mode()), kind, data)
		if !f.Modified.Equal(when) {
			t.Errorf("%s is of %v", f.Name, f.Modified)
		}
	}
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

func TestNamesAreChecked(t *testing.T) {
	for _, bad := range [][]File{
		{{Name: "/etc/passwd"}},
		{{Name: "../x"}},
		{{Name: "a/./b"}},
		{{Name: "."}},
		{{Name: ""}},
		{{Name: "a"}, {Name: "a"}},
	} {
		for name, write := range writers {
			if err := write(io.Discard, bad, when); err == nil {
				t.Errorf("%s takes %q", name, bad[0].Name)
			}
		}
	}
}
