package model

import (
	"testing"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

func planted(t *testing.T, vertices, count int, noise float64) *synth.Truth {
	t.Helper()
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, Seed: 1},
		learn.PaperModel().Kernels, synth.SignalSpec{Count: count, Sparsity: 4, Noise: noise, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// Kernels are learned on the graph of the same names, in whatever order.
func TestKernelsAreLearnedOnVerticesByName(t *testing.T) {
	truth := planted(t, 10, 80, 0)
	names := truth.Graph.Names()
	reversed := make([]string, len(names))
	for i, name := range names {
		names[i] = "station " + name
		reversed[len(names)-1-i] = names[i]
	}
	named := truth.Graph.Embed(upTo(len(names)), names)
	turned, err := named.OnVertices(reversed)
	if err != nil {
		t.Fatal(err)
	}
	o := KernelOptions{Learn: learn.KernelOptions{Kernels: learn.PaperModel().Kernels, Sparsity: 4}}
	var residuals []float64
	for _, g := range []*graph.Graph{named, turned} {
		a, err := LearnKernels(t.Context(), &nervure.Signals{Y: truth.Signals, Names: names}, g, o)
		if err != nil {
			t.Fatal(err)
		}
		residuals = append(residuals, a.Residual)
	}
	if residuals[0] != residuals[1] {
		t.Errorf("the residual is %g on the graph and %g on the same with its vertices reversed", residuals[0], residuals[1])
	}
}

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
