package layout

import (
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/run"
)

// A springGraph is what drawing needs of a graph: who is joined to whom, at which length.
type springGraph struct {
	first  []int   // the neighbours of vertex i are near[first[i]:first[i+1]]
	near   []int32 // each edge from both of its ends
	length []int32 // in units of 1/whole
	label  []int   // components; nil if all are one
}

// Lengths are whole numbers: whole for an edge of median weight, and by the
// logarithm of its weight a little less or more for others.
const (
	whole    = 8
	shortest = 6
	longest  = 11
)

func newSpringGraph(g *graph.Graph) *springGraph {
	edges := g.Undirected().Edges()
	weights := make([]float64, len(edges))
	for k, e := range edges {
		weights[k] = math.Abs(e.Weight)
	}
	slices.Sort(weights)
	n := g.Vertices()
	w := &springGraph{first: make([]int, n+1), near: make([]int32, 2*len(edges)), length: make([]int32, 2*len(edges))}
	w.label, _ = g.Components()
	for _, e := range edges {
		w.first[e.I+1]++
		w.first[e.J+1]++
	}
	for i := range n {
		w.first[i+1] += w.first[i]
	}
	next := slices.Clone(w.first)
	for _, e := range edges {
		l := lengthOf(math.Abs(e.Weight), weights[len(weights)/2])
		for _, ends := range [2][2]int{{e.I, e.J}, {e.J, e.I}} {
			w.near[next[ends[0]]], w.length[next[ends[0]]] = int32(ends[1]), l
			next[ends[0]]++
		}
	}
	return w
}

// lengthOf takes a length of 1/whole away for every factor of three in weight.
func lengthOf(weight, median float64) int32 {
	steps := math.Round(math.Log(weight/median) / math.Log(3)) // infinite ones are held below
	return int32(max(min(whole-steps, longest), shortest))
}

func (w *springGraph) vertices() int { return len(w.first) - 1 }

// around returns the neighbours of a vertex and the lengths of the edges to them.
func (w *springGraph) around(i int) (near, length []int32) {
	return w.near[w.first[i]:w.first[i+1]], w.length[w.first[i]:w.first[i+1]]
}

// apart reports whether two vertices are in different components.
func (w *springGraph) apart(i, j int) bool { return w.label != nil && w.label[i] != w.label[j] }

// A part is a component, with its vertices as the whole numbers them.
type part struct {
	vertices []int
	springs  *springGraph
}

// parts returns the components in the order of their first vertices.
func (w *springGraph) parts() []part {
	var parts []part
	place := make([]int32, w.vertices()) // in its own component
	for i, c := range w.label {
		if c == len(parts) {
			parts = append(parts, part{springs: &springGraph{first: []int{0}}})
		}
		place[i] = int32(len(parts[c].vertices))
		parts[c].vertices = append(parts[c].vertices, i)
	}
	for i, c := range w.label {
		p := parts[c].springs
		near, length := w.around(i)
		for _, j := range near {
			p.near = append(p.near, place[j])
		}
		p.length = append(p.length, length...)
		p.first = append(p.first, len(p.near))
	}
	return parts
}

// unit returns the median length of an edge in a drawing, 1 if there is none.
func (w *springGraph) unit(d drawing) float64 {
	var lengths []float64
	for i := range w.vertices() {
		near, _ := w.around(i)
		for _, j := range near {
			if int(j) > i {
				r, _, _ := d.distance(i, int(j))
				lengths = append(lengths, r)
			}
		}
	}
	if len(lengths) == 0 {
		return 1
	}
	slices.Sort(lengths)
	if median := lengths[len(lengths)/2]; median > 0 {
		return median
	}
	return 1
}

const unreached = -1

// distances fills to with the distances along edges from a vertex to all, in units of
// 1/whole. The graph is connected, and its lengths are so alike that few vertices are
// visited twice.
func (w *springGraph) distances(from int, to []int32) {
	for i := range to {
		to[i] = unreached
	}
	to[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		near, length := w.around(queue[0])
		for e, u := range near {
			if far := to[queue[0]] + length[e]; to[u] == unreached || far < to[u] {
				to[u], queue = far, append(queue, int(u))
			}
		}
	}
}

const (
	// repulsion is how strongly vertices push one another, beside edges that pull
	// with strength 1/length².
	repulsion = 0.05
	// reach is how far vertices push those of other components, which no edge holds:
	// less than Places leaves between them.
	reach = 0.8
	// boldest bounds how far a vertex goes in one step.
	boldest = 0.2
	// nearest keeps the push between two vertices at one place finite, squared.
	nearest = 1e-4
)

// polishSteps is how many steps a component gets, fewer if they are costly.
func polishSteps(n int) int {
	const most, pairs = 60, 1.2e8
	return int(min(most, pairs/float64(n*n)))
}

// spread takes steps towards the least of
//
//	Σ_edges (|p_i − p_j| − d_ij)²/d_ij² + 2·repulsion·Σ_pairs 1/|p_i − p_j|
//
// as [gansner2013] do, with the edges as the only distances that are known. If ctx ends, there are fewer.
func (d drawing) spread(ctx context.Context, w *springGraph, steps int) {
	n := w.vertices()
	push, stiffness := newDrawing(n), make([]float64, n)
	for range run.While(ctx, steps) {
		clear(push.x)
		clear(push.y)
		clear(stiffness)
		d.repel(w, push, stiffness)
		for i := range n {
			w.pullVertex(d, push, stiffness, i)
		}
		for i := range n {
			// Half a step: neighbours go towards one another at the same time.
			s := 2 * max(stiffness[i], 1)
			dx, dy := push.x[i]/s, push.y[i]/s
			if r := math.Sqrt(float64(dx*dx) + float64(dy*dy)); r > boldest {
				dx, dy = dx*boldest/r, dy*boldest/r
			}
			d.x[i] += dx
			d.y[i] += dy
		}
	}
}

// repel adds what every vertex gets from all others to push, and how stiff that is
// to stiffness.
func (d drawing) repel(w *springGraph, push drawing, stiffness []float64) {
	for i := range d.x {
		xi, yi := d.x[i], d.y[i]
		px, py, stiff := 0.0, 0.0, 0.0
		// Slices of one length, so that no index is checked in the loop.
		x, y, pushX, pushY, stiffs := d.x[:i], d.y[:i], push.x[:i], push.y[:i], stiffness[:i]
		for j := range x {
			dx, dy := xi-x[j], yi-y[j]
			r2 := float64(dx*dx) + float64(dy*dy) + nearest
			if r2 > reach*reach && w.apart(i, j) {
				continue
			}
			f := repulsion / (r2 * math.Sqrt(r2))
			dx, dy = float64(dx*f), float64(dy*f)
			px += dx
			py += dy
			stiff += f
			pushX[j] -= dx
			pushY[j] -= dy
			stiffs[j] += f
		}
		push.x[i] += px
		push.y[i] += py
		stiffness[i] += stiff
	}
}

// pullVertex adds how the edges pull a vertex to push, and how stiff they are to
// stiffness.
func (w *springGraph) pullVertex(d, push drawing, stiffness []float64, i int) {
	near, length := w.around(i)
	for e, j := range near {
		wanted := float64(length[e]) / whole
		r, dx, dy := d.distance(i, int(j))
		k := 1 / float64(wanted*wanted)
		stiffness[i] += k
		if r > 0 {
			k *= (wanted - r) / r
			push.x[i] += float64(k * dx)
			push.y[i] += float64(k * dy)
		}
	}
}

// naturalScale returns the factor by which the drawing has to grow to be the best
// of its form: where the derivative of what spread lessens is zero.
func (w *springGraph) naturalScale(d drawing) float64 {
	var square, cross, push float64
	for i := range w.vertices() {
		near, length := w.around(i)
		for e, j := range near {
			if int(j) > i {
				r, _, _ := d.distance(i, int(j))
				share := r * whole / float64(length[e])
				square += float64(share * share)
				cross += share
			}
		}
		for j := range i {
			if r, _, _ := d.distance(i, j); !w.apart(i, j) {
				push += repulsion / (r + nearest)
			}
		}
	}
	if square == 0 {
		return 1
	}
	// t³·square − t²·cross = push: Newton's steps from above, where all is convex.
	t := (cross+push)/square + 1
	for range 60 {
		t -= (float64(t*t*float64(float64(t*square)-cross)) - push) / (t * float64(float64(3*t*square)-2*cross))
	}
	return t
}

// part moves all vertices by very little, each another way, so that those at one
// place can go apart.
func (d drawing) part() {
	const little = 1e-3
	random := rng.Stream(0, "part", len(d.x))
	for i := range d.x {
		d.x[i] += float64(little * (random.Float64() - 0.5))
		d.y[i] += float64(little * (random.Float64() - 0.5))
	}
}
