package graph

import (
	"math"
	"slices"
)

// Communities labels each vertex with its community: groups that hold more of the
// weight of the edges than chance would give them, found by raising
// [Graph.Modularity] step by step ([blondel2008]). Labels count from zero in the
// order of each community's first vertex; an isolated vertex is a community of its
// own. count is the number of communities. Negative weights count by their size.
//
// Unlike the source, vertices are looked at in their order, so that the answer
// depends on the graph alone; single vertices may move again after communities were
// joined; and a community is always connected, as [traag2019] ask for. Arrows join
// their ends in either direction. Any graph has communities, even a random one: how
// much they mean is for the modularity, or the reader, to say.
func (g *Graph) Communities() (label []int, count int) {
	w := g.network()
	label = make([]int, len(g.names))
	for i := range label {
		label[i] = i
	}
	for {
		moved := w.move(label)
		count = w.split(label)
		joined := make([]int, count)
		for c := range joined {
			joined[c] = c
		}
		coarse := w.quotient(label, count)
		if !coarse.move(joined) && !moved {
			return label, count
		}
		for i, c := range label {
			label[i] = joined[c]
		}
	}
}

// Modularity returns how much more of the weight lies within groups of vertices than
// if the ends of all edges were joined at random ([newman2004]),
//
//	Q = Σ_c (W_c/W − (S_c/2W)²),
//
// with the weight W of all edges, W_c of those within group c, and S_c the sum of
// the degrees in it. It is below 1, and 0 for one group or no edges. label has a
// number from 0 for each vertex.
func (g *Graph) Modularity(label []int) float64 {
	if len(label) == 0 {
		return 0
	}
	within, degree := make([]float64, slices.Max(label)+1), make([]float64, slices.Max(label)+1)
	total := 0.0
	for _, e := range g.Undirected().edges {
		w := math.Abs(e.Weight)
		total += w
		degree[label[e.I]] += w
		degree[label[e.J]] += w
		if label[e.I] == label[e.J] {
			within[label[e.I]] += w
		}
	}
	q := 0.0
	for c := range within {
		if total > 0 {
			share := degree[c] / (2 * total)
			q += within[c]/total - float64(share*share)
		}
	}
	return q
}

// A network is a graph whose vertices may stand for groups of vertices.
type network struct {
	near   [][]link
	degree []float64 // with the weight within a group twice
	total  float64   // sum of the degrees
}

type link struct {
	to     int
	weight float64
}

func (g *Graph) network() network {
	w := network{near: make([][]link, len(g.names)), degree: make([]float64, len(g.names))}
	for _, e := range g.Undirected().edges {
		size := math.Abs(e.Weight)
		w.join(e.I, e.J, size)
		w.degree[e.I] += size
		w.degree[e.J] += size
		w.total += 2 * size
	}
	return w
}

func (w network) join(i, j int, weight float64) {
	w.near[i] = append(w.near[i], link{j, weight})
	w.near[j] = append(w.near[j], link{i, weight})
}

// leastGain is the share of all weight below which a gain may be rounding.
const leastGain = 1e-10

// move puts vertices one by one where the modularity is highest, until none wants to
// move, and reports whether any did. A label is below the number of vertices.
func (w network) move(label []int) (moved bool) {
	degrees := make([]float64, len(label)) // of each community
	for i, c := range label {
		degrees[c] += w.degree[i]
	}
	pull := make([]float64, len(label)) // of each community on the vertex
	for again := true; again; {
		again = false
		for i := range label {
			home := label[i]
			degrees[home] -= w.degree[i]
			for _, l := range w.near[i] {
				pull[label[l.to]] += l.weight
			}
			gain := func(c int) float64 { return pull[c] - float64(w.degree[i]*degrees[c])/w.total }
			best := home
			for _, l := range w.near[i] {
				// Of equal ones the lower label, so that the order of edges does not matter.
				switch c := label[l.to]; {
				case gain(c) > gain(best)+leastGain*w.total, best != home && c < best && gain(c) == gain(best):
					best = c
				}
			}
			for _, l := range w.near[i] {
				pull[label[l.to]] = 0
			}
			degrees[best] += w.degree[i]
			if label[i] = best; best != home {
				moved, again = true, true
			}
		}
	}
	return moved
}

// split makes each connected part of a community one of its own, which never lowers
// the modularity, and numbers them by their first vertex.
func (w network) split(label []int) (count int) {
	part := make([]int, len(label))
	for i := range part {
		part[i] = -1
	}
	for first := range part {
		if part[first] >= 0 {
			continue
		}
		part[first] = count
		for open := []int{first}; len(open) > 0; {
			i := open[len(open)-1]
			open = open[:len(open)-1]
			for _, l := range w.near[i] {
				if part[l.to] < 0 && label[l.to] == label[first] {
					part[l.to] = count
					open = append(open, l.to)
				}
			}
		}
		count++
	}
	copy(label, part)
	return count
}

// quotient has a vertex for each of the communities.
func (w network) quotient(label []int, count int) network {
	q := network{near: make([][]link, count), degree: make([]float64, count), total: w.total}
	members := make([][]int, count)
	for i, c := range label {
		q.degree[c] += w.degree[i]
		members[c] = append(members[c], i)
	}
	between := make([]float64, count)
	for c, list := range members {
		var others []int
		for _, i := range list {
			for _, l := range w.near[i] {
				if d := label[l.to]; d > c {
					if between[d] == 0 {
						others = append(others, d)
					}
					between[d] += l.weight
				}
			}
		}
		for _, d := range others {
			q.join(c, d, between[d])
			between[d] = 0
		}
	}
	return q
}
