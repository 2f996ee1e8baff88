package npy

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// archive makes one of files given as name, content, name, content, …
func archive(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(files); k += 2 {
		w, err := z.Create(files[k])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, files[k+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(b []byte) ([]Member, error) { return OpenArchive(bytes.NewReader(b), int64(len(b))) }

func TestArchivesReadBack(t *testing.T) {
	m, texts := mat.NewDense(1, 2, []float64{1, 2}), []string{"a", "ü"}
	var b bytes.Buffer
	if err := WriteArchive(&b, "m", m, texts); err != nil {
		t.Fatal(err)
	}
	members, err := open(b.Bytes())
	if err != nil || len(members) != 2 || members[0].Name != "m" || members[1].Name != "names" {
		t.Fatalf("%+v, %v", members, err)
	}
	if h, err := members[0].Header(); err != nil || !slices.Equal(h.Shape, []int{1, 2}) {
		t.Errorf("%+v, %v", h, err)
	}
	err = errors.Join(
		members[0].Read(func(h Header, r io.Reader) error {
			values, err := h.Numbers(r)
			if !slices.Equal(values, []float64{1, 2}) {
				t.Errorf("got %v", values)
			}
			return err
		}),
		members[1].Read(func(h Header, r io.Reader) error {
			got, err := h.Texts(r)
			if !slices.Equal(got, texts) {
				t.Errorf("got %q", got)
			}
			return err
		}))
	if err != nil {
		t.Error(err)
	}
}

func TestOnlyArraysAreMembers(t *testing.T) {
	if members, err := open(archive(t, "readme.txt", "hello", "Y.npy", "", "a/b.npy", "")); err != nil || len(members) != 2 || members[0].Name != "Y" || members[1].Name != "a/b" {
		t.Errorf("%+v, %v", members, err)
	}
	whole := archive(t, "a.npy", file(header("|u1", "False", "(1, 2)"), "12"))
	for name, b := range map[string][]byte{"nothing": nil, "something else": []byte("a,b\n1,2\n"), "half of one": whole[:len(whole)/2]} {
		if _, err := open(b); !errors.Is(err, ErrArchive) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
