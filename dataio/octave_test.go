package dataio

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/needs"
)

// octave runs a script in dir. Without Octave the test is left out.
func octave(t *testing.T, script, dir string) {
	t.Helper()
	program, err := exec.LookPath("octave-cli")
	if err != nil {
		needs.LeaveOut(t, "there is no octave-cli here")
	}
	c := exec.CommandContext(t.Context(), program, "--norc", "--quiet", "--eval", script)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// Octave loads our file and saves what it has found in each of its ways.
func TestOctaveKeepsWhatWeWriteAndTheOtherWayRound(t *testing.T) {
	dir, g, s := t.TempDir(), awkwardGraph(t), sample()
	lone := newGraph(t, []string{"lone", "pair"})
	for name, write := range map[string]func(string) error{
		"g.mat":    GraphFile{Graph: g}.Write,
		"lone.mat": GraphFile{Graph: lone}.Write,
		"s.mat":    func(p string) error { return WriteSignals(p, s) },
	} {
		if err := write(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	octave(t, `
load("g.mat"); save("-v7", "g7.mat", "W", "L", "names"); save("-v6", "g6.mat", "W", "L", "names");
W = full(W); save("-v7", "full.mat", "W", "names");
load("lone.mat"); save("-v7", "lone7.mat", "W", "names");
load("s.mat"); names = names'; save("-v7", "s7.mat", "signals", "names"); save("-v6", "s6.mat", "signals", "names");
Y = signals'; names = names(:); save("-v7", "wide.mat", "Y", "names");
clear names
small = int8([1 2; 3 4; 5 6]); save("-v7", "int8.mat", "small");
flags = [true false; false true; true true]; save("-v7", "bool.mat", "flags");
single = single([1 2; 3 4; 5 6]); names = char("ü", "long name"); save("-v7", "single.mat", "single", "names");
save("-v4", "v4.mat", "small"); save("-hdf5", "v73.mat", "small");
z = [1i 2; 3 4]; save("-v7", "complex.mat", "z");
`, dir)
	for _, file := range []string{"g7.mat", "g6.mat", "full.mat"} {
		if back, err := ReadGraph(filepath.Join(dir, file), nil); err != nil || !sameGraph(g, back) {
			t.Errorf("%s: %v, %v", file, back, err)
		}
	}
	if back, err := ReadGraph(filepath.Join(dir, "lone7.mat"), nil); err != nil || !sameGraph(lone, back) {
		t.Errorf("a graph without edges: %v, %v", back, err)
	}
	for file, o := range map[string]ReadOptions{"s7.mat": {}, "s6.mat": {}, "wide.mat": {Transpose: true}} {
		if back, err := ReadSignals(filepath.Join(dir, file), o); err != nil || !mat.Equal(back.Y, s.Y) || !slices.Equal(back.Names, s.Names) {
			t.Errorf("%s: %v, %v", file, back, err)
		}
	}
	numbers := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}).T()
	for file, want := range map[string]mat.Matrix{
		"int8.mat": numbers, "single.mat": numbers, "bool.mat": mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}).T(),
	} {
		back, err := ReadSignals(filepath.Join(dir, file), ReadOptions{})
		names := graph.DefaultNames(2)
		if file == "single.mat" {
			names = []string{"ü", "long name"}
		}
		if err != nil || !mat.Equal(back.Y, want) || !slices.Equal(back.Names, names) {
			t.Errorf("%s: %v, %v", file, back, err)
		}
	}
	for file, want := range map[string]string{
		"v4.mat":      "this is a MATLAB v4 file, which cannot be read: save it with '-v7'",
		"v73.mat":     "this is a MATLAB v7.3 (HDF5) file, which cannot be read: save it with '-v7'",
		"complex.mat": `variable "z": its numbers are complex: take their real parts, or moduli, and save it again`,
	} {
		_, err := ReadSignals(filepath.Join(dir, file), ReadOptions{})
		wantFault(t, err, 0, 0, file+": "+want)
	}
}
