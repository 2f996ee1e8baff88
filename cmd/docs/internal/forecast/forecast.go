// Package forecast holds linear forecasts along the edges of graphs against each other, for
// docs/cases.md: a vertex is forecast from its own last value and those of its neighbours.
package forecast

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/cmd/docs/internal/records"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/signals"
)

// Results is the file of records in the repository: a line of JSON for each.
const Results = "docs/results/forecast.jsonl"

// A Set is signals in the order of time, and a graph of the map to compare with.
type Set struct {
	Name     string
	Unit     string
	Step     int       // between two observations, in minutes
	Ahead    []int     // how many steps ahead forecasts are
	Train    int       // observations to learn from; the others are forecast
	block    int       // observations in six hours, which errors of a mean are told from
	Map      string    // what graph of the map there is
	Sharp    string    // and which of its edges weigh at least sharpest
	sharpest float64   // zero means that all edges of the map weigh the same
	shipped  [2]string // signals and edges in the repository; "" means in the directory of data
}

// Sets are those of the page: the last week of a month, and the last two days of a week.
var Sets = []Set{
	{
		Name: "molene", Unit: "°C", Step: 60, Ahead: []int{1, 3}, Train: 744 - 7*24, block: 6,
		Map: "the map", shipped: [2]string{"examples/molene/signals.csv", "examples/molene/truth.csv"},
	},
	{
		Name: "metr_la", Unit: "mph", Step: 5, Ahead: []int{1, 3}, Train: 5 * 288, block: 72,
		Map: "all roads", Sharp: "roads of weight 0.7 or more", sharpest: 0.7,
	},
}

// SetNamed returns the set of that name.
func SetNamed(name string) (Set, bool) {
	k := slices.IndexFunc(Sets, func(s Set) bool { return s.Name == name })
	return Sets[max(k, 0)], k >= 0
}

// Span is a number of steps in hours or minutes.
func (set Set) Span(steps int) string {
	minutes := steps * set.Step
	if minutes%60 == 0 {
		return fmt.Sprintf("%d h", minutes/60)
	}
	return fmt.Sprintf("%d min", minutes)
}

// The models that every set has, besides those of its maps. Each allows other coefficients.
const (
	Last    = "last value"                        // no coefficient: nothing changes
	Alone   = "no graph"                          // a vertex by itself
	Learned = "the learned graph"                 // by nervure.Learn without options
	Sure    = "sure edges of the learned graph"   // of these, the edges of confidence 0.9 or more
	Arrows  = "the learned graph with arrows"     // by the method causal
	All     = "all pairs (vector autoregression)" // every vertex from every other
)

// A Record is a model of a set, and how well it forecasts what it was not fitted to.
type Record struct {
	Set          string  `json:"set"`
	Model        string  `json:"model"`
	Ahead        int     `json:"ahead"` // steps
	Edges        int     `json:"edges"` // arrows, if they have a direction
	Coefficients int     `json:"coefficients"`
	Penalty      float64 `json:"penalty"`
	RMSE         float64 `json:"rmse"` // root of the mean squared error, in the unit of the set
	MAE          float64 `json:"mae"`  // mean absolute error
	// Excess is the mean squared error less that of the map, over that of the map; Doubt the standard
	// error of it, from blocks of six hours.
	Excess float64 `json:"excess"`
	Doubt  float64 `json:"doubt"`
}

// ReadRecords reads a file of records; none if it does not exist yet.
func ReadRecords(path string) ([]Record, error) { return records.Read(path, Record.check) }

func (r Record) check() error {
	if _, known := SetNamed(r.Set); !known || r.Model == "" || r.Ahead < 1 || !(r.RMSE > 0) {
		return fmt.Errorf("got a forecast of set %q by model %q, %d steps ahead, with an error of %g: want a set, a model, 1 step or more and an error above 0", r.Set, r.Model, r.Ahead, r.RMSE)
	}
	return nil
}

// Of returns the record of a model of a set, that number of steps ahead.
func Of(list []Record, set, model string, ahead int) (Record, bool) {
	k := slices.IndexFunc(list, func(r Record) bool { return r.Set == set && r.Model == model && r.Ahead == ahead })
	if k < 0 {
		return Record{}, false
	}
	return list[k], true
}

// A Measurement says what to measure.
type Measurement struct {
	Root    string // of the repository
	Data    string // directory of the sets that are not in it, one in each; these are left out if it is empty
	Threads int    // as in [nervure.Options]
	Log     io.Writer
}

// Measure forecasts every set by every model, and writes a file of records in which those of sets
// that are left out stay.
func (m Measurement) Measure(ctx context.Context, results string) error {
	for _, set := range Sets {
		if set.shipped[0] == "" && m.Data == "" {
			fmt.Fprintln(m.Log, "left out:", set.Name, "because --data does not say where it is")
			continue
		}
		y, known, err := m.read(set)
		if err != nil {
			return err
		}
		list, err := set.forecast(ctx, y, known, m.Threads)
		if err != nil {
			return fmt.Errorf("%s: %w", set.Name, err)
		}
		for _, r := range list {
			fmt.Fprintln(m.Log, r.sentence())
			if err := records.Keep(results, r, Record.check, order); err != nil {
				return err
			}
		}
	}
	return nil
}

// order is that of sets and steps; models stay in the order in which they were measured.
func order(a, b Record) int {
	place := func(r Record) int { return slices.IndexFunc(Sets, func(s Set) bool { return s.Name == r.Set }) }
	return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Ahead, b.Ahead), cmp.Compare(a.Coefficients, b.Coefficients), cmp.Compare(a.Model, b.Model))
}

func (m Measurement) read(set Set) (y *signals.Set, known *graph.Graph, err error) {
	paths := [2]string{filepath.Join(m.Data, set.Name, "signals.csv"), filepath.Join(m.Data, set.Name, "truth_edges.csv")}
	for k, name := range set.shipped {
		if name != "" {
			paths[k] = filepath.Join(m.Root, name)
		}
	}
	if y, err = dataio.ReadSignals(paths[0], dataio.ReadOptions{}); err == nil {
		known, err = dataio.ReadGraph(paths[1], y.Names)
	}
	return y, known, err
}

// A model allows a forecast of each vertex to use some of them.
type model struct {
	name    string
	edges   int
	sources [][]int // nil if nothing changes
}

// forecast learns from the first observations of a set and forecasts the others.
func (set Set) forecast(ctx context.Context, y *signals.Set, known *graph.Graph, threads int) ([]Record, error) {
	models, err := set.models(ctx, y, known, threads)
	if err != nil {
		return nil, err
	}
	s := newSeries(y.Y, set.Train)
	_, count := y.Y.Dims()
	var list []Record
	for _, ahead := range set.Ahead {
		var missed []*mat.Dense
		for _, m := range models {
			r := Record{Set: set.Name, Model: m.name, Ahead: ahead, Edges: m.edges}
			b := identity(len(y.Names))
			if m.sources != nil {
				b, r.Penalty = s.learn(m.sources, ahead)
			}
			for _, from := range m.sources {
				r.Coefficients += len(from)
			}
			e := s.errors(b, set.Train, count, ahead)
			r.RMSE, r.MAE = rounded(math.Sqrt(meanSquare(e))), rounded(mat.Norm(flat(e), 1)/float64(len(e.RawMatrix().Data)))
			list, missed = append(list, r), append(missed, e)
		}
		of := slices.IndexFunc(models, func(m model) bool { return m.name == set.Map })
		for k := range models {
			r := &list[len(list)-len(models)+k]
			r.Excess, r.Doubt = excess(missed[k], missed[of], set.block)
		}
	}
	return list, nil
}

// models returns what forecasts may use. Graphs are learned from the observations that come first.
func (set Set) models(ctx context.Context, y *signals.Set, known *graph.Graph, threads int) ([]model, error) {
	first := &nervure.Signals{Y: matrix.Columns(y.Y, matrix.Span(0, set.Train)), Names: y.Names}
	learned, err := nervure.Learn(ctx, first, nervure.Options{Threads: threads})
	if err != nil {
		return nil, err
	}
	arrows, err := nervure.Learn(ctx, first, nervure.Options{Method: baseline.Causal{}, Threads: threads})
	if err != nil {
		return nil, err
	}
	sure := along(Sure, learned.Graph, records.SureEdges(learned.Graph))
	none, _ := graph.New(y.Names, nil)
	list := []model{{name: Last}, along(Alone, none, nil), sure, along(Learned, learned.Graph, learned.Graph.Edges()), along(Arrows, arrows.Graph, arrows.Graph.Edges())}
	if set.sharpest > 0 {
		light := func(e graph.Edge) bool { return e.Weight < set.sharpest }
		list = append(list, along(set.Sharp, known, slices.DeleteFunc(known.Edges(), light)))
	}
	n := len(y.Names)
	all := model{name: All, edges: n * (n - 1) / 2, sources: make([][]int, n)}
	for v := range n {
		all.sources[v] = matrix.Span(0, n)
	}
	return append(list, along(set.Map, known, known.Edges()), all), nil
}

// along is a model whose forecasts use the vertex itself and those that edges come from.
func along(name string, g *graph.Graph, edges []graph.Edge) model {
	m := model{name: name, edges: len(edges)}
	for v := range g.Names() {
		m.sources = append(m.sources, []int{v})
	}
	for _, e := range edges {
		m.sources[e.J] = append(m.sources[e.J], e.I)
		if !g.Directed() {
			m.sources[e.I] = append(m.sources[e.I], e.J)
		}
	}
	return m
}

// excess is how much larger the mean square of a is than that of b, over that of b, and the standard
// error of that, from blocks of columns.
func excess(a, b *mat.Dense, block int) (mean, doubt float64) {
	n, count := a.Dims()
	of := meanSquare(b)
	var blocks []float64
	for from := 0; from+block <= count; from += block {
		x, y := a.Slice(0, n, from, from+block).(*mat.Dense), b.Slice(0, n, from, from+block).(*mat.Dense)
		blocks = append(blocks, (meanSquare(x)-meanSquare(y))/of)
	}
	return rounded((meanSquare(a) - of) / of), rounded(stat.StdDev(blocks, nil) / math.Sqrt(float64(len(blocks))))
}

func identity(n int) *mat.Dense {
	one := mat.NewDense(n, n, nil)
	for v := range n {
		one.Set(v, v, 1)
	}
	return one
}

// flat is all entries of a matrix as one column, whose 1-norm is their sum.
func flat(m *mat.Dense) mat.Matrix {
	data := m.RawMatrix().Data
	return mat.NewVecDense(len(data), data)
}

// rounded keeps four digits.
func rounded(v float64) float64 { return math.Round(10_000*v) / 10_000 }

// sentence says what came of a forecast.
func (r Record) sentence() string {
	return fmt.Sprintf("%s, %d ahead, %s: %d coefficients, RMSE %.4f, MAE %.4f, squared error %+.1f ± %.1f %% beside the map",
		r.Set, r.Ahead, r.Model, r.Coefficients, r.RMSE, r.MAE, 100*r.Excess, 100*r.Doubt)
}
