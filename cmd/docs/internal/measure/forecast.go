package measure

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
)

// A Forecast is signals in the order of time, and a graph of the map to compare with.
type Forecast struct {
	Name     string
	Unit     string
	Step     int       // between two observations, in minutes
	Ahead    []int     // how many steps ahead forecasts are
	train    int       // observations to learn from; the others are forecast
	block    int       // observations in six hours, which errors of a mean are told from
	Map      string    // what graph of the map there is
	Sharp    string    // and which of its edges weigh at least sharpest
	sharpest float64   // zero means that all edges of the map weigh the same
	shipped  [2]string // signals and edges in the repository; "" means in the directory of data
}

// Forecasts are those of the page: the last week of a month, and the last two days of a week.
var Forecasts = []Forecast{
	{
		Name: "molene", Unit: "°C", Step: 60, Ahead: []int{1, 3}, train: 744 - 7*24, block: 6,
		Map: "the map", shipped: [2]string{"examples/molene/signals.csv", "examples/molene/truth.csv"},
	},
	{
		Name: "metr_la", Unit: "mph", Step: 5, Ahead: []int{1, 3}, train: 5 * 288, block: 72,
		Map: "all roads", Sharp: "roads of weight 0.7 or more", sharpest: 0.7,
	},
}

// Span is a number of steps in hours or minutes.
func (set Forecast) Span(steps int) string {
	minutes := steps * set.Step
	if minutes%60 == 0 {
		return fmt.Sprintf("%d h", minutes/60)
	}
	return fmt.Sprintf("%d min", minutes)
}

// The models that every set has, besides those of its maps. Each allows other coefficients.
const (
	last     = "last value"                        // no coefficient: nothing changes
	Alone    = "no graph"                          // a vertex by itself
	Learned  = "the learned graph"                 // by nervure.Learn without options
	Sure     = "sure edges of the learned graph"   // of these, the edges of confidence 0.9 or more
	Arrows   = "the learned graph with arrows"     // by the method causal
	AllPairs = "all pairs (vector autoregression)" // every vertex from every other
)

// forecastStages have a cell for each set, number of steps and model: linear forecasts along the edges of
// graphs, of a vertex from its own last value and those of its neighbours.
func forecastStages(o Options) ([]experiment.Stage, error) {
	var list []Cell
	for _, set := range Forecasts {
		if set.shipped[0] == "" && o.Data == "" {
			fmt.Fprintln(o.Log, "left out:", set.Name, "because --data does not say where it is")
			continue
		}
		var learned shared[map[int]map[string]Values]
		for _, ahead := range set.Ahead {
			for _, name := range set.modelNames() {
				list = append(list, cell(func(ctx context.Context, _ uint64) (Values, error) {
					all, err := learned.get(func() (map[int]map[string]Values, error) { return set.all(ctx, o) })
					return all[ahead][name], err
				}, experiment.Text("set", set.Name), experiment.Amount("ahead", ahead), experiment.Text("model", name)))
			}
		}
	}
	return []experiment.Stage{{Name: experiment.Measuring, Seeds: once, Cells: list}}, nil
}

// modelNames are those of models, in order.
func (set Forecast) modelNames() []string {
	names := []string{last, Alone, Sure, Learned, Arrows, set.Sharp, set.Map, AllPairs}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// all forecasts every number of steps by every model.
func (set Forecast) all(ctx context.Context, o Options) (map[int]map[string]Values, error) {
	y, known, err := set.read(o)
	if err != nil {
		return nil, err
	}
	models, err := set.models(ctx, y, known, o.Threads)
	if err != nil {
		return nil, err
	}
	all := map[int]map[string]Values{}
	for _, ahead := range set.Ahead {
		all[ahead] = set.measure(y, models, ahead)
	}
	return all, nil
}

func (set Forecast) read(o Options) (y *nervure.Signals, known *graph.Graph, err error) {
	paths := [2]string{filepath.Join(o.Data, set.Name, "signals.csv"), filepath.Join(o.Data, set.Name, "truth_edges.csv")}
	for k, name := range set.shipped {
		if name != "" {
			paths[k] = filepath.Join(o.Root, name)
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

// measure learns from the first observations of a set and forecasts the others, each with every model.
// Excess is the mean squared error less that of the map, over that of the map; doubt the standard error
// of it, from blocks of six hours.
func (set Forecast) measure(y *nervure.Signals, models []model, ahead int) map[string]Values {
	s, all := newSeries(y.Y, set.train), map[string]Values{}
	_, count := y.Y.Dims()
	missed := map[string]*mat.Dense{}
	for _, m := range models {
		v, b := Values{"edges": float64(m.edges), "penalty": 0.0}, identity(len(y.Names))
		if m.sources != nil {
			b, v["penalty"] = s.learn(m.sources, ahead)
		}
		coefficients := 0
		for _, from := range m.sources {
			coefficients += len(from)
		}
		e := s.errors(b, set.train, count, ahead)
		v["coefficients"] = float64(coefficients)
		v["rmse"], v["mae"] = rounded(math.Sqrt(meanSquare(e))), rounded(mat.Norm(flat(e), 1)/float64(len(e.RawMatrix().Data)))
		all[m.name], missed[m.name] = v, e
	}
	for name, v := range all {
		v["excess"], v["doubt"] = excess(missed[name], missed[set.Map], set.block)
	}
	return all
}

// models returns what forecasts may use. Graphs are learned from the observations that come first.
func (set Forecast) models(ctx context.Context, y *nervure.Signals, known *graph.Graph, threads int) ([]model, error) {
	first := &nervure.Signals{Y: matrix.Columns(y.Y, matrix.Span(0, set.train)), Names: y.Names}
	learned, err := nervure.Learn(ctx, first, nervure.Options{Threads: threads})
	if err != nil {
		return nil, err
	}
	arrows, err := nervure.Learn(ctx, first, nervure.Options{Method: baseline.Causal{}, Threads: threads})
	if err != nil {
		return nil, err
	}
	sure := along(Sure, learned.Graph, sureEdges(learned.Graph))
	none, _ := graph.New(y.Names, nil)
	list := []model{
		{name: last},
		along(Alone, none, nil), sure, along(Learned, learned.Graph, learned.Graph.Edges()),
		along(Arrows, arrows.Graph, arrows.Graph.Edges()),
	}
	if set.sharpest > 0 {
		light := func(e graph.Edge) bool { return e.Weight < set.sharpest }
		list = append(list, along(set.Sharp, known, slices.DeleteFunc(known.Edges(), light)))
	}
	n := len(y.Names)
	all := model{name: AllPairs, edges: n * (n - 1) / 2, sources: make([][]int, n)}
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
