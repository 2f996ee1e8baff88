package plot

import (
	"fmt"
	"slices"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
)

// Convergence draws the residual, or else the objective, and the number of edges
// after each step, coding and graph by turns. Runs follow one another, each a line
// of its own, those of a start in one colour.
func Convergence(title string, trace []document.TraceStep) figure.Charts {
	fall := figure.Chart{Title: "Residual", XLabel: "step", YLabel: "‖Y − DX‖² / ‖Y‖²", LogY: true}
	value := func(t document.TraceStep) *float64 { return t.Residual }
	if !slices.ContainsFunc(trace, func(t document.TraceStep) bool { return t.Residual != nil }) {
		fall.Title, fall.YLabel = "Objective", "objective"
		value = func(t document.TraceStep) *float64 { return t.Objective }
	}
	edges := figure.Chart{Title: "Edges", XLabel: "step", YLabel: "edges"}
	starts := Starts(trace)
	for k, t := range trace {
		if k == 0 || t.Start != trace[k-1].Start || t.Round < trace[k-1].Round { // a run begins
			line := figure.Series{Color: slices.Index(starts, t.Start), Plain: len(trace) > 20}
			if len(starts) > 1 && len(starts) <= mostGroups {
				line.Name = fmt.Sprintf("start %d", t.Start)
			}
			fall.Series, edges.Series = append(fall.Series, line), append(edges.Series, line)
		}
		step, run := float64(k+1), len(edges.Series)-1
		count, down := &edges.Series[run], &fall.Series[run]
		count.X, count.Y = append(count.X, step), append(count.Y, float64(t.Edges))
		if v := value(t); v != nil {
			down.X, down.Y = append(down.X, step), append(down.Y, *v)
			fall.LogY = fall.LogY && *v > 0
		}
	}
	return figure.Charts{Title: title, PerRow: 2, Charts: []figure.Chart{fall, edges}}
}

// Starts lists the starts of a trace, each once.
func Starts(trace []document.TraceStep) []int {
	var starts []int
	for _, t := range trace {
		if !slices.Contains(starts, t.Start) {
			starts = append(starts, t.Start)
		}
	}
	slices.Sort(starts)
	return starts
}

// Weights draws weights, heaviest first, and a line after those that were
// kept; zero means that nothing was cut.
func Weights(title string, weights []float64, kept int) figure.Charts {
	all := figure.Series{Plain: len(weights) > 1}
	for k, w := range weights {
		all.X, all.Y = append(all.X, float64(k+1)), append(all.Y, w)
	}
	chart := figure.Chart{Title: "Sorted weights", XLabel: "edge, heaviest first", YLabel: "weight", LogY: true, Series: []figure.Series{all}}
	if kept > 0 && kept <= len(weights) {
		low, high := weights[len(weights)-1], weights[0]
		at := float64(kept) + 0.5
		chart.Series = append(chart.Series, figure.Series{
			Name: "cut after " + words.Plural(kept, "edge"), X: []float64{at, at}, Y: []float64{low, high}, Dashed: true, Plain: true, Color: 3,
		})
	}
	return figure.Charts{Title: title, PerRow: 1, Charts: []figure.Chart{chart}}
}

// Kernels draws kernels over the spectrum of a normalised Laplacian.
func Kernels(title string, kernels []kernel.Kernel) figure.Charts {
	const steps = 200
	chart := figure.Chart{Title: "Kernels", XLabel: "λ", YLabel: "g(λ)"}
	for s, k := range kernels {
		line := figure.Series{Name: kernel.ShortName(k.Name), Color: s}
		for i := range steps + 1 {
			l := 2 * float64(i) / steps
			line.X, line.Y = append(line.X, l), append(line.Y, k.Eval(l))
		}
		chart.Series = append(chart.Series, line)
	}
	return figure.Charts{Title: title, PerRow: 1, Charts: []figure.Chart{chart}}
}
