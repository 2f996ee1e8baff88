package nervure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// Findings says what was chosen and found besides the verdict, as sentences
// without capitals and full stops: the method, kernels and atoms, parameters, noise,
// confidence.
func (a *Analysis) Findings() []string {
	var list []string
	for _, sentence := range []string{a.chosenMethod(), a.chosenParams(), a.process(), a.chosenModel(), a.noise(), a.confidence()} {
		if sentence != "" {
			list = append(list, sentence)
		}
	}
	return list
}

// chosenMethod says which method [AutoMethod] took.
func (a *Analysis) chosenMethod() string {
	if a.Choice == nil {
		return ""
	}
	return a.Choice.String()
}

// chosenParams says with which parameters another method was run.
func (a *Analysis) chosenParams() string {
	var list []string
	for _, v := range method.Values(a.Result.Method) {
		list = append(list, fmt.Sprintf("%s %.4g", v.Name, v.Value))
	}
	if len(list) == 0 {
		return ""
	}
	return "parameters: " + strings.Join(list, ", ")
}

// process says what a method that uses the order of the signals found in it.
func (a *Analysis) process() string {
	fit, ok := a.Result.Own.(*baseline.CausalFit)
	if !ok {
		return ""
	}
	sentence := fmt.Sprintf("the past predicts %s of the signals' variance", words.Percent(fit.Predicted))
	if !math.IsNaN(fit.Radius) {
		sentence += fmt.Sprintf(", with spectral radius %.2f", fit.Radius)
	}
	if arrows := a.Graph.EdgeCount(); arrows > 0 {
		sentence += fmt.Sprintf("; %s of the arrows are one-way", words.Percent(float64(a.Graph.OneWay())/float64(arrows)))
	}
	return sentence
}

// chosenModel says which kernels and how many atoms were chosen, and why; nothing
// if they are the initial ones.
func (a *Analysis) chosenModel() string {
	r, ok := a.Sparse, a.Sparse != nil
	if !ok {
		return ""
	}
	asked, _ := sparseWith(a.Options.Method)
	kernels, atoms := kernel.Names(r.Model.Kernels), r.Model.Sparsity
	moved := r.Options.Kernels != learn.KernelsGiven && !slices.Equal(kernels, kernel.Names(asked.InitialKernels()))
	deepened := asked.Model.Sparsity == 0 && atoms != min(learn.PaperModel().Sparsity, r.Graph.Vertices()/2)
	if !moved && !deepened {
		return ""
	}
	sentence := "kernels: " + shortNames(kernels)
	if better := slices.IndexFunc(r.KernelScores, func(s learn.KernelScore) bool {
		return slices.Equal(s.Kernels, kernels) && s.CommonModeRemoved == r.Options.RemoveCommonMode
	}); better > 0 {
		sentence += fmt.Sprintf(" (held-out prediction %.2f; %s: %.2f)",
			r.KernelScores[better].Prediction, shortNames(r.KernelScores[0].Kernels), r.KernelScores[0].Prediction)
	}
	if r.Options.RemoveCommonMode && !asked.Options.RemoveCommonMode {
		sentence += "; common mode removed"
	}
	return fmt.Sprintf("%s; %s per signal", sentence, words.Plural(atoms, "atom"))
}

// noise says how much noise would explain the residual.
func (a *Analysis) noise() string {
	if r := a.Sparse; r != nil && r.Noise > 0 && !r.Large && recipeOf(a.Result.Method.Name()) == "default" {
		return fmt.Sprintf("noise: about %s of the signals' amplitude, if the residual is all noise", words.Percent(r.Noise))
	}
	return ""
}

// confidence says how many edges have a high confidence.
func (a *Analysis) confidence() string {
	switch {
	case a.Confidence == nil:
		return ""
	case a.Verdict.Grade == NoStructure:
		return "confidence: 0 for all edges, because the signals show no structure"
	}
	sentence := fmt.Sprintf("confidence: %d of %s at %g or higher", a.Confidence.AtLeast(SureLevel), words.Plural(a.Graph.EdgeCount(), "edge"), SureLevel)
	if c := a.doubt; c != nil {
		sentence += fmt.Sprintf("; it is bounded by that of a field, because sums of few patterns do not clearly make held-out signals more than twice as much likelier as edges do (by %.3g ± %.2g nats, the edges of %s by %.3g)",
			c.Codes.Mean, c.Codes.StdErr, c.edgesOf(), max(c.Edges.Mean, 0))
	}
	return sentence
}

// shortNames lists kernels for people.
func shortNames(names []string) string {
	var short []string
	for _, name := range names {
		short = append(short, kernel.ShortName(name))
	}
	return words.List(short, "and")
}
