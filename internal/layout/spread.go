package layout

import (
	"math"

	"github.com/nervure/nervure/internal/rng"
)

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
// as [gansner2013] do, with the edges as the only distances that are known.
func (d drawing) spread(w *springGraph, steps int) {
	n := w.vertices()
	push, stiffness := newDrawing(n), make([]float64, n)
	for range steps {
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
