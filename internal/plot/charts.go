package plot

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/layout"
	"github.com/nervure/nervure/internal/matrix"
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
	label := "weight"
	for k, w := range weights {
		all.X, all.Y = append(all.X, float64(k+1)), append(all.Y, math.Abs(w))
		if w < 0 {
			label = "size of the weight"
		}
	}
	chart := figure.Chart{Title: "Sorted weights", XLabel: "edge, heaviest first", YLabel: label, LogY: true, Series: []figure.Series{all}}
	if kept > 0 && kept <= len(weights) {
		low, high := all.Y[len(weights)-1], all.Y[0]
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

// mostDots is how many dots of a spectrum are told apart on a narrow page.
const mostDots = 150

// Spectrum draws the energy of signals at each frequency of a graph, and the variance that the
// kernel of the field and its noise give there.
func Spectrum(title string, f *document.FieldSpectrum) (figure.Charts, error) {
	const steps = 200
	variance, err := f.Variance()
	if err != nil {
		return figure.Charts{}, err
	}
	dots := figure.Series{Name: "signals", Points: true}
	each := (len(f.Frequency) + mostDots - 1) / mostDots // waves that a dot stands for
	for first := 0; first < len(f.Frequency); first += each {
		var at, energy float64
		last := min(first+each, len(f.Frequency))
		for k := first; k < last; k++ {
			at, energy = at+f.Frequency[k]/float64(last-first), energy+f.Energy[k]/float64(last-first)
		}
		if energy > 0 { // on a logarithmic axis
			dots.X, dots.Y = append(dots.X, at), append(dots.Y, energy)
		}
	}
	if len(dots.X) == 0 {
		return figure.Charts{}, errors.New("the signals have no energy at any frequency")
	}
	line := figure.Series{Name: kernel.ShortName(f.Kernel), Plain: true, Color: 3}
	high := max(dots.X[len(dots.X)-1], 0)
	for k := range steps + 1 {
		l := high * float64(k) / steps
		line.X, line.Y = append(line.X, l), append(line.Y, variance(l))
	}
	chart := figure.Chart{
		Title: "Signals and kernel by frequency", XLabel: "graph frequency λ", YLabel: "energy", LogY: true,
		Series: []figure.Series{dots, line},
	}
	if noise := f.Noise * f.Noise; noise > slices.Min(dots.Y)/4 { // else it is beyond the axis
		chart.Series = append(
			chart.Series,
			figure.Series{Name: "noise", X: []float64{0, high}, Y: []float64{noise, noise}, Dashed: true, Plain: true, Color: 2},
		)
	}
	return figure.Charts{Title: title, PerRow: 1, Charts: []figure.Chart{chart}}, nil
}

// Heatmap is the weight matrix, the largest component first, in the order that its
// vertices have along the drawing of the graph, which is laid out to be wide.
func Heatmap(title string, g *graph.Graph) figure.Matrix {
	x, _ := layout.Places(g)
	label, count := g.Components()
	size := sizes(label, count)
	order := matrix.Sorted(g.Vertices(), func(a, b int) int {
		ca, cb := label[a], label[b]
		return cmp.Or(cmp.Compare(size[cb], size[ca]), cmp.Compare(ca, cb), cmp.Compare(x[a], x[b]))
	})
	m := figure.Matrix{Title: title, Directed: g.Directed()}
	names, place := g.Names(), make([]int, len(order))
	for k, i := range order {
		m.Names = append(m.Names, names[i])
		place[i] = k
		if k > 0 && label[i] != label[order[k-1]] && size[label[order[k-1]]] > 1 {
			m.Breaks = append(m.Breaks, k)
		}
	}
	for _, e := range g.Edges() {
		m.Cells = append(m.Cells, figure.Cell{Row: place[e.I], Column: place[e.J], Weight: e.Weight})
	}
	return m
}

// atomsPerRow is how many atoms stand side by side.
const atomsPerRow = 4

// Atoms draws the atoms of kernels at some vertices of a graph as colours on its
// drawing n, a row of them for each kernel.
func Atoms(g *graph.Graph, n figure.Network, kernels []kernel.Kernel, centres []int) (figure.Fields, error) {
	fields := figure.Fields{Title: n.Title, PerRow: min(len(centres), atomsPerRow)}
	atoms, err := AtomsAt(g, kernels, centres)
	n.Confidence = nil
	for k, values := range atoms {
		v := centres[k%len(centres)]
		fields.Fields = append(fields.Fields, figure.Field{
			Title:   kernel.ShortName(kernels[k/len(centres)].Name) + " at " + n.Vertices[v].Name,
			Network: n, Marked: []int{v}, Values: values,
		})
	}
	return fields, err
}

// AtomsAt returns the atoms of kernels at some vertices, kernel by kernel.
func AtomsAt(g *graph.Graph, kernels []kernel.Kernel, centres []int) ([][]float64, error) {
	operator, err := dictionary.NewOperator(g, kernels)
	if err != nil {
		return nil, err
	}
	chosen := mat.NewDense(operator.Atoms(), len(kernels)*len(centres), nil)
	for s := range kernels {
		for k, v := range centres {
			chosen.Set(s*g.Vertices()+v, s*len(centres)+k, 1)
		}
	}
	product, err := operator.Mul(chosen)
	if err != nil {
		return nil, err
	}
	atoms := make([][]float64, len(kernels)*len(centres))
	for k := range atoms {
		atoms[k] = mat.Col(nil, k, product)
	}
	return atoms, nil
}

// BestConnected lists the vertices with most edges, at most count of them.
func BestConnected(g *graph.Graph, count int) []int {
	edges := make([]int, g.Vertices())
	for _, e := range g.Edges() {
		edges[e.I]++
		edges[e.J]++
	}
	order := matrix.Sorted(len(edges), func(a, b int) int { return cmp.Compare(edges[b], edges[a]) })
	return order[:min(count, len(order))]
}

// ComponentColumn numbers components from the largest, and leaves out vertices
// that are alone.
func ComponentColumn(g *graph.Graph) dataio.VertexColumn {
	label, count := g.Components()
	size := sizes(label, count)
	column := dataio.VertexColumn{Name: "component", Text: make([]string, len(label))}
	for i, number := range bySize(label, size) {
		if size[label[i]] > 1 {
			column.Text[i] = fmt.Sprint(number)
		}
	}
	return column
}

// sizes counts the vertices of each group.
func sizes(label []int, count int) []int {
	size := make([]int, count)
	for _, c := range label {
		size[c]++
	}
	return size
}

// mostGroups is how many different numbers are drawn as groups, each with a colour
// of its own.
const mostGroups = 6

// Coloring gives a colour to each text of a column, those that most vertices have
// first; or shades to its numbers, if there are many of them.
func Coloring(c dataio.VertexColumn) *figure.Coloring {
	times := map[string]int{}
	for _, text := range c.Text {
		if text != "" {
			times[text]++
		}
	}
	if c.Numbers != nil && len(times) > mostGroups {
		return &figure.Coloring{Label: c.Name, Values: c.Numbers}
	}
	coloring := &figure.Coloring{Label: c.Name, Of: make([]int, len(c.Text))}
	for text := range times {
		coloring.Groups = append(coloring.Groups, text)
	}
	slices.SortFunc(coloring.Groups, func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b)) })
	place := map[string]int{"": -1}
	for k, text := range coloring.Groups {
		place[text] = k
	}
	for i, text := range c.Text {
		coloring.Of[i] = place[text]
	}
	return coloring
}
