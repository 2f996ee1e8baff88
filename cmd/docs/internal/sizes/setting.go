package sizes

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/signals"
)

// A Setting is what the fields of some seeds have in common: precision (L + ridge·I)^order, and
// weights whose sizes are uniform in [0.5, 1.5).
type Setting struct {
	Graph   string `json:"graph,omitempty"` // of package simulate
	Signed  bool   `json:"signed,omitempty"`
	Order   int    `json:"order,omitempty"`
	Size    int    `json:"size,omitempty"` // vertices; a grid has the nearest square number
	Signals int    `json:"signals"`
}

const (
	ridge       = 0.1
	negative    = 0.3 // share of the edges of signed graphs
	fewSignals  = 1000
	manySignals = 4 // for each vertex, so that kernels could be told apart
	// middle is the size that has all graphs and seeds: smaller fields take longer, as more is tried.
	middle = 2500
	// Largest is the size that is measured only if --only asks for it.
	Largest = 99_856
)

// Graphs are those of fields by size, and AllGraphs also those on which engines are compared.
var (
	Graphs    = []string{simulate.Grid, simulate.Sensors, simulate.Tree, simulate.RandomPairs}
	AllGraphs = append(slices.Clone(Graphs), simulate.SmallWorld)
	planar    = []string{simulate.Grid, simulate.Sensors}

	Sizes         = []int{400, 1000, 2500, 10_000, Largest}
	CrossingSizes = []int{900, 950, 990, 1000, 1010, 1050, 1100}
	EngineSizes   = []int{100, 250, 500}
	RivalSizes    = []int{1000, 2500}
)

// settings returns those of a part.
func settings(part string) (all []Setting) {
	switch part {
	case BySize:
		for _, size := range Sizes {
			graphs := Graphs
			if size < middle {
				graphs = planar
			}
			for _, g := range graphs {
				all = append(all, Setting{g, false, 1, size, fewSignals}, Setting{g, true, 1, size, fewSignals})
			}
		}
	case OrderTwo:
		for _, g := range planar {
			for _, size := range []int{400, middle} {
				all = append(all, Setting{g, false, 2, size, fewSignals}, Setting{g, false, 2, size, manySignals * size})
			}
		}
	case Crossing:
		for _, size := range CrossingSizes {
			all = append(all, Setting{simulate.Sensors, false, 1, size, fewSignals})
		}
	case Engines:
		for _, size := range EngineSizes {
			for _, g := range AllGraphs {
				all = append(all, Setting{g, false, 1, size, fewSignals})
			}
		}
	case Rivals:
		for _, size := range RivalSizes {
			for _, g := range planar {
				all = append(all, Setting{g, false, 1, size, fewSignals})
			}
		}
	}
	return all
}

// seedsOf returns how many of the seeds a setting of a part has.
func (s Setting) seedsOf(part string) int {
	switch {
	case part == BySize && s.Size == middle:
		return 3
	case part == Engines:
		return 2
	}
	return 1
}

// words describe a setting; see [Measurement.Only].
func (s Setting) words() []string {
	sign := "positive"
	if s.Signed {
		sign = "signed"
	}
	return []string{s.Graph, sign, fmt.Sprintf("N=%d", s.Size), fmt.Sprintf("M=%d", s.Signals)}
}

func (s Setting) compare(t Setting) int {
	sign := func(s Setting) int { return len(s.words()[1]) } // positive ones last
	return cmp.Or(cmp.Compare(s.Size, t.Size), cmp.Compare(s.Signals, t.Signals), cmp.Compare(s.Order, t.Order),
		cmp.Compare(slices.Index(AllGraphs, s.Graph), slices.Index(AllGraphs, t.Graph)), -cmp.Compare(sign(s), sign(t)))
}

// draw draws the graph and the signals of a seed.
func (s Setting) draw(ctx context.Context, seed uint64) (*signals.Set, *graph.Graph, error) {
	share := 0.0
	if s.Signed {
		share = negative
	}
	g, err := simulate.FieldGraph(s.Graph, s.Size, share, seed)
	if err != nil {
		return nil, nil, err
	}
	y, err := simulate.LargeField(ctx, g, s.Order, s.Signals, ridge, seed)
	if err != nil {
		return nil, nil, err
	}
	return &signals.Set{Y: y, Names: g.Names()}, g, nil
}
