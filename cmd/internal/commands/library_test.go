package commands

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/synth"
)

// A sameCase is a file, the flags of a command line, and the options that mean the
// same to the library.
type sameCase struct {
	name    string
	signals *signals.Set
	flags   []string
	options func(t *testing.T, set *signals.Set) nervure.Options
}

func noOptions(*testing.T, *signals.Set) nervure.Options { return nervure.Options{} }

// The library gives the tool's answer: the same bytes of the graph and, but for
// the time it took, of the summary.
func TestLibraryAndToolGiveTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns every graph twice, sequentially: nothing for the race detector")
	}
	prior := filepath.Join(t.TempDir(), "prior.csv")
	for _, c := range []sameCase{
		{"offsets and scales", offsetsAndScales(t), nil, noOptions},
		{"gaps", withGaps(t), nil, noOptions},
		{"a time series", timeSeries(), []string{"--difference"}, func(*testing.T, *signals.Set) nervure.Options {
			var o nervure.Options
			o.Prepare.Difference = prepare.Yes
			return o
		}},
		{"another method", drawnSignals(t, 8, 60, 0.1, "heat:2", "highpass:1"), []string{"--method", "glasso", "--edges", "9"}, func(*testing.T, *signals.Set) nervure.Options {
			return nervure.Options{Method: baseline.Glasso{}, Cut: graph.Cut{Rule: graph.CutEdges, Edges: 9}}
		}},
		{"a prior", drawnSignals(t, 8, 20, 0.1, "heat:2", "highpass:1"), []string{"--prior", prior, "--prior-weight", "7", "--seed", "3"}, func(t *testing.T, set *signals.Set) nervure.Options {
			known := drawn(t, 8, 20, 0.1, "heat:2", "highpass:1").Graph
			if err := dataio.WriteGraph(prior, known); err != nil {
				t.Fatal(err)
			}
			return nervure.Options{Method: learn.Sparse{Options: learn.Options{Prior: known, PriorWeight: 7}}, Seed: 3}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file, graphFile, summaryFile := filepath.Join(dir, "signals.csv"), filepath.Join(dir, "graph.csv"), filepath.Join(dir, "summary.json")
			if err := dataio.WriteSignals(file, c.signals); err != nil {
				t.Fatal(err)
			}
			set, err := dataio.ReadSignals(file, dataio.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			options := c.options(t, set)
			args := append([]string{"learn", file, "--out", graphFile, "--summary", summaryFile}, c.flags...)
			if code, _, stderr := run(t.Context(), nil, args...); code != views.ExitDone {
				t.Fatal(stderr)
			}
			set.Notes = inputs.Notes(set, false, inputs.Hint(false, set)) // the tool words findings by its flags
			analysis, err := nervure.Learn(t.Context(), set, options)
			if err != nil {
				t.Fatal(err)
			}
			sameBytes(t, graphFile, func(w io.Writer) error { return dataio.EncodeGraph(w, dataio.CSV, analysis.Graph) })
			sameBytes(t, summaryFile, func(w io.Writer) error {
				summary := analysis.Summary()
				summary.Run = asked(t, args[1:]...)
				summary.Command = arguments.CommandLine(*summary.Run)
				return document.Write(w, summary)
			})
		})
	}
}

// The same is true of a comparison.
func TestLibraryAndToolCompareAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns every graph twice, sequentially: nothing for the race detector")
	}
	dir := t.TempDir()
	file, comparisonFile := filepath.Join(dir, "signals.csv"), filepath.Join(dir, "comparison.json")
	if err := dataio.WriteSignals(file, offsetsAndScales(t)); err != nil {
		t.Fatal(err)
	}
	set, err := dataio.ReadSignals(file, dataio.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run(t.Context(), nil, "compare", file, "--quiet", "--sparsity", "4", "--methods", "sparse,ggl,knn", "--folds", "0", "--out", comparisonFile); code != views.ExitDone {
		t.Fatal(stderr)
	}
	o := nervure.CompareOptions{Unranked: true}
	o.Methods = []method.Method{learn.Sparse{Model: learn.Model{Sparsity: 4}}, baseline.GGL{}, baseline.KNN{}}
	comparison, err := nervure.Compare(t.Context(), set, o)
	if err != nil {
		t.Fatal(err)
	}
	sameBytes(t, comparisonFile, func(w io.Writer) error {
		written := comparison.Document()
		written.Run = &document.Run{
			Version: document.RunVersion, Read: document.RunRead{Files: []string{file}}, Method: document.RunMethod{Sparsity: 4},
			Compare: &document.RunCompare{Methods: []string{"sparse", "ggl", "knn"}, Unranked: true}, Write: document.RunWrite{Comparison: comparisonFile},
		}
		written.Command = arguments.CommandLine(*written.Run)
		return document.Write(w, written)
	})
}

var secondsLine = regexp.MustCompile(`"seconds": [^,]+,`)

// sameBytes compares a file that the tool wrote with what the library writes.
func sameBytes(t *testing.T, file string, write func(io.Writer) error) {
	t.Helper()
	tool, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var library bytes.Buffer
	if err := write(&library); err != nil {
		t.Fatal(err)
	}
	a, b := secondsLine.ReplaceAllString(string(tool), ""), secondsLine.ReplaceAllString(library.String(), "")
	if a == b {
		return
	}
	inTool, inLibrary := strings.Split(a, "\n"), strings.Split(b, "\n")
	for k := range min(len(inTool), len(inLibrary)) {
		if inTool[k] != inLibrary[k] {
			t.Fatalf("%s, line %d: the tool has %.120q, the library %.120q", filepath.Base(file), k+1, inTool[k], inLibrary[k])
		}
	}
	t.Fatalf("%s: the tool has %d lines, the library %d", filepath.Base(file), len(inTool), len(inLibrary))
}

func parsed(t *testing.T, specs ...string) []kernel.Kernel {
	t.Helper()
	var kernels []kernel.Kernel
	for _, spec := range specs {
		k, err := kernel.Parse(spec, 15, kernel.Taylor)
		if err != nil {
			t.Fatal(err)
		}
		kernels = append(kernels, k)
	}
	return kernels
}

func drawn(t *testing.T, vertices, count int, noise float64, specs ...string) *synth.Truth {
	t.Helper()
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, Seed: 5},
		parsed(t, specs...), synth.SignalSpec{Count: count, Sparsity: 3, Noise: noise, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

func drawnSignals(t *testing.T, vertices, count int, noise float64, specs ...string) *signals.Set {
	t.Helper()
	truth := drawn(t, vertices, count, noise, specs...)
	return &signals.Set{Y: truth.Signals, Names: truth.Graph.Names()}
}

// offsetsAndScales gives each vertex a unit of its own.
func offsetsAndScales(t *testing.T) *signals.Set {
	t.Helper()
	set := drawnSignals(t, 8, 40, 0.05, "heat:2", "highpass:1")
	set.Y.Apply(func(i, _ int, v float64) float64 { return (v + 1.5*float64(i+1)) * float64(i+1) }, set.Y)
	return set
}

func withGaps(t *testing.T) *signals.Set {
	t.Helper()
	set := drawnSignals(t, 8, 60, 0.05, "heat:2", "highpass:1")
	r := rng.Stream(5, "gaps")
	set.Y.Apply(func(_, _ int, v float64) float64 {
		if r.Float64() < 0.1 {
			return math.NaN()
		}
		return v
	}, set.Y)
	return set
}

// timeSeries are random walks, some of which go together.
func timeSeries() *signals.Set {
	r := rng.Stream(5, "walks")
	y := mat.NewDense(6, 80, nil)
	for s := 1; s < 80; s++ {
		step := 0.0
		for i := range 6 {
			step = 0.7*step + r.NormFloat64()
			y.Set(i, s, y.At(i, s-1)+step)
		}
	}
	return named(y)
}

func named(y *mat.Dense) *signals.Set {
	n, _ := y.Dims()
	set := &signals.Set{Y: y}
	for i := range n {
		set.Names = append(set.Names, fmt.Sprintf("station %d", i+1))
	}
	return set
}
