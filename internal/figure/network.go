// Package figure draws: plain data in, SVG, PNG, PDF or terminal text out. It
// computes nothing and knows no experiment.
package figure

import (
	"cmp"
	"math"
	"slices"
)

// Kind says how an edge stands against a truth, if there is one.
type Kind int

// The kinds.
const (
	Found  Kind = iota // an edge like any other, or one that is also true
	Missed             // true, but not found
	Wrong              // found, but not true
)

// A Vertex is a name at a place. Y points up.
type Vertex struct {
	Name string
	X, Y float64
}

// An Edge joins two vertices of a Network, or leads from one to the other if the
// network is directed. The size of its weight, relative to the heaviest of the network, sets the
// width of its line, and its sign the colour.
type Edge struct {
	From, To int
	Weight   float64
	Kind     Kind
}

// A Network is a graph whose vertices have places.
type Network struct {
	Title      string // what it shows, for those who cannot see it
	Vertices   []Vertex
	Edges      []Edge
	Directed   bool      // edges are arrows
	Confidence []float64 // of each edge, from 0 to 1; nil if nothing is known
	Coloring   *Coloring // nil: all vertices are alike
	Signs      [2]string // what positive and negative edges are called; empty: by their sign
	Doubt      string    // what edges of confidence below a half are called; empty: that
}

// A frame maps the places of vertices into a drawing, keeping their proportions.
type frame struct {
	scale      float64 // horizontal units of the drawing for one of the network
	stretch    float64 // vertical units for one horizontal unit
	left, top  float64 // where the network begins in the drawing
	minX, maxY float64
}

// fit centres the network in a box. stretch is the height of a square over its
// width, in the units of the drawing: 1 for SVG, 1/2 for characters.
func (n Network) fit(x, y, width, height, stretch float64) frame {
	minX, maxX, minY, maxY := n.bounds()
	spanX, spanY := maxX-minX, maxY-minY
	scale := math.Inf(1)
	if spanX > 0 {
		scale = width / spanX
	}
	if spanY > 0 {
		scale = min(scale, height/(spanY*stretch))
	}
	if math.IsInf(scale, 1) { // one place only
		scale = 0
	}
	return frame{
		scale: scale, stretch: stretch, minX: minX, maxY: maxY,
		left: x + (width-spanX*scale)/2, top: y + (height-spanY*stretch*scale)/2,
	}
}

func (f frame) place(v Vertex) (x, y float64) {
	return f.left + (v.X-f.minX)*f.scale, f.top + (f.maxY-v.Y)*f.stretch*f.scale
}

func (f frame) point(v Vertex) point {
	x, y := f.place(v)
	return point{x, y}
}

// spacing returns how far most vertices are from the nearest other, in the units
// of the drawing.
func (n Network) spacing(f frame) float64 {
	if len(n.Vertices) < 2 {
		return math.Inf(1)
	}
	across := slices.SortedFunc(slices.Values(n.Vertices), func(a, b Vertex) int { return cmp.Compare(a.X, b.X) })
	near := make([]float64, len(across))
	for i, v := range across {
		near[i] = math.Inf(1)
		mayBeFollowed := func(u Vertex) bool { // by one that is nearer
			dx, dy := u.X-v.X, u.Y-v.Y
			near[i] = min(near[i], dx*dx+dy*dy)
			return dx*dx < near[i]
		}
		for j := i - 1; j >= 0 && mayBeFollowed(across[j]); j-- {
		}
		for j := i + 1; j < len(across) && mayBeFollowed(across[j]); j++ {
		}
	}
	slices.Sort(near)
	return f.scale * math.Sqrt(near[len(near)/5])
}

// clutter returns the share of the drawing that its edges would cover, were they
// one unit wide.
func (n Network) clutter(f frame) float64 {
	length := 0.0
	for _, e := range n.Edges {
		a, b := n.Vertices[e.From], n.Vertices[e.To]
		length += math.Hypot(a.X-b.X, a.Y-b.Y)
	}
	area := n.area()
	if area == 0 {
		return 0
	}
	return length / (f.scale * area)
}

// area returns that of the drawing in units of the places.
func (n Network) area() float64 {
	minX, maxX, minY, maxY := n.bounds()
	long, wide := max(maxX-minX, maxY-minY), min(maxX-minX, maxY-minY)
	return long * max(wide, long/4) // a flat one has the page about it
}

func (n Network) bounds() (minX, maxX, minY, maxY float64) {
	for i, v := range n.Vertices {
		if i == 0 {
			minX, maxX, minY, maxY = v.X, v.X, v.Y, v.Y
		}
		minX, maxX = min(minX, v.X), max(maxX, v.X)
		minY, maxY = min(minY, v.Y), max(maxY, v.Y)
	}
	return minX, maxX, minY, maxY
}

func (n Network) heaviest() float64 {
	most := 0.0
	for _, e := range n.Edges {
		most = max(most, math.Abs(e.Weight))
	}
	return most
}

// negative returns how many edges have a negative weight.
func (n Network) negative() int { return n.countIf(func(e Edge) bool { return e.Weight < 0 }) }

// count returns how many edges are of a kind.
func (n Network) count(k Kind) int { return n.countIf(func(e Edge) bool { return e.Kind == k }) }

func (n Network) countIf(is func(Edge) bool) int {
	c := 0
	for _, e := range n.Edges {
		if is(e) {
			c++
		}
	}
	return c
}
