package report

import (
	"context"
	"math"
	"strconv"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/layout"
)

// A document is what the scripts of the page read.
type document struct {
	Names      []string   `json:"names"`
	Geographic bool       `json:"geographic"`
	Columns    []column   `json:"columns"`
	Directed   bool       `json:"directed,omitempty"`
	Edges      []edge     `json:"edges"` // those of the graph, then the heaviest that its cut dropped
	Kept       int        `json:"kept"`  // how many of them are the graph
	Order      []int      `json:"order"` // of the rows of the heat map, and around a circle
	Layouts    []places   `json:"layouts"`
	Community  []int      `json:"community"` // of each vertex
	Sensors    *timeline  `json:"sensors,omitempty"`
	Weights    []ranked   `json:"weights"`
	Spectrum   *spectrum  `json:"spectrum,omitempty"`
	Rounds     []round    `json:"rounds,omitempty"`
	Kernels    []curve    `json:"kernels,omitempty"`
	Atoms      []atom     `json:"atoms,omitempty"`
	Usage      *usage     `json:"usage,omitempty"`
	Residual   *residuals `json:"residual,omitempty"`
}

type column struct {
	Name    string   `json:"name"`
	Text    []string `json:"text,omitempty"`
	Numbers []digits `json:"numbers,omitempty"`
}

// digits is a number that is looked at, not computed with. NaN becomes null.
type digits float64

const precision = 6 // significant digits

func (d digits) MarshalJSON() ([]byte, error) {
	if v := float64(d); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(d), 'g', precision, 64), nil
}

func asDigits(values []float64) []digits {
	list := make([]digits, len(values))
	for i, v := range values {
		list[i] = digits(v)
	}
	return list
}

func newDocument(ctx context.Context, r content) (*document, error) {
	doc := &document{Names: r.Graph.Names(), Columns: columns(r.Vertices), Directed: r.Graph.Directed()}
	doc.Community, _ = r.Graph.Communities()
	doc.Layouts, doc.Geographic = layouts(ctx, r, doc.Community)
	ranking := rank(r.Graph, r.Weights)
	doc.Edges, doc.Kept, doc.Weights = ranking.shown(), ranking.kept, ranking.curve()
	doc.Order, doc.Sensors = rowOrder(r.Graph), newTimeline(r)
	var err error
	if doc.Spectrum, err = spectrumUntil(ctx, r); err != nil || r.Sparse == nil {
		return doc, err
	}
	doc.Rounds, doc.Kernels, doc.Usage = rounds(r.Sparse), curves(r), newUsage(r.Sparse)
	if doc.Atoms, err = atoms(r, doc.Usage); err != nil {
		return nil, err
	}
	doc.Residual, err = newResiduals(r)
	return doc, err
}

// columns are what a table says of vertices.
func columns(t *dataio.VertexTable) []column {
	list := []column{}
	if t == nil {
		return list
	}
	for _, c := range t.Columns {
		if c.Numbers != nil {
			list = append(list, column{Name: c.Name, Numbers: asDigits(c.Numbers)})
		} else {
			list = append(list, column{Name: c.Name, Text: c.Text})
		}
	}
	return list
}

// places are one way to lay out the vertices.
type places struct {
	Name string   `json:"name"` // see below
	X    []digits `json:"x"`
	Y    []digits `json:"y"` // upwards
}

// The layouts that the page offers, besides the circle that its scripts make.
const (
	mapLayout       = "map"         // north is up
	tableLayout     = "coordinates" // those of the table of vertices
	forceLayout     = "force"
	communityLayout = "community"
)

// layouts are the ways to lay out the vertices. The first is where the table has them,
// if it does, and else a drawing in which joined vertices are near. If ctx ends, there are fewer, and they are cruder.
func layouts(ctx context.Context, r content, community []int) (list []places, geographic bool) {
	add := func(name string, x, y []float64) { list = append(list, places{name, asDigits(x), asDigits(y)}) }
	if r.Vertices != nil {
		if x, y, onEarth, ok := r.Vertices.Places(); ok {
			layout.Settle(x, y)
			name := tableLayout
			if geographic = onEarth; geographic {
				name = mapLayout
			}
			add(name, x, y)
		}
	}
	short := r.Graph.Vertices() > mostArranged || ctx.Err() != nil
	if short && len(list) > 0 {
		return list, geographic
	}
	x, y := layout.PlacesUntil(ctx, r.Graph)
	add(forceLayout, x, y)
	if !short && ctx.Err() == nil {
		x, y = layout.Grouped(ctx, r.Graph, community)
		add(communityLayout, x, y)
	}
	return list, geographic
}

// mostArranged is how many vertices are laid out in every way; of more there is one layout, besides the circle: the
// others would take minutes.
const mostArranged = 20_000
