package learn_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// What cannot be used is a fault of its field, whoever is asked.
func TestFaultsNameTheirField(t *testing.T) {
	truth := small(t)
	n, m := truth.Signals.Dims()
	infinite := mat.DenseCopyOf(truth.Signals)
	infinite.Set(2, 5, math.Inf(-1))
	on := func(n int, edges ...graph.Edge) *graph.Graph {
		g := must(graph.New(graph.DefaultNames(n), edges))
		return g
	}
	other, negative := on(2, graph.Edge{I: 0, J: 1, Weight: 1}), on(n, graph.Edge{I: 0, J: 1, Weight: -1})
	paper, heat, poly := learn.PaperModel(), kernelsOf("heat:1"), kernelsOf("poly:1,-0.5")
	for name, c := range map[string]struct {
		y     *mat.Dense
		m     learn.Model
		o     learn.Options
		field string
	}{
		"an infinite value":          {infinite, paper, learn.Options{}, "signals"},
		"one vertex":                 {mat.NewDense(1, 5, nil), paper, learn.Options{}, "vertices"},
		"one signal":                 {mat.NewDense(5, 1, nil), paper, learn.Options{}, "signals"},
		"constant signals":           {mat.NewDense(6, 9, nil), paper, learn.Options{}, "signals"},
		"scales of a polynomial":     {truth.Signals, learn.Model{Kernels: poly}, learn.Options{Kernels: learn.KernelsScaled}, "kernels"},
		"too many atoms":             {truth.Signals, learn.Model{Kernels: heat, Sparsity: n}, learn.Options{}, "sparsity"},
		"negative sparsity":          {truth.Signals, learn.Model{Kernels: heat, Sparsity: -1}, learn.Options{}, "sparsity"},
		"an unknown coder":           {truth.Signals, paper, learn.Options{Coder: "soup"}, "coder"},
		"too few names":              {truth.Signals, paper, learn.Options{Names: []string{"a"}}, "names"},
		"too many edges":             {truth.Signals, paper, learn.Options{Cut: graph.Cut{Rule: graph.CutEdges, Edges: n * n}}, "edges"},
		"a threshold of no number":   {truth.Signals, paper, learn.Options{Cut: graph.Cut{Rule: graph.CutThreshold, Threshold: math.NaN()}}, "threshold"},
		"negative rounds":            {truth.Signals, paper, learn.Options{Rounds: -1}, "rounds"},
		"no pairs":                   {truth.Signals, paper, learn.Options{Allow: [][2]int{}}, "allowed pairs"},
		"a pair of another vertex":   {truth.Signals, paper, learn.Options{Allow: [][2]int{{0, n}}}, "allowed pairs"},
		"all that is allowed is not": {truth.Signals, paper, learn.Options{Allow: [][2]int{{0, 1}}, Forbid: [][2]int{{1, 0}}}, "allowed pairs"},
		"a pair of one vertex":       {truth.Signals, paper, learn.Options{Forbid: [][2]int{{2, 2}}}, "forbidden pairs"},
		"a start on other vertices":  {truth.Signals, paper, learn.Options{Init: other}, "init"},
		"a signed prior":             {truth.Signals, paper, learn.Options{Prior: negative}, "prior"},
		"a weight of no prior":       {truth.Signals, paper, learn.Options{PriorWeight: 1}, "prior weight"},
		"a negative weight":          {truth.Signals, paper, learn.Options{Prior: truth.Graph, PriorWeight: -1}, "prior weight"},
	} {
		_, err := learn.Fit(t.Context(), c.y, c.m, c.o)
		refused(t, name, err, c.field)
	}
	for name, c := range map[string]struct {
		g     *graph.Graph
		y     *mat.Dense
		o     learn.KernelOptions
		field string
	}{
		"another graph":           {other, truth.Signals, learn.KernelOptions{}, "graph"},
		"no edges":                {on(n), truth.Signals, learn.KernelOptions{}, "graph"},
		"negative edges":          {negative, truth.Signals, learn.KernelOptions{}, "graph"},
		"an infinite value":       {truth.Graph, infinite, learn.KernelOptions{}, "signals"},
		"zeros":                   {truth.Graph, mat.NewDense(n, 30, nil), learn.KernelOptions{}, "signals"},
		"too few to choose":       {truth.Graph, mat.DenseCopyOf(truth.Signals.Slice(0, n, 0, 8)), learn.KernelOptions{}, "count"},
		"too many atoms":          {truth.Graph, truth.Signals, learn.KernelOptions{Sparsity: n}, "sparsity"},
		"no scale":                {truth.Graph, truth.Signals, learn.KernelOptions{Kernels: poly}, "kernels"},
		"an empty kernel":         {truth.Graph, truth.Signals, learn.KernelOptions{Kernels: append([]kernel.Kernel{{}}, heat...)}, "kernels"},
		"a count of given ones":   {truth.Graph, truth.Signals, learn.KernelOptions{Kernels: heat, Count: 1}, "kernels"},
		"a huge degree":           {truth.Graph, truth.Signals, learn.KernelOptions{Degree: 1000}, "degree"},
		"a sum that is no number": {truth.Graph, truth.Signals, learn.KernelOptions{Sum: math.NaN()}, "sum"},
	} {
		_, err := fitKernels(t.Context(), c.g, c.y, c.o)
		refused(t, "kernels, "+name, err, c.field)
	}
	for name, c := range map[string]struct {
		g     *graph.Graph
		m     learn.Model
		y     *mat.Dense
		field string
	}{
		"no kernels":        {truth.Graph, learn.Model{Sparsity: 2}, truth.Signals, "kernels"},
		"no sparsity":       {truth.Graph, learn.Model{Kernels: heat}, truth.Signals, "sparsity"},
		"other vertices":    {truth.Graph, paper, mat.NewDense(n+1, m, nil), "graph"},
		"an infinite value": {truth.Graph, paper, infinite, "signals"},
		"negative edges":    {negative, paper, truth.Signals, "graph"},
	} {
		_, _, err := learn.Encode(c.g, c.m, c.y, 1)
		refused(t, "codes, "+name, err, c.field)
		_, err = learn.CodeHeldOut(c.g, c.m, c.y, c.y, 1)
		refused(t, "codes held out, "+name, err, c.field)
	}
	for field, m := range map[string]learn.Maretic2017{
		"step": {StepSize: -1}, "decay": {StepDecay: math.NaN()}, "beta": {EdgePenalty: math.Inf(1)}, "rounds": {Rounds: -1},
	} {
		_, err := runPaper(t.Context(), truth.Signals, m, learn.Options{}, nil)
		refused(t, "the paper", err, field)
	}
	_, err := runPaper(t.Context(), truth.Signals, learn.Maretic2017{}, learn.Options{Prior: truth.Graph}, nil)
	refused(t, "the paper has no place for one", err, "prior")
	_, err = learn.Sparse{}.Learn(t.Context(), method.Problem{})
	refused(t, "no signals", err, "signals")
}

func refused(t *testing.T, name string, err error, field string) {
	t.Helper()
	if e := input.Find(err); e == nil || string(e.Field) != field {
		t.Errorf("%s: got %v, want a fault of %s", name, err, field)
	}
}

func TestFaultsAreReportedTogether(t *testing.T) {
	_, err := learn.Fit(t.Context(), small(t).Signals, learn.Model{}, learn.Options{Coder: "soup", Rounds: -1, Starts: -1})
	if err == nil || slices.ContainsFunc([]string{"starts", "coder", "rounds"}, func(f string) bool { return !strings.Contains(err.Error(), f) }) {
		t.Errorf("got %v", err)
	}
}
