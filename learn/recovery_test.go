package learn_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// A setting is a law from which graphs and signals are drawn.
type setting struct {
	name    string
	graph   synth.GraphSpec
	signals synth.SignalSpec
	model   learn.Model
}

func (s setting) draw(seed uint64) *synth.Truth {
	s.graph.Seed, s.signals.Seed = seed, seed
	truth := must(synth.Generate(s.graph, s.model.Kernels, s.signals))
	return truth
}

// paperTable1 are the settings of [maretic2017], table 1.
func paperTable1() []setting {
	var all []setting
	for _, n := range []int{20, 50, 100} {
		all = append(all, setting{
			fmt.Sprintf("er/n=%d/m=200", n),
			synth.GraphSpec{Family: synth.FamilyER, Vertices: n},
			synth.SignalSpec{Count: 200, Sparsity: 4},
			learn.PaperModel(),
		})
	}
	return all
}

// paperTable2 are the settings of [maretic2017], table 2: two low-pass kernels.
func paperTable2() []setting {
	model := learn.Model{Sparsity: 4}
	for _, tau := range []float64{2, 1} {
		k := must(kernel.Heat(tau, 15, kernel.Taylor))
		model.Kernels = append(model.Kernels, k)
	}
	signals := synth.SignalSpec{Count: 500, Sparsity: 4}
	return []setting{
		{"lowpass/er/n=20/m=500", synth.GraphSpec{Family: synth.FamilyER, Vertices: 20, Probability: 0.3}, signals, model},
		{"lowpass/rbf/n=20/m=500", synth.GraphSpec{Family: synth.FamilyRBF, Vertices: 20}, signals, model},
	}
}

type scores struct{ f1, precision, recall, codePrecision, codeRecall float64 }

func score(t testing.TB, r *learn.Result, truth *synth.Truth) scores {
	t.Helper()
	edges := must(metrics.Edges(r.Graph, truth.Graph))
	atCount := must(metrics.EdgesAtCount(r.Weights, truth.Graph))
	codes := must(metrics.Support(r.Codes, truth.Codes))
	return scores{edges.F1(), atCount.Precision, atCount.Recall, codes.Precision, codes.Recall}
}

// The recovery figures come from the seeds from here on. No constant of a recipe
// was chosen by looking at graphs of the default seeds.
var seed = flag.Uint64("seed", 900_000, "first seed of the graphs drawn")

// BenchmarkRecovery prints means over as many graphs as there are iterations:
//
//	go test ./learn -run '^$' -bench Recovery/default -benchtime 20x
//
// F1 is with the automatic cut; edgeP and edgeR are at the true edge count, the
// paper's protocol; no method sees the truth.
func BenchmarkRecovery(b *testing.B) {
	for recipe, fit := range bothMethods {
		for _, s := range append(paperTable1(), paperTable2()...) {
			b.Run(recipe+"/"+s.name, func(b *testing.B) {
				var sum scores
				var certified, gradients float64
				worst := 1.0
				seed := *seed
				for b.Loop() {
					b.StopTimer()
					truth := s.draw(seed)
					b.StartTimer()
					r := fit(b, truth.Signals, s.model, learn.Options{Seed: seed, Threads: 1})
					b.StopTimer()
					got := score(b, r, truth)
					if got.f1 < 1 && recipe == "default" {
						b.Logf("seed %d: F1 %.4f, residual %.2g, certified %v", seed, got.f1, r.Residual, r.Certified)
					}
					worst = min(worst, got.f1)
					sum.f1 += got.f1
					sum.precision += got.precision
					sum.recall += got.recall
					sum.codePrecision += got.codePrecision
					sum.codeRecall += got.codeRecall
					gradients += float64(r.Gradients)
					if r.Certified {
						certified++
					}
					seed++
					b.StartTimer()
				}
				n := float64(b.N)
				b.ReportMetric(sum.f1/n, "F1")
				b.ReportMetric(worst, "worstF1")
				b.ReportMetric(sum.precision/n, "edgeP")
				b.ReportMetric(sum.recall/n, "edgeR")
				b.ReportMetric(sum.codePrecision/n, "codeP")
				b.ReportMetric(sum.codeRecall/n, "codeR")
				b.ReportMetric(certified/n, "certified")
				b.ReportMetric(gradients/n, "gradients")
			})
		}
	}
}
