package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
)

// walkSteps brings the order within a component near to that of its Fiedler
// vector, which is as much as the eye asks for.
const walkSteps = 200

// rowOrder is an order of the vertices in which joined ones are near one another:
// large components first, and within each by the slowest mode of a walk on it.
func rowOrder(g *graph.Graph) []int {
	g = g.Undirected()
	label, count := g.Components()
	size := make([]int, count)
	for _, c := range label {
		size[c]++
	}
	mode := slowMode(g, label, count)
	return matrix.Sorted(g.Vertices(), func(a, b int) int {
		return cmp.Or(
			cmp.Compare(size[label[b]], size[label[a]]),
			cmp.Compare(label[a], label[b]),
			cmp.Compare(mode[a], mode[b]),
			cmp.Compare(a, b),
		)
	})
}

// slowMode runs (I + D^(−1/2) W D^(−1/2))/2 on a vector that is kept orthogonal to
// the constant of each component, from the distances to a far vertex.
func slowMode(g *graph.Graph, label []int, count int) []float64 {
	degrees, edges := g.Degrees(), g.NormalizedWeights()
	root := make([]float64, len(degrees))
	for i, d := range degrees {
		root[i] = math.Sqrt(d)
	}
	v := farness(g, label, count)
	for i := range v {
		v[i] *= root[i]
	}
	next := make([]float64, len(v))
	for range walkSteps {
		flatten(v, root, label, count)
		for i := range v {
			next[i] = v[i] / 2
		}
		for _, e := range edges {
			next[e.I] += math.Abs(e.Weight) * v[e.J] / 2
			next[e.J] += math.Abs(e.Weight) * v[e.I] / 2
		}
		v, next = next, v
	}
	for i := range v {
		if root[i] > 0 {
			v[i] /= root[i]
		}
	}
	return v
}

// flatten takes the part of v along root out of each component, and gives what is
// left length 1.
func flatten(v, root []float64, label []int, count int) {
	along, norm, length := make([]float64, count), make([]float64, count), make([]float64, count)
	for i, c := range label {
		along[c] += v[i] * root[i]
		norm[c] += root[i] * root[i]
	}
	for i, c := range label {
		if norm[c] > 0 {
			v[i] -= along[c] / norm[c] * root[i]
		}
		length[c] += v[i] * v[i]
	}
	for i, c := range label {
		if length[c] > 0 {
			v[i] /= math.Sqrt(length[c])
		}
	}
}

// farness is how many edges each vertex is from one at the rim of its component.
func farness(g *graph.Graph, label []int, count int) []float64 {
	near := make([][]int, len(label))
	for _, e := range g.Edges() {
		near[e.I], near[e.J] = append(near[e.I], e.J), append(near[e.J], e.I)
	}
	first := make([]int, count)
	for i := len(label) - 1; i >= 0; i-- {
		first[label[i]] = i
	}
	distance := hops(near, first)
	rim := slices.Clone(first)
	for i, c := range label {
		if distance[i] > distance[rim[c]] {
			rim[c] = i
		}
	}
	return hops(near, rim)
}

// hops counts edges from the nearest of some vertices.
func hops(near [][]int, from []int) []float64 {
	distance := make([]float64, len(near))
	for i := range distance {
		distance[i] = -1
	}
	queue := slices.Clone(from)
	for _, i := range from {
		distance[i] = 0
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, j := range near[i] {
			if distance[j] < 0 {
				distance[j] = distance[i] + 1
				queue = append(queue, j)
			}
		}
	}
	return distance
}
