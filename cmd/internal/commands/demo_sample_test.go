package commands

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/synth"
)

var updateFiles = flag.Bool("update", false, "write the demo's sample, docs/demo.svg and docs/reference.md again")

// The sample of the demo is a made-up leaf: sensors along its midrib, its side
// veins and its margin, joined where veins run, the wider the vein the heavier
// the edge. leaf returns the places of its vertices, and its veins.
func leaf(t *testing.T) ([][2]float64, *graph.Graph) {
	t.Helper()
	var names []string
	var places [][2]float64
	at := map[string]int{}
	put := func(name string, x, y float64) {
		at[name] = len(places)
		names, places = append(names, name), append(places, [2]float64{math.Round(1000*x) / 1000, math.Round(1000*y) / 1000})
	}
	var edges []graph.Edge
	join := func(a, b string, weight float64) {
		edges = append(edges, graph.Edge{I: at[a], J: at[b], Weight: weight})
	}

	put("stem", 0, -0.02)
	midrib := []string{"stem"}
	for k := range 6 {
		name := fmt.Sprintf("M%d", k+1)
		put(name, 0.27+0.225*float64(k), 0.012*math.Sin(2.4*float64(k)))
		midrib = append(midrib, name)
	}
	put("tip", 1.72, 0.03)
	midrib = append(midrib, "tip")
	for k := range len(midrib) - 1 {
		join(midrib[k], midrib[k+1], 1.4-0.16*float64(k)) // it tapers
	}

	for _, half := range []struct {
		letter string
		side   float64
	}{{"L", 1}, {"R", -1}} {
		number, margin := 0, "stem"
		for k, length := range []float64{0.30, 0.46, 0.50, 0.43, 0.27} {
			root := midrib[k+1]
			from := places[at[root]]
			along := func(share float64) string { // a sensor on the vein, which bends
				number++
				name := fmt.Sprintf("%s%d", half.letter, number)
				angle := (64 - 4*float64(k)) * (1.1 - 0.12*share) * math.Pi / 180
				put(name, from[0]+0.02*half.side+share*length*math.Cos(angle), from[1]+half.side*share*length*math.Sin(angle))
				return name
			}
			thin := 0.04 * float64(k)
			if k >= 1 && k <= 3 { // a long vein has a sensor half-way
				middle := along(0.5)
				join(root, middle, 0.8-thin)
				end := along(1)
				join(middle, end, 0.65-thin)
				join(margin, end, 0.35)
				margin = end
			} else {
				end := along(1)
				join(root, end, 0.7-thin)
				join(margin, end, 0.35)
				margin = end
			}
		}
		join(margin, "tip", 0.35)
	}

	g, err := graph.New(names, edges)
	if err != nil {
		t.Fatal(err)
	}
	return places, g
}

// demoSample returns the files of the demo: the leaf, and signals on it.
func demoSample(t *testing.T) map[string][]byte {
	t.Helper()
	places, g := leaf(t)
	truth, err := synth.Signals(g, learn.PaperModel().Kernels, synth.SignalSpec{Count: 200, Sparsity: 4, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	err = errors.Join(
		dataio.WriteSignals(filepath.Join(dir, "signals.csv"), &signals.Set{Names: g.Names(), Y: truth.Signals}),
		dataio.WriteGraph(filepath.Join(dir, "truth.csv"), g),
		dataio.WriteFile(filepath.Join(dir, "vertices.csv"), dataio.VertexTable{Names: g.Names()}.WithPlaces(places).Encode),
	)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, name := range []string{"signals.csv", "truth.csv", "vertices.csv"} {
		if files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// The embedded files are what demoSample makes; go test -update makes them so.
// Numbers are compared with a tolerance: machines round products differently.
func TestDemoSampleIsWhatItClaims(t *testing.T) {
	for name, want := range demoSample(t) {
		path := filepath.Join("..", "..", "..", "examples", "leaf", name)
		if *updateFiles {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := readDemoFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !sameNumbers(string(got), string(want)) && !*updateFiles {
			t.Errorf("%s is not what the leaf makes: run go test ./cmd/internal/commands -update", path)
		}
	}
}

// The picture in the documentation is the one that the demo draws.
func TestPictureOfTheDemoIsTheOneInDocs(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "docs")
	if _, err := os.Stat(docs); err != nil {
		t.Skip("there is no documentation here")
	}
	dir := t.TempDir()
	if code, _, stderr := run(t.Context(), nil, "demo", "--out", dir); code != views.ExitDone {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	drawn, err := os.ReadFile(filepath.Join(dir, "graph.svg"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(docs, "demo.svg")
	if *updateFiles {
		if err := os.WriteFile(path, drawn, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// A weight is drawn to one decimal, whose last digit rounding may change.
	const rounding = 0.11
	number := regexp.MustCompile(`-?[0-9]*\.?[0-9]+`)
	got, want := number.FindAllString(string(drawn), -1), number.FindAllString(string(kept), -1)
	near := slices.EqualFunc(got, want, func(a, b string) bool {
		x, errX := strconv.ParseFloat(a, 64)
		y, errY := strconv.ParseFloat(b, 64)
		return errX == nil && errY == nil && math.Abs(x-y) <= rounding
	})
	if !near || number.ReplaceAllString(string(drawn), "0") != number.ReplaceAllString(string(kept), "0") {
		t.Errorf("%s is not what nervure demo --out draws: run go test ./cmd/internal/commands -update", path)
	}
}

// sameNumbers compares CSV texts cell by cell.
func sameNumbers(a, b string) bool {
	cells := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '\n' })
	}
	return slices.EqualFunc(cells(a), cells(b), func(a, b string) bool {
		x, errX := strconv.ParseFloat(a, 64)
		y, errY := strconv.ParseFloat(b, 64)
		return a == b || errX == nil && errY == nil && math.Abs(x-y) < 1e-12
	})
}
