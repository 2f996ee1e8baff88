package report

import "github.com/nervure/nervure/internal/layout"

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
// if it does, and else a drawing in which joined vertices are near.
func layouts(r content, community []int) (list []places, geographic bool) {
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
	x, y := layout.Places(r.Graph)
	add(forceLayout, x, y)
	x, y = layout.Grouped(r.Graph, community)
	add(communityLayout, x, y)
	return list, geographic
}
