package experiment

import (
	"context"
	"errors"
	"fmt"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
)

// A perturbation makes signals with other kernels than they are learned with.
type perturbation struct {
	name    string
	kernels func(seed uint64) ([]kernel.Kernel, error)
}

// coefficientSpread is the largest relative change of a coefficient α_sk.
const coefficientSpread = 0.1

func perturbations() []perturbation {
	var all []perturbation
	for _, epsilon := range []float64{0, 0.25, 0.5, 1} {
		all = append(all, perturbation{
			fmt.Sprintf("tau+%g", epsilon),
			func(uint64) ([]kernel.Kernel, error) { return shifted(epsilon) },
		})
	}
	return append(all, perturbation{fmt.Sprintf("coefficients±%g%%", 100*coefficientSpread), scattered})
}

// shifted returns e^(−(2+ε)λ) and 1 − e^(−(1+ε)λ).
func shifted(epsilon float64) ([]kernel.Kernel, error) {
	low, errLow := kernel.Heat(2+epsilon, 15, kernel.Taylor)
	high, errHigh := kernel.HighPass(1+epsilon, 15, kernel.Taylor)
	return []kernel.Kernel{low, high}, errors.Join(errLow, errHigh)
}

// scattered returns the paper's kernels with α_sk(1 + ρ_sk) for α_sk, ρ_sk
// uniform in (−0.1, 0.1) and independent.
func scattered(seed uint64) ([]kernel.Kernel, error) {
	var all []kernel.Kernel
	for s, k := range learn.PaperModel().Kernels {
		coef := k.Coef()
		r := rng.Stream(seed, "coefficients", s)
		for i := range coef {
			coef[i] *= 1 + coefficientSpread*(2*r.Float64()-1)
		}
		p, err := kernel.Polynomial(k.Name+" scattered", coef)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

var robustnessSignals = []int{200, 1000}

// robustness is the paragraph on kernels that are not quite known: signals come
// from perturbed kernels and are learned with the paper's.
func robustness(instances int) (*Experiment, error) {
	options, err := paperOptions(paperSetting(50, robustnessSignals[0], 4), "signals", "kernels")
	if err != nil {
		return nil, err
	}
	options["tau"] = "signals from e^(−(2+ε)λ) and 1 − e^(−(1+ε)λ)"
	options["coefficients"] = "each coefficient times 1 + ρ, ρ uniform in (−0.1, 0.1), drawn again for each graph"
	var cells []Cell
	for _, recipe := range recipes {
		for _, p := range perturbations() {
			for _, signals := range robustnessSignals {
				cells = append(cells, Cell{
					Labels: []Label{Text("recipe", recipe), Text("perturbation", p.name), Amount("signals", signals)},
					Measure: func(ctx context.Context, seed uint64, _ []Record) (Values, error) {
						s := paperSetting(50, signals, 4)
						var err error
						if s.kernels, err = p.kernels(seed); err != nil {
							return nil, err
						}
						return s.measure(ctx, recipe, seed)
					},
				})
			}
		}
	}
	return &Experiment{
		Name:      "robustness",
		Title:     "Signals from kernels other than those they are learned with, 50 vertices",
		Claim:     "results are stable for scales off by up to 1 and coefficients off by up to 10 %, more so with more signals",
		Source:    "maretic2017, section 4, last sentence on recovery and the paragraph commented out after it",
		Instances: instances,
		Options:   options,
		Stages:    []Stage{{Measuring, Seeds{firstMeasuringSeed, instances}, cells}},
		Tables:    robustnessTables,
	}, nil
}

func robustnessTables(records []Record) []Table {
	var tables []Table
	for _, recipe := range recipes {
		t := Table{
			Title:  fmt.Sprintf("Robustness: F1 with inexact kernels, recipe %s", recipe),
			Header: []string{"perturbation", "M", "edges, true count", "automatic cut", "codes"},
		}
		var graphs counter
		for _, p := range perturbations() {
			for _, m := range robustnessSignals {
				some := where(records, Measuring, Text("recipe", recipe), Text("perturbation", p.name), Amount("signals", m))
				graphs.see(len(some))
				t.Rows = append(t.Rows, []string{
					p.name, fmt.Sprint(m), Summarize(some, "edges_f1_at_count").text(3),
					Summarize(some, "edges_f1").text(3), Summarize(some, "codes_f1").text(3),
				})
			}
		}
		t.Notes = []string{graphs.note()}
		tables = append(tables, t)
	}
	last := &tables[len(tables)-1]
	last.Notes = append(last.Notes, "The paper reports “stable results” without numbers.")
	return tables
}
