package viewer

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func gz(content []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(content) // to memory
	_ = w.Close()
	return b.Bytes()
}

// npy is a NumPy file of float64 with the header that is claimed.
func npy(shape string, content []byte) []byte {
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }\n", shape)
	b := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(header)))...)
	return append(append(b, header...), content...)
}

// npz is a NumPy archive of one array.
func npz(array []byte) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("signals.npy")
	if err != nil {
		panic(err)
	}
	_, _ = f.Write(array)
	_ = w.Close()
	return b.Bytes()
}

// A badFile is one that no graph can be learned from.
type badFile struct {
	name    string
	content []byte
}

// malformed are files of each kind of fault; what else can be wrong with a file, dataio tries.
func malformed() []badFile {
	megabyte := make([]byte, 1<<20)
	table := []byte("a,b,c\n1,2,3\n4,5,7\n2,1,9\n6,2,1\n")
	array := npy("4, 3", make([]byte, 96))
	archive := npz(array)
	return []badFile{
		{"empty.csv", nil},
		{"page.npy", []byte("<!doctype html><title>404</title><p>not found")},
		{"page.csv.gz", []byte("<!doctype html><title>404</title><p>not found")},
		{"cut.npz", archive[:len(archive)/2]},
		{"cut.npy", array[:len(array)-1]},
		{"cut.csv.gz", gz(table)[:12]},
		{"huge claim.npy", npy("1000000000, 1000000", make([]byte, 80))},
		{"claim.npz", npz(npy("100000000, 1000", megabyte))},
		{"bomb.csv.gz", bytes.Repeat(gz(megabyte), 300)},
		{"ragged.csv", []byte("a,b,c\n1,2,3\n4,5\n")},
		{"words.csv", []byte("a,b,c\n1,2,x\n")},
		{"no extension", table},
		{"nulls.csv", append([]byte("a,b\n1,2\n"), make([]byte, 1000)...)},
	}
}

// Bad files get the sentence that the command line has for them, and leave the
// server as it was.
func TestMalformedUploads(t *testing.T) {
	files := malformed()
	v := visit(t, Limits{Running: 2, Memory: 250 << 20, Time: 10 * time.Minute})
	before := heap()
	faults := 0
	for _, file := range files {
		ok := t.Run(file.name, func(t *testing.T) {
			job := v.newJob()
			if status, fields := v.upload(job, url.PathEscape(file.name), file.content); status != http.StatusCreated {
				t.Fatalf("the upload is refused: %d %v", status, fields)
			}
			run := fmt.Sprintf(`{"version": 1, "read": {"files": [%q]}, "check": {"confidence": "no"}, "write": {"graph": "graph.json"}}`, file.name)
			if status, fields := v.run(job, run); status != http.StatusAccepted {
				t.Fatalf("the run is refused: %d %v", status, fields)
			}
			end := v.end(job)
			said := fmt.Sprint(end["error"])
			if end["code"] != 2.0 && !strings.Contains(said, "of memory") {
				t.Errorf("the end is %v", end)
			}
			if strings.Contains(said, "goroutine") || strings.Contains(said, "internal error") || strings.Contains(said, "without saying why") {
				t.Errorf("that is no sentence for people: %s", said)
			}
			if end["code"] == 2.0 {
				if want := sentence(t, file); said != want {
					t.Errorf("the page says %q, the command line %q", said, want)
				}
			}
			if status, _ := v.ask("DELETE", job, nil); status != http.StatusNoContent {
				t.Errorf("deleting is answered %d", status)
			}
		})
		if !ok {
			faults++
		}
	}
	t.Attr("tried", fmt.Sprint(len(files)))
	t.Attr("faults", fmt.Sprint(faults))
	if grown := int64(heap()) - int64(before); grown > 64<<20 {
		t.Errorf("the server has grown by %s", bytesInWords(grown))
	}
	if left, err := os.ReadDir(v.server.dir); err != nil || len(left) != 0 {
		t.Errorf("%d directories are left behind, %v", len(left), err)
	}
	job := v.start(learnable(t), quick)
	if end := v.end(job); end["code"] != 0.0 {
		t.Errorf("a good file no longer works: %v", end)
	}
}

// sentence is what the command line says of a file.
func sentence(t *testing.T, file badFile) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, file.name), file.content, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program(t), "learn", file.name, "--out", "graph.json", "--confidence", "no")
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput() // it fails
	for line := range strings.Lines(string(out)) {
		if words, ok := strings.CutPrefix(line, "nervure: "); ok {
			return strings.TrimSpace(words)
		}
	}
	return ""
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// An upload that is too large is refused, whether it says so or not, and without
// taking it in.
func TestUploadsAreLimited(t *testing.T) {
	v := visitWith(t, "no program", Limits{Upload: 1000})
	job := v.newJob()
	for name, body := range map[string]io.Reader{
		"one that says its size": bytes.NewReader(make([]byte, 1001)),
		"one that does not":      io.MultiReader(bytes.NewReader(make([]byte, 700)), bytes.NewReader(make([]byte, 700))),
	} {
		answer := v.request("PUT", job+"/files/a.csv", body)
		if answer.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s is answered %d", name, answer.StatusCode)
		}
	}
	if status, fields := v.upload(job, "a.csv", make([]byte, 1000)); status != http.StatusCreated {
		t.Errorf("one of just the size is answered %d %v", status, fields)
	}
	for k := range maxFiles - 1 {
		v.upload(job, fmt.Sprintf("f%d.csv", k), []byte("1"))
	}
	if status, _ := v.upload(job, "more.csv", []byte("1")); status != http.StatusBadRequest {
		t.Errorf("one file too many is answered %d", status)
	}
	// All of them together are limited as well.
	for range 5 {
		v.upload(v.newJob(), "b.csv", make([]byte, 1000))
	}
	v.server.mu.Lock()
	defer v.server.mu.Unlock()
	if stored := v.server.stored(); stored > v.server.limits.stored() {
		t.Errorf("%d bytes are stored", stored)
	}
}

// No link leads out of the directory of a job; no name does, attack_test.go tries.
func TestNoLinkLeadsOutOfAJob(t *testing.T) {
	v := visitWith(t, "no program", Limits{})
	job := v.newJob()
	victim := filepath.Join(v.server.dir, "victim.csv")
	write(t, victim, []byte("untouched"))
	if err := os.Symlink(victim, filepath.Join(v.server.dir, strings.TrimPrefix(job, "/api/jobs/"), "link.csv")); err != nil {
		t.Skip("left out: no links on this system")
	}
	if status, _ := v.upload(job, "link.csv", []byte("touched")); status == http.StatusCreated {
		t.Error("an upload through a link is taken")
	}
	if status, _ := v.ask("GET", job+"/files/link.csv", nil); status == http.StatusOK {
		t.Error("what a link leads to can be had")
	}
	if b, err := os.ReadFile(victim); err != nil || string(b) != "untouched" {
		t.Errorf("the file is %q, %v", b, err)
	}
}
