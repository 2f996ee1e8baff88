package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/modelfile"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// document describes the model as it is kept in a file.
func (m *Model) document() *modelfile.Document {
	p := m.transform.Record()
	d := &modelfile.Document{
		Model: modelfile.Format, Version: nervure.Version(), Method: m.Method, Signals: m.Signals,
		Vertices: m.Graph.Names(), Directed: m.Graph.Directed(),
		Edges: modelfile.Edges{Source: []int{}, Target: []int{}, Weight: []float64{}},
		Preparation: modelfile.Preparation{
			Log: p.Log, LogOffset: p.LogOffset, Difference: p.Difference, Autoregression: p.Autoregression,
			Level: p.Level, Centered: p.Center, Scaled: p.Scale, CommonMode: p.CommonMode,
			Trend: p.Trend, Mean: p.Mean, Deviation: p.SD, Varies: p.Varies,
		},
		SetAside: []document.SetAside{}, Equal: m.equalDocument(), Withheld: m.withheld, Unscored: m.unscored, Field: m.fieldDocument(),
	}
	for _, c := range p.Cycles {
		d.Preparation.Cycles = append(d.Preparation.Cycles, document.Cycle(c))
	}
	for _, e := range m.Graph.Edges() {
		d.Edges.Source, d.Edges.Target, d.Edges.Weight = append(
			d.Edges.Source,
			e.I,
		), append(
			d.Edges.Target,
			e.J,
		), append(
			d.Edges.Weight,
			e.Weight,
		)
	}
	for _, a := range m.aside {
		d.SetAside = append(d.SetAside, document.SetAside{Vertex: a.Name, Reason: string(a.Reason)})
	}
	if m.codes != nil {
		d.Codes = &modelfile.Codes{Sparsity: m.codes.Sparsity, NoiseFloor: m.codes.NoiseFloor, CommonMode: m.removeCommonMode}
		for _, k := range m.codes.Kernels {
			d.Codes.Kernels = append(d.Codes.Kernels, modelfile.Kernel{Name: k.Name, Chebyshev: k.Series()})
		}
	}
	if g := m.gaussian; g != nil {
		d.Gaussian = &modelfile.Gaussian{
			Mean:     g.Mean,
			Scale:    g.Scale,
			Diagonal: g.Diagonal,
			Edges:    append([]float64{}, g.Precision...),
			LogDet:   g.LogDet,
		}
	}
	return d
}

// Write writes the model as nervure learn --model does.
func (m *Model) Write(w io.Writer) error { return document.Write(w, m.document()) }

// MarshalJSON implements [json.Marshaler].
func (m *Model) MarshalJSON() ([]byte, error) { return json.Marshal(m.document()) }

// UnmarshalJSON implements [json.Unmarshaler].
func (m *Model) UnmarshalJSON(text []byte) error {
	var d modelfile.Document
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	read, err := newModel(&d)
	if err != nil {
		return err
	}
	*m = *read
	return nil
}

// Read reads a model that was written as JSON. A text that is none, or has numbers that
// cannot be used, is an *input.Error.
func Read(r io.Reader) (*Model, error) {
	d, err := modelfile.Read(r)
	if err != nil {
		return nil, &input.Error{Msg: err.Error(), Err: err}
	}
	return newModel(d)
}

// newModel makes a model of its document. Nothing in it is taken on trust: names,
// numbers of vertices and all other numbers that cannot be used are an *input.Error.
// Edges may be in any order.
func newModel(d *modelfile.Document) (*Model, error) {
	d = inOrder(d)
	m := &Model{Method: d.Method, Signals: d.Signals, withheld: d.Withheld, unscored: d.Unscored}
	for _, read := range []func(*modelfile.Document) error{
		m.readGraph, m.readPreparation, m.readAside, m.readEqual, m.readCodes, m.readGaussian, m.readField,
	} {
		if err := read(d); err != nil {
			return nil, &input.Error{Msg: "this model cannot be used: " + withoutNames(input.Sentence(err)), Err: err}
		}
	}
	return m, nil
}

// withoutNames is a sentence about a model without the names of packages that its first
// words may be: who has a file wants to know nothing of them.
func withoutNames(sentence string) string {
	for _, name := range []string{"graph.NewDirected: ", "graph.New: ", "graph: ", "assess.EdgeGaussian: ", "assess.FieldGaussian: "} {
		sentence = strings.TrimPrefix(sentence, name)
	}
	return sentence
}

// inOrder returns a document with the edges in the order in which graphs keep them: the
// entries of the Gaussian go by it. Lists of unequal length are left to be refused.
func inOrder(d *modelfile.Document) *modelfile.Document {
	e := d.Edges
	count := len(e.Weight)
	if len(e.Source) != count || len(e.Target) != count || d.Gaussian != nil && len(d.Gaussian.Edges) != count {
		return d
	}
	source, target := slices.Clone(e.Source), slices.Clone(e.Target)
	for k := range source {
		if !d.Directed {
			source[k], target[k] = min(e.Source[k], e.Target[k]), max(e.Source[k], e.Target[k])
		}
	}
	order := matrix.Sorted(count, func(a, b int) int {
		return cmp.Or(cmp.Compare(source[a], source[b]), cmp.Compare(target[a], target[b]))
	})
	sorted := *d
	sorted.Edges = modelfile.Edges{
		Source: matrix.Pick(source, order),
		Target: matrix.Pick(target, order),
		Weight: matrix.Pick(e.Weight, order),
	}
	if d.Gaussian != nil {
		gaussian := *d.Gaussian
		gaussian.Edges = matrix.Pick(gaussian.Edges, order)
		sorted.Gaussian = &gaussian
	}
	return &sorted
}

func (m *Model) readGraph(d *modelfile.Document) (err error) {
	e := d.Edges
	if len(d.Vertices) == 0 {
		return fmt.Errorf("it has no vertices")
	}
	if len(e.Source) != len(e.Weight) || len(e.Target) != len(e.Weight) {
		return fmt.Errorf(
			"its edges have %d sources, %d targets and %d weights, want as many of each",
			len(e.Source),
			len(e.Target),
			len(e.Weight),
		)
	}
	edges := make([]graph.Edge, len(e.Weight))
	for k, w := range e.Weight {
		if w == 0 {
			return fmt.Errorf("edge (%d, %d) has weight 0, want another", e.Source[k], e.Target[k])
		}
		edges[k] = graph.Edge{I: e.Source[k], J: e.Target[k], Weight: w}
	}
	if m.Graph, err = graph.New(d.Vertices, edges); d.Directed {
		m.Graph, err = graph.NewDirected(d.Vertices, edges)
	}
	return err
}

func (m *Model) readPreparation(d *modelfile.Document) (err error) {
	p := d.Preparation
	var cycles []prepare.Cycle
	for _, c := range p.Cycles {
		cycles = append(cycles, prepare.Cycle(c))
	}
	m.transform, err = prepare.TransformRecord{
		Log: p.Log, LogOffset: p.LogOffset, Difference: p.Difference, Autoregression: p.Autoregression,
		Level: p.Level, Center: p.Centered, Scale: p.Scaled, CommonMode: p.CommonMode,
		Trend: p.Trend, Cycles: cycles, Mean: p.Mean, SD: p.Deviation, Varies: p.Varies,
	}.Transform(d.Vertices)
	return err
}

func (m *Model) readAside(d *modelfile.Document) error {
	for _, a := range d.SetAside {
		i := slices.Index(d.Vertices, a.Vertex)
		if i < 0 {
			return fmt.Errorf("it has set aside %q, which is no vertex of it", a.Vertex)
		}
		m.aside = append(m.aside, signals.Aside{Vertex: i, Name: a.Vertex, Reason: signals.Reason(a.Reason)})
	}
	return nil
}

// mostKernels bounds what a file may ask for.
const mostKernels = 100

func (m *Model) readCodes(d *modelfile.Document) error {
	c := d.Codes
	if c == nil {
		return nil
	}
	switch n := m.Graph.Vertices(); {
	case m.Graph.Directed():
		return fmt.Errorf("its graph is directed, so that it cannot have codes")
	case m.Graph.Negative() > 0:
		return fmt.Errorf("its graph has edges of negative weight, so that it cannot have codes")
	case len(c.Kernels) == 0 || len(c.Kernels) > mostKernels:
		return fmt.Errorf("it has %d kernels, want 1 to %d", len(c.Kernels), mostKernels)
	case c.Sparsity < 1 || c.Sparsity > n:
		return fmt.Errorf("it has codes of %d atoms, want 1 to %d", c.Sparsity, n)
	case !(c.NoiseFloor >= 0):
		return fmt.Errorf("its noise floor is %g, want 0 or more", c.NoiseFloor)
	}
	m.codes, m.removeCommonMode = &learn.Model{Sparsity: c.Sparsity, NoiseFloor: c.NoiseFloor}, c.CommonMode
	for _, k := range c.Kernels {
		if len(k.Chebyshev) > kernel.MaxDegree+1 {
			return fmt.Errorf("kernel %s has degree %d, want at most %d", k.Name, len(k.Chebyshev)-1, kernel.MaxDegree)
		}
		made, err := kernel.FromSeries(k.Name, k.Chebyshev)
		if err != nil {
			return err
		}
		m.codes.Kernels = append(m.codes.Kernels, made)
	}
	return nil
}

func (m *Model) readGaussian(d *modelfile.Document) error {
	g := d.Gaussian
	if g == nil {
		if m.unscored == "" {
			m.unscored = "the model has no Gaussian"
		}
		return nil
	}
	m.unscored = ""
	m.gaussian = &assess.EdgeGaussian{Mean: g.Mean, Scale: g.Scale, Diagonal: g.Diagonal, Precision: g.Edges, LogDet: g.LogDet}
	for k, i := range d.Edges.Source {
		m.gaussian.Pairs = append(m.gaussian.Pairs, [2]int{i, d.Edges.Target[k]})
	}
	return m.gaussian.Check(len(d.Vertices))
}
