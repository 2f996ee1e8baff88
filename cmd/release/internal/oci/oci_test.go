package oci

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/cmd/release/internal/archive"
)

func write(t *testing.T) []byte {
	t.Helper()
	s := Settings{
		Name: "tool", Tag: "1.2.3", Created: time.Unix(1_700_000_000, 0), User: "65532:65532", Entrypoint: []string{"/tool"},
		Env: []string{"PATH=/bin"}, Dir: "/data", Labels: map[string]string{"org.opencontainers.image.version": "1.2.3", "a": "b"},
	}
	var out bytes.Buffer
	err := Write(&out, s, []Image{
		{Architecture: "amd64", Files: []archive.File{{Name: "tool", Mode: 0o755, Data: []byte("for amd64")}}},
		{Architecture: "arm64", Variant: "v8", Files: []archive.File{{Name: "tool", Mode: 0o755, Data: []byte("for arm64")}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// unpack reads a tar file.
func unpack(t *testing.T, r io.Reader) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	in := tar.NewReader(r)
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
	}
}

// object is a JSON document as any reader sees it.
type object = map[string]any

func parse(t *testing.T, data []byte) object {
	t.Helper()
	var o object
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return o
}

// follow returns what a descriptor points at, of the size and the digest it says.
func follow(t *testing.T, files map[string][]byte, d any) []byte {
	t.Helper()
	o := d.(object)
	sum, ok := strings.CutPrefix(o["digest"].(string), "sha256:")
	data := files["blobs/sha256/"+sum]
	got := sha256.Sum256(data)
	if !ok || hex.EncodeToString(got[:]) != sum || float64(len(data)) != o["size"] {
		t.Fatalf("%v points at %d bytes with the sum %x", o, len(data), got)
	}
	return data
}

// From the index down, every descriptor fits what it points at, and the layer of each
// processor unpacks to its program.
func TestIndexLeadsToTheProgramOfEachProcessor(t *testing.T) {
	files := unpack(t, bytes.NewReader(write(t)))
	if v := parse(t, files["oci-layout"])["imageLayoutVersion"]; v != "1.0.0" {
		t.Errorf("layout version %v", v)
	}
	top := parse(t, files["index.json"])["manifests"].([]any)
	if len(top) != 1 || top[0].(object)["annotations"].(object)["org.opencontainers.image.ref.name"] != "1.2.3" {
		t.Fatalf("%v", top)
	}
	var found []string
	for _, m := range parse(t, follow(t, files, top[0]))["manifests"].([]any) {
		found = append(found, m.(object)["platform"].(object)["architecture"].(string))
		checkImage(t, files, m)
	}
	if !slices.Equal(found, []string{"amd64", "arm64"}) {
		t.Errorf("images for %q", found)
	}
}

func checkImage(t *testing.T, files map[string][]byte, m any) {
	t.Helper()
	platform := m.(object)["platform"].(object)
	image := parse(t, follow(t, files, m))
	if image["mediaType"] != m.(object)["mediaType"] || image["annotations"].(object)["a"] != "b" {
		t.Errorf("%v", image)
	}
	config := parse(t, follow(t, files, image["config"]))
	if config["architecture"] != platform["architecture"] || config["os"] != "linux" || config["created"] != "2023-11-14T22:13:20Z" {
		t.Errorf("%v", config)
	}
	run := config["config"].(object)
	if run["User"] != "65532:65532" || run["WorkingDir"] != "/data" || run["Entrypoint"].([]any)[0] != "/tool" {
		t.Errorf("%v", run)
	}
	z, err := gzip.NewReader(bytes.NewReader(follow(t, files, image["layers"].([]any)[0])))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(plain)
	if ids := config["rootfs"].(object)["diff_ids"].([]any); len(ids) != 1 || ids[0] != "sha256:"+hex.EncodeToString(sum[:]) {
		t.Errorf("diff_ids %v of a layer %x", ids, sum)
	}
	if got, want := string(unpack(t, bytes.NewReader(plain))["tool"]), "for "+platform["architecture"].(string); got != want {
		t.Errorf("the program is %q, want %q", got, want)
	}
}

func TestDockerFindsBothImages(t *testing.T) {
	files := unpack(t, bytes.NewReader(write(t)))
	var images []struct {
		Config           string
		RepoTags, Layers []string
	}
	if err := json.Unmarshal(files["manifest.json"], &images); err != nil || len(images) != 2 {
		t.Fatalf("%v: %s", err, files["manifest.json"])
	}
	for k, tag := range []string{"tool:1.2.3-amd64", "tool:1.2.3-arm64"} {
		i := images[k]
		if !slices.Equal(i.RepoTags, []string{tag}) || files[i.Config] == nil || len(i.Layers) != 1 || files[i.Layers[0]] == nil {
			t.Errorf("%+v", i)
		}
	}
}
