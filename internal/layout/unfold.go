package layout

import (
	"context"
	"math"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/run"
)

// mostPivots bounds the vertices whose distances to all others are looked at: all
// vertices of a small graph, a sample of a large one, and a smaller one, down to
// fewestPivots, of a graph so large that it has more than mostPairs pairs with them.
const (
	mostPivots   = 200
	fewestPivots = 30
	mostPairs    = 2_000_000
)

// pivotsOf is how many pivots a graph of that many vertices has.
func pivotsOf(n int) int {
	return min(n, mostPivots, max(mostPairs/n, fewestPivots))
}

// Steps of unfold begin where the weakest spring is satisfied at once or, in a drawing that is nearly unfolded,
// moved by a hundredth, and end where the stiffest is moved by a tenth.
const (
	cooling  = 0.6
	lastStep = 0.1
	unfolded = 0.01
)

// unfold draws a connected graph so that distances in the plane are those along
// edges: it lessens Σ (|p_i − p_j| − d_ij)²/d_ij² over pairs of a vertex and a
// pivot, and over edges, one spring at a time in an order without a pattern
// ([zheng2019]). Every try begins elsewhere. If ctx ends, it is not unfolded any further.
func (w *springGraph) unfold(ctx context.Context, try int) drawing {
	n := w.vertices()
	d := newDrawing(n)
	random := rng.Stream(0, "layout", n, try)
	side := math.Sqrt(float64(n))
	for i := range n {
		d.x[i], d.y[i] = side*random.Float64(), side*random.Float64()
	}
	// In an order without a pattern, so that the first vertices are a fair sample.
	order := random.Perm(n)
	pivots := pivotsOf(n)
	far := make([][]int32, pivots) // from each pivot to the vertices in this order
	plain := make([]int32, n)
	widest := int32(0)
	for p := range far {
		if p >= fewestPivots && run.Ended(ctx) != nil {
			far, pivots = far[:p], p
			break
		}
		w.distances(order[p], plain)
		far[p] = make([]int32, n)
		for k, v := range order {
			far[p][k] = plain[v]
			widest = max(widest, plain[v])
		}
	}
	diameter := float64(widest) / whole
	first := float64(diameter * diameter)
	if pivots < n { // a sample of the distances does not unfold what begins folded
		d.project(far, order)
		first *= unfolded
	}
	// A pivot stands for n/pivots vertices.
	share := float64(n) / float64(pivots)
	turns := random.Perm(n)
	for step := first; step > lastStep && run.Ended(ctx) == nil; step *= cooling {
		for _, turn := range turns {
			for p := range pivots {
				k := p + turn
				if k >= n {
					k -= n
				}
				if k != p && (k >= pivots || k > p) { // two pivots meet once
					d.pull(order[p], order[k], float64(far[p][k])/whole, step*share)
				}
			}
		}
		if pivots < n {
			w.pullEdges(d, step)
		}
	}
	return d
}

func (w *springGraph) pullEdges(d drawing, step float64) {
	for i := range w.vertices() {
		near, length := w.around(i)
		for e, j := range near {
			if int(j) > i {
				d.pull(i, int(j), float64(length[e])/whole, step)
			}
		}
	}
}

// pull moves two vertices towards the wanted distance: all the way if the step
// times the stiffness 1/wanted² is 1 or more.
func (d drawing) pull(i, j int, wanted, step float64) {
	r, dx, dy := d.distance(i, j)
	if r == 0 {
		return
	}
	move := min(step/float64(wanted*wanted), 1) * (r - wanted) / (2 * r)
	d.x[i] -= float64(move * dx)
	d.y[i] -= float64(move * dy)
	d.x[j] += float64(move * dx)
	d.y[j] += float64(move * dy)
}

// tries is how many drawings of a component are made to choose from: several of a
// small one, where they cost little and a crossing stands out.
func tries(n int) int {
	const most, budget = 8, 40_000
	return max(min(most, budget/(n*n)), 1)
}

// clearest draws a connected graph in several ways and returns the one where the
// fewest edges cross, of those made when ctx ends.
func (w *springGraph) clearest(ctx context.Context) drawing {
	n := w.vertices()
	var best drawing
	fewest := -1
	for try := range tries(n) {
		d := w.unfold(ctx, try)
		d.spread(ctx, w, polishSteps(n))
		if tries(n) == 1 {
			return d
		}
		if c := w.crossings(d); fewest < 0 || c < fewest {
			best, fewest = d, c
		}
		if fewest == 0 || ctx.Err() != nil {
			break
		}
	}
	return best
}

// crossings counts the pairs of edges that cross, those with an end in common
// aside.
func (w *springGraph) crossings(d drawing) int {
	var edges [][2]int
	for i := range w.vertices() {
		near, _ := w.around(i)
		for _, j := range near {
			if int(j) > i {
				edges = append(edges, [2]int{i, int(j)})
			}
		}
	}
	count := 0
	for k, a := range edges {
		for _, b := range edges[:k] {
			if a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1] && d.cross(a, b) {
				count++
			}
		}
	}
	return count
}

// cross reports whether two edges cross: the ends of each lie on different sides of
// the other.
func (d drawing) cross(a, b [2]int) bool {
	return d.left(a, b[0]) != d.left(a, b[1]) && d.left(b, a[0]) != d.left(b, a[1])
}

// left reports whether a vertex lies to the left of the way along an edge.
func (d drawing) left(edge [2]int, v int) bool {
	i, j := edge[0], edge[1]
	return float64((d.x[j]-d.x[i])*(d.y[v]-d.y[i])) > float64((d.y[j]-d.y[i])*(d.x[v]-d.x[i]))
}
