package dataio

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/checkpoint/disk"
	"github.com/nervure/nervure/internal/fuzzing"
	"github.com/nervure/nervure/internal/rng"
)

var (
	mutations    = flag.Int("mutations", 400, "how many damaged files are read")
	mutationSeed = flag.Uint64("mutation-seed", 1, "which damage is done to them")
)

// A readable is a file, and how it is read: what is read of it comes in words that differ if anything does.
type readable struct {
	name    string
	content []byte
	said    func(content []byte) (string, error)
	covered [][2]int // the bytes that a checksum covers; nil for none
}

// readables are files of every format that is read, as signals, as a graph, as what is known
// about vertices, as names and as times.
func readables(t *testing.T) []readable {
	t.Helper()
	var files []readable
	add := func(name string, f Format, content []byte, said func(content []byte) (string, error)) {
		file := readable{name: name, content: content, said: said}
		switch isPacked := bytes.HasPrefix(content, []byte("\x1f\x8b")); {
		case f == Parquet:
			file.covered = pageSpans(t, content)
		case isPacked || f == NPZ || f == MAT && !strings.Contains(name, "with text"):
			file.covered = [][2]int{{0, len(content)}}
		}
		files = append(files, file)
	}
	signals := func(name string, f Format, content []byte, o ReadOptions) {
		o.Format = f
		add("signals "+name, f, content, func(content []byte) (string, error) {
			s, err := DecodeSignals(bytes.NewReader(content), "file", o)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(s.Names, s.Times, mat.Formatted(s.Y, mat.FormatMATLAB()), sums(s.Y)), nil
		})
	}
	graphs := func(name string, f Format, content []byte) {
		add("graph "+name, f, content, func(content []byte) (string, error) {
			g, err := DecodeGraphFile(bytes.NewReader(content), "file", f)
			if err != nil {
				return "", err
			}
			text := fmt.Sprint(g.Graph.Names(), g.Graph.Directed(), g.Graph.Edges(), g.Graph.Confidence(), g.Graph.Evidence())
			if g.Vertices != nil {
				text += fmt.Sprint(g.Vertices.Names, g.Vertices.Columns)
			}
			return text, nil
		})
	}
	for _, f := range Formats(WritesSignals) {
		var b bytes.Buffer
		if err := EncodeSignals(&b, f, flipSignals()); err != nil {
			t.Fatal(err)
		}
		signals(string(f), f, b.Bytes(), ReadOptions{})
		signals(string(f)+" in rows", f, b.Bytes(), ReadOptions{Transpose: true})
		if f.Can(Gzips) {
			signals(string(f)+".gz", f, packedQuickly(b.Bytes()), ReadOptions{})
		}
	}
	for name, o := range map[string]parquet.WriterOption{
		"plain": parquet.Compression(&parquet.Uncompressed), "snappy": parquet.Compression(&parquet.Snappy),
		"gzip": parquet.Compression(&parquet.Gzip), "zstd": parquet.Compression(&parquet.Zstd),
	} {
		for version := 1; version <= 2; version++ {
			signals(fmt.Sprintf("parquet %s %d", name, version), Parquet, []byte(parquetFile(t, sampleRows(), o, parquet.DataPageVersion(version))), ReadOptions{})
		}
	}
	signals("npy by columns", NPY, []byte(npyFile(header(">f2", "True", "(2, 3)"), "123456789012")), ReadOptions{})
	signals("mat with text", MAT, []byte(matlabFile(matlabMatrix("Y", 2, 2, 1, 2, 3, 4), matlabText("names", 2, 2, "ab c"))), ReadOptions{})
	signals("times", CSV, []byte("date,time,a,b\n2024-01-31,13:00,1,2\n2024-02-01,24:00,3,NA\n2024-02-02,1:00 PM,5,6\n"), ReadOptions{})
	signals("decimal commas", CSV, []byte("\ufeffa;b\r\n1,5;2\r\n;\"3,25\"\r\n"), ReadOptions{})
	for _, f := range Formats(WritesGraphs) {
		if !f.Can(ReadsGraphs) {
			continue
		}
		for name, g := range map[string]GraphFile{"with attributes": awkwardFile(t), "with arrows": {Graph: arrowGraph(t)}} {
			var b bytes.Buffer
			if err := g.Encode(&b, f); err != nil {
				t.Fatal(err)
			}
			graphs(string(f)+" "+name, f, b.Bytes())
			if f.Can(Gzips) {
				graphs(string(f)+".gz "+name, f, packedQuickly(b.Bytes()))
			}
		}
	}
	add("vertices", CSV, []byte("id,name,lat,lon,kind\n1,A,10,20,x\n2,B,,30,\"y\nz\"\n"), func(content []byte) (string, error) {
		_, err := DecodeVertices(bytes.NewReader(content), "file", CSV)
		return "", err
	})
	add("names", TXT, []byte("a\nb c\nü\n"), func(content []byte) (string, error) {
		return "", new(ReadOptions).DecodeNames(bytes.NewReader(content), "file")
	})
	add("times", TXT, []byte("2024-01-31\n2024-02-01 13:05\n2024-02-02T01:00:00Z\n"), func(content []byte) (string, error) {
		return "", new(ReadOptions).DecodeTimes(bytes.NewReader(content), "file")
	})
	files = append(files, checkpointPiece(t))
	slices.SortFunc(files, func(a, b readable) int { return cmp.Compare(a.name, b.name) })
	return files
}

// checkpointPiece is a file of a checkpoint, which has a checksum.
func checkpointPiece(t *testing.T) readable {
	t.Helper()
	const key, data = "learn/3", "the graph so far"
	dir := t.TempDir()
	c, err := disk.Open(dir, checkpoint.Identity{}, disk.Options{Every: -1})
	if err != nil {
		t.Fatal(err)
	}
	c.Save(key, []byte(data))
	c.Close()
	pieces, _ := filepath.Glob(filepath.Join(dir, "*.piece"))
	if len(pieces) != 1 {
		t.Fatalf("the checkpoint has %q, want one piece", pieces)
	}
	content, err := os.ReadFile(pieces[0])
	if err != nil {
		t.Fatal(err)
	}
	return readable{name: "checkpoint", content: content, said: func(content []byte) (string, error) {
		if err := os.WriteFile(pieces[0], content, 0o600); err != nil {
			return "", err
		}
		c, err := OpenCheckpoint(dir, checkpoint.Identity{}, true)
		if err != nil {
			return "", err
		}
		defer c.Close()
		if got, ok := c.Load(key); !ok || string(got) != data {
			return "", fmt.Errorf("%q is not what was kept", got)
		}
		return "", nil
	}}
}

// mutated returns the k-th damaged file: which one it is, and what it holds.
func mutated(files []readable, k int) (readable, []byte) {
	random := rng.Stream(*mutationSeed, "mutation", k)
	file, other := files[random.IntN(len(files))], files[random.IntN(len(files))]
	content := file.content
	for range 1 + random.IntN(5)/3 {
		bits := make([]byte, 32)
		for i := range bits {
			bits[i] = byte(random.IntN(256))
		}
		content = fuzzing.By(bits).Damage(content, other.content, file.content)
	}
	return file, content
}

// mostAllocated is how many bytes may be allocated, one after the other, to read a file of that many:
// what is claimed without being there is 64 MiB of values at most (growFreely) or 2²⁰ names
// (maxVertices), of which there are copies in between.
func mostAllocated(size int) uint64 { return 512<<20 + 1000*uint64(size) }

// Damaged files of every format are read or refused in one sentence, soon, without a panic and
// without much memory. A longer campaign:
//
//	go test ./dataio -run MutatedFiles -mutations 20000 -mutation-seed 2 -v
func TestMutatedFilesAreReadOrRefused(t *testing.T) {
	files := readables(t)
	refused, faults := 0, 0
	most, longest := uint64(0), time.Duration(0)
	for k := range *mutations {
		file, content := mutated(files, k)
		wrong := func(format string, args ...any) {
			faults++
			t.Errorf("%s, number %d of seed %d: %s", file.name, k, *mutationSeed, fmt.Sprintf(format, args...))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begun := time.Now()
		failed, err := inTime(t.Context(), func() error { _, err := file.said(content); return err })
		took := time.Since(begun)
		runtime.ReadMemStats(&after)
		if failed != "" {
			wrong("%s", failed)
			continue
		}
		longest, most = max(longest, took), max(most, after.TotalAlloc-before.TotalAlloc)
		if n := after.TotalAlloc - before.TotalAlloc; n > mostAllocated(len(content)) {
			wrong("%d bytes are allocated for a file of %d", n, len(content))
		}
		if err != nil {
			refused++
			if text := notASentence(err); text != "" {
				wrong("%s", text)
			}
		}
	}
	t.Attr("tried", strconv.Itoa(*mutations))
	t.Attr("faults", strconv.Itoa(faults))
	t.Attr("note", fmt.Sprintf("%d refused; at most %d kB allocated", refused, most>>10))
	t.Logf("of %d damaged files, %d were refused; the longest took %v, and the largest allocated %d kB", *mutations, refused, longest.Round(time.Millisecond), most>>10)
}

// inTime calls read and returns its error, or says what is wrong if it panics or does not end.
func inTime(ctx context.Context, read func() error) (wrong string, err error) {
	const limit = 10 * time.Minute // on a machine with much else to do
	type result struct {
		err   error
		wrong string
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r.wrong = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
			}
			done <- r
		}()
		r.err = read()
	}()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case r := <-done:
		return r.wrong, r.err
	case <-ctx.Done():
		return "is still being read after " + limit.String(), nil
	}
}

// notASentence says what is wrong with how a file is refused, or "".
func notASentence(err error) string {
	e, text := input.Find(err), err.Error()
	switch {
	case e == nil || e.Msg == "":
		return fmt.Sprintf("%q is not an input.Error", text)
	case strings.ContainsFunc(text, unicode.IsControl) || !utf8.ValidString(text):
		return fmt.Sprintf("%q has control characters", text)
	case len(text) > 2000:
		return fmt.Sprintf("%q is too long", text)
	}
	return ""
}
