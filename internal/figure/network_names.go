package figure

import (
	"cmp"
	"slices"
)

// mostNames is how many vertices may have names beside them.
const mostNames = 400

// longestName is how wide a name may be before it is shortened: one of them must
// not take the room of all.
const longestName = 140.0

// names are the letters of names beside vertices.
var names = letters{size: 11, color: muted, rim: true}

// A label is a name and where it stands.
type label struct {
	letters
	at   point
	text string
}

// A box is where a label or a vertex is.
type box struct{ left, top, right, bottom float64 }

func (b box) meets(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

func (b box) within(o box) bool {
	return b.left >= o.left && b.right <= o.right && b.top >= o.top && b.bottom <= o.bottom
}

func (l label) box() box {
	width := l.width(l.text)
	left := l.at.x - width*float64(l.align)/2
	return box{left, l.at.y - 0.8*l.size, left + width, l.at.y + 0.2*l.size}
}

// placeNames puts names below, above or beside their vertices, where they cover
// neither another name nor another vertex, and keep to the page; those with many edges choose first.
// Where there is no such place, a name is left out.
func (n Network) placeNames(s style) []label {
	edges := make([]int, len(n.Vertices))
	for _, e := range n.Edges {
		edges[e.From]++
		edges[e.To]++
	}
	order := make([]int, len(n.Vertices))
	taken := make([]box, 0, 2*len(n.Vertices))
	for i, v := range n.Vertices {
		order[i] = i
		at := s.point(v)
		taken = append(taken, box{at.x - s.radius, at.y - s.radius, at.x + s.radius, at.y + s.radius})
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(edges[b], edges[a]) })
	var labels []label
	for _, i := range order {
		for _, l := range around(s.point(n.Vertices[i]), s.radius, n.Vertices[i].Name) {
			b := l.box()
			if b.within(s.page) && !slices.ContainsFunc(taken, b.meets) {
				labels, taken = append(labels, l), append(taken, b)
				break
			}
		}
	}
	return labels
}

// around returns the places for a name about a vertex, best first.
func around(at point, radius float64, name string) []label {
	level, left, right := names, names, names
	level.align, left.align = middle, end
	gap := radius + 2
	return []label{
		{level, at.plus(0, gap+0.8*names.size), name},
		{level, at.plus(0, -gap-0.2*names.size), name},
		{right, at.plus(gap+1, names.low()), name},
		{left, at.plus(-gap-1, names.low()), name},
	}
}

// shortened are the vertices with names that leave room for others.
func shortened(vertices []Vertex) []Vertex {
	list := slices.Clone(vertices)
	for i, v := range list {
		list[i].Name = names.fitted(v.Name, longestName)
	}
	return list
}
