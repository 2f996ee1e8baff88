package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
)

// A choiceRecord is what a summary says of the choices that sparse made.
type choiceRecord struct {
	Kernels  learn.KernelLearning `json:"kernels"`
	Sparsity string               `json:"sparsity"`      // given or auto
	Level    bool                 `json:"level"`         // each signal's mean over the vertices was taken out
	Scores   []kernelScoreRecord  `json:"kernel_scores"` // of the kernels that were compared, those begun with first
}

type kernelScoreRecord struct {
	Kernels    []string `json:"kernels"`
	Sparsity   int      `json:"sparsity"`
	Level      bool     `json:"level"`
	Prediction *float64 `json:"prediction"` // share of a vertex, beyond the mean of all, that the others predict
}

// A pathRecord is a graph on the pruning path.
type pathRecord struct {
	Edges      int      `json:"edges"`
	CodeError  *float64 `json:"code_error"` // of signals held out
	Prediction *float64 `json:"prediction"`
}

func newChoiceRecord(asked learner, r *learn.Result) *choiceRecord {
	c := &choiceRecord{Kernels: r.Options.Kernels, Sparsity: "given", Level: r.Options.RemoveCommonMode, Scores: []kernelScoreRecord{}}
	if asked.model.Sparsity == 0 {
		c.Sparsity = sparsityAuto
	}
	for _, s := range r.KernelScores {
		c.Scores = append(c.Scores, kernelScoreRecord{s.Kernels, s.Sparsity, s.CommonModeRemoved, finite(s.Prediction)})
	}
	return c
}

func pathRecords(r *learn.Result) []pathRecord {
	var list []pathRecord
	for _, p := range r.Path {
		list = append(list, pathRecord{p.Edges, finite(p.CodeError), finite(p.Prediction)})
	}
	return list
}

// finite returns a number for JSON, which has no others.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// chosenWords says which kernels and how many atoms were chosen, and why; nothing
// if they are those that were begun with.
func chosenWords(asked learner, r *learn.Result) string {
	kernels, atoms := r.Model.Kernels, r.Model.Sparsity
	moved := r.Options.Kernels != learn.KernelsGiven && !slices.Equal(kernelNamesOf(kernels), kernelNamesOf(asked.model.Kernels))
	deepened := asked.model.Sparsity == 0 && atoms != min(learn.PaperModel().Sparsity, r.Graph.Vertices()/2)
	if !moved && !deepened {
		return ""
	}
	words := "kernels: " + shortNames(kernelNamesOf(kernels))
	if better := slices.IndexFunc(r.KernelScores, func(s learn.KernelScore) bool {
		return slices.Equal(s.Kernels, kernelNamesOf(kernels)) && s.CommonModeRemoved == r.Options.RemoveCommonMode
	}); better > 0 {
		words += fmt.Sprintf(" (predicts %.2f of a vertex from others, %s %.2f)",
			r.KernelScores[better].Prediction, shortNames(r.KernelScores[0].Kernels), r.KernelScores[0].Prediction)
	}
	if r.Options.RemoveCommonMode && !asked.options.RemoveCommonMode {
		words += "; each signal's mean over the vertices is taken out"
	}
	return wrapped(fmt.Sprintf("%s; %s a signal", words, plural(atoms, "atom")))
}

// noiseWords says how much noise would explain what is left over, if it may be that.
func noiseWords(r *learn.Result) string {
	if r.Noise == 0 || r.Large || r.Options.Recipe != learn.Default {
		return ""
	}
	return fmt.Sprintf("noise: about %s of the signals' amplitude, if it is what is left over", percent(r.Noise))
}

func kernelNamesOf(kernels []kernel.Kernel) []string {
	var names []string
	for _, k := range kernels {
		names = append(names, k.Name)
	}
	return names
}

// shortNames lists kernels for people: numbers in four digits, and no more than the
// beginning of a long polynomial.
func shortNames(names []string) string {
	var short []string
	for _, name := range names {
		family, argument, _ := strings.Cut(name, ":")
		numbers := strings.Split(argument, ",")
		for k, n := range numbers {
			if v, err := strconv.ParseFloat(n, 64); err == nil {
				numbers[k] = strconv.FormatFloat(v, 'g', 4, 64)
			}
		}
		if len(numbers) > 3 {
			numbers = append(numbers[:3], "…")
		}
		short = append(short, family+":"+strings.Join(numbers, ","))
	}
	return joined(short, " and ")
}
