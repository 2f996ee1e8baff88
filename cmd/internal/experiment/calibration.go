package experiment

import (
	"context"
	"fmt"
	"io"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// Calibration is the name of the experiment on what confidence is worth, the only
// one that is not about the paper.
const Calibration = "calibration"

// The roles of kinds of signals in it.
const (
	fittedRole  = "fitted on"    // fields of these kinds, with other seeds, made the calibration
	leftOutRole = "left out"     // it has not seen such fields
	ownRole     = "sparse model" // sums of few patterns
	forcedRole  = "wrong method" // learned by a method that does not fit
)

var calibrationRoles = []string{fittedRole, leftOutRole, ownRole, forcedRole}

// A calibrationKind is a law of signals whose graph is known.
type calibrationKind struct {
	name, role string
	method     method.Method // nil means automatic
	draw       func(seed uint64) (*synth.FieldTruth, error)
}

func calibrationKinds() []calibrationKind {
	var kinds []calibrationKind
	for _, k := range simulate.FieldKinds() {
		role := fittedRole
		if k.LeftOut {
			role = leftOutRole
		}
		kinds = append(kinds, calibrationKind{k.Name, role, nil, k.Draw})
	}
	for _, p := range []struct {
		name         string
		role         string
		method       method.Method
		noise, scale float64
	}{
		{"patterns", ownRole, nil, 0, 0},
		{"patterns, noise 20 %", ownRole, nil, 0.2, 0},
		{"patterns, noise 40 %", ownRole, nil, 0.4, 0},
		{"patterns of other kernels", ownRole, nil, 0.1, 0.5},
		{"patterns, noise 20 %, by ggl", forcedRole, baseline.GGL{}, 0.2, 0},
	} {
		kinds = append(kinds, calibrationKind{p.name, p.role, p.method, func(seed uint64) (*synth.FieldTruth, error) {
			s := paperSetting(30, 150, 4)
			s.signals.Noise = p.noise
			var err error
			if s.kernels, err = shifted(p.scale); err != nil {
				return nil, err
			}
			t, err := s.draw(seed)
			if err != nil {
				return nil, err
			}
			return &synth.FieldTruth{Signals: t.Signals, Graph: t.Graph}, nil
		}})
	}
	for _, law := range synth.FieldLaws() {
		kinds = append(kinds, calibrationKind{string(law) + " on a small grid, by sparse", forcedRole, learn.Sparse{}, func(seed uint64) (*synth.FieldTruth, error) {
			g, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 25, Weights: synth.UniformWeights, Seed: seed})
			if err != nil {
				return nil, err
			}
			return synth.Field(g.Graph, synth.FieldSpec{Law: law, Count: 200, Seed: seed})
		}})
	}
	return kinds
}

// measure learns as the command line does, and counts edges by their confidence.
func (k calibrationKind) measure(ctx context.Context, seed uint64) (Values, error) {
	truth, err := k.draw(seed)
	if err != nil {
		return nil, err
	}
	a, err := nervure.Learn(ctx, &nervure.Signals{Y: truth.Signals}, nervure.Options{Method: k.method, Confidence: nervure.Yes, Seed: seed, Threads: 1})
	if err != nil {
		return nil, err
	}
	v := Values{"learned_by": a.Result.Method.Name(), "true_edges": float64(truth.Graph.EdgeCount())}
	confidence := a.Graph.Confidence()
	for b := range calibrationBins {
		v[edgesOf(b)], v[trueOf(b)], v[sumOf(b)] = 0.0, 0.0, 0.0
	}
	for e, edge := range a.Graph.Edges() {
		if confidence == nil {
			break // none could be computed
		}
		b := binOf(confidence[e])
		v[edgesOf(b)] = v[edgesOf(b)].(float64) + 1
		v[sumOf(b)] = v[sumOf(b)].(float64) + confidence[e]
		v[trueOf(b)] = v[trueOf(b)].(float64) + truthValue(truth.Graph.HasEdge(edge.I, edge.J))
	}
	v[secondsKey] = a.Duration.Seconds()
	return v, nil
}

// calibrationBins is into how many bins confidence is sorted. The last one, from 0.9 on,
// has the edges that are called sure.
const calibrationBins = 10

func binOf(confidence float64) int {
	// Confidence has three decimals: tenths must not fall below by rounding.
	return min(int(calibrationBins*confidence+1e-9), calibrationBins-1)
}

// What a record has for each bin: the number of edges, of true ones, and the sum of
// the confidence.
func edgesOf(bin int) string { return fmt.Sprintf("edges_%d", bin) }
func trueOf(bin int) string  { return fmt.Sprintf("true_%d", bin) }
func sumOf(bin int) string   { return fmt.Sprintf("confidence_%d", bin) }

func calibration(instances int) (*Experiment, error) {
	kinds := calibrationKinds()
	cells := make([]Cell, len(kinds))
	for i, k := range kinds {
		cells[i] = Cell{
			Labels:  []Label{text("kind", k.name), text("role", k.role)},
			Measure: func(ctx context.Context, seed uint64, _ []Record) (Values, error) { return k.measure(ctx, seed) },
		}
	}
	return &Experiment{
		Name:      Calibration,
		Title:     "Share of true edges by confidence",
		Claim:     "of the edges with confidence 0.9 or more, nine in ten are true, also where the model is wrong",
		Source:    "our own expectation; the paper has no confidence",
		Instances: instances,
		Options:   map[string]any{"learning": "as the command line does without flags, confidence for all edges"},
		Stages:    []Stage{{Measuring, Seeds{firstMeasuringSeed, instances}, cells}},
		Tables:    calibrationTables,
		Figure:    calibrationFigure,
	}, nil
}

// A binned counts the edges of some records, in all or in some bins.
type binned struct {
	edges, right, sum float64
	graphEdges        float64 // of the true graphs
	graphs, asField   int
}

func countBins(records []Record, from, to int) binned {
	var c binned
	for _, r := range records {
		c.graphs++
		c.graphEdges += r.Number("true_edges")
		if by := r.Text("learned_by"); by == "ggl" || by == "field" { // a field of order one is ggl's
			c.asField++
		}
		for b := from; b < to; b++ {
			c.edges += r.Number(edgesOf(b))
			c.right += r.Number(trueOf(b))
			c.sum += r.Number(sumOf(b))
		}
	}
	return c
}

// share is that of a in b, in percent.
func share(a, b float64) string {
	if b == 0 {
		return none
	}
	return fmt.Sprintf("%.0f %%", 100*a/b)
}

// calibrationTables are one for each role that kinds of signals have, and one of all
// bins.
func calibrationTables(records []Record) []Table {
	var tables []Table
	bins := Table{Title: "Share of true edges by confidence", Header: []string{"confidence"}}
	for _, role := range calibrationRoles {
		table := Table{
			Title:  "Edges with confidence 0.9 or more: " + role,
			Header: []string{"signals", "fields", "edges", "true", "≥ 0.9", "true", "recall"},
		}
		add := func(name string, some []Record) {
			all, sure := countBins(some, 0, calibrationBins), countBins(some, calibrationBins-1, calibrationBins)
			table.Rows = append(table.Rows, []string{
				name, fmt.Sprintf("%d of %d", all.asField, all.graphs), fmt.Sprintf("%.0f", all.edges), share(all.right, all.edges),
				fmt.Sprintf("%.0f", sure.edges), share(sure.right, sure.edges), share(sure.right, all.graphEdges),
			})
		}
		for _, k := range calibrationKinds() {
			if k.role == role {
				add(k.name, where(records, Measuring, text("kind", k.name), text("role", role)))
			}
		}
		add("all of these", where(records, Measuring, text("role", role)))
		tables = append(tables, table)
		bins.Header = append(bins.Header, role)
	}
	tables[0].Notes = []string{
		"Coefficients were fitted to signals of the kinds “fitted on”, with other seeds. Sizes (20 to 100 vertices, 60 to 1000 signals), noise (up to 30 %), skewed scales and vertices that are not measured differ from graph to graph.",
		"Of the kinds “wrong method”, a method was asked for that does not fit the signals; for all others it was chosen automatically.",
		"Fields: graphs learned by the method for fields, or by ggl, of all. Edges: those learned. Recall: share of the true edges that are learned with confidence 0.9 or more.",
	}
	for b := range calibrationBins {
		row := []string{fmt.Sprintf("%.1f to %.1f", float64(b)/calibrationBins, float64(b+1)/calibrationBins)}
		for _, role := range calibrationRoles {
			c := countBins(where(records, Measuring, text("role", role)), b, b+1)
			row = append(row, fmt.Sprintf("%s of %.0f", share(c.right, c.edges), c.edges))
		}
		bins.Rows = append(bins.Rows, row)
	}
	return append(tables, bins)
}

// leastInBin is how many edges a bin needs for a point.
const leastInBin = 20

// calibrationFigure is the reliability diagram: the share of true edges over the mean
// confidence of each bin.
func calibrationFigure(w io.Writer, records []Record) error {
	chart := figure.Chart{
		Title: "Reliability", XLabel: "mean confidence of the edges in a bin", YLabel: "share of true edges", MaxY: 1,
		Series: []figure.Series{{Name: "ideal", X: []float64{0, 1}, Y: []float64{0, 1}, Dashed: true, Plain: true, Color: 4}},
	}
	for k, role := range calibrationRoles {
		line := figure.Series{Name: role, Color: k}
		for b := range calibrationBins {
			if c := countBins(where(records, Measuring, text("role", role)), b, b+1); c.edges >= leastInBin {
				line.X, line.Y = append(line.X, c.sum/c.edges), append(line.Y, c.right/c.edges)
			}
		}
		chart.Series = append(chart.Series, line)
	}
	return figure.WriteCharts(w, "Share of true edges over confidence; on the dashed line, confidence is the share of true edges", 1, chart)
}
