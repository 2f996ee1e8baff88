package dataio

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/sparse"
)

// A few bytes can name as many vertices as one likes. Where all of their pairs are to be
// written, that is refused before memory is taken, and no file is left.
func TestMatricesBeyondMemoryAreNotWritten(t *testing.T) {
	const n, atMost = 2000, 1 << 25 // 32 MB, of which half is just more than a tenth of 8 n² bytes
	g, err := ReadGraph(writeTemp(t, "g.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2000 2000 1\n2 1 1.0\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	small, err := graph.New([]string{"a", "b"}, []graph.Edge{{I: 0, J: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	old := debug.SetMemoryLimit(atMost)
	defer debug.SetMemoryLimit(old)
	dir := t.TempDir()
	const takes = "a dense matrix of 2000×2000 takes 0.032 GB, more than half of the 0.0336 GB of memory there is: "
	wantFault(t, WriteLaplacian(filepath.Join(dir, "l.csv"), g), 0, 0, "l.csv: "+takes+"write the graph as .mat, which has L as a sparse matrix")
	wantFault(t, WriteCodes(filepath.Join(dir, "x.mat"), sparse.NewCode(n, n, 1)), 0, 0, "x.mat: "+takes+"code fewer signals at a time")
	for _, name := range []string{"g.npy", "g.npy.gz"} {
		err := WriteGraph(filepath.Join(dir, name), g)
		if err == nil || !strings.Contains(err.Error(), takes+"write the graph in a format that has its edges alone, such as .mtx or .mat") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("files are left: %v, %v", left, err)
	}
	for name, err := range map[string]error{
		"sparse": WriteGraph(filepath.Join(dir, "g.mat"), g), "small": WriteGraph(filepath.Join(dir, "s.npy"), small),
		"a small Laplacian": WriteLaplacian(filepath.Join(dir, "l.npy"), small), "small codes": WriteCodes(filepath.Join(dir, "x.csv"), sparse.NewCode(3, 2, 1)),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
