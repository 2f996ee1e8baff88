package study

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
)

// A comparison is what the graphs of a batch have in common, vertex by name.
type comparison struct {
	names []string // of the graphs
	found []map[arc]float64
	edges []commonEdge // those that most graphs have first
	mean  *graph.Graph // confidence is the share of the graphs that have the edge
	// distance[a][b] is 1 − Σ min(u, v)/Σ max(u, v) over all pairs of vertices, with
	// u and v the weights of two graphs, each with sum 1: 0 for equal graphs, 1 for graphs without
	// a common edge.
	distance [][]float64
}

// An arc is a pair of vertices, the first of which is the source if edges have a direction.
type arc struct{ from, to string }

// A commonEdge is an edge of at least one graph.
type commonEdge struct {
	arc
	graphs int     // that have it
	weight float64 // mean over all graphs, 0 where it is missing, each of mean weight 1
}

// compare reads the graphs that were learned and compares them.
func (r *run) compare() (*comparison, error) {
	c := &comparison{}
	directed := false
	for _, j := range r.jobs {
		if r.done[j.name].Row.Error != "" {
			continue
		}
		found, of, err := r.learnedArcs(j.name)
		if err != nil {
			return nil, err
		}
		directed = directed || of
		c.names = append(c.names, j.name)
		c.found = append(c.found, found)
	}
	c.count()
	var err error
	c.mean, err = c.meanGraph(directed)
	c.measure()
	return c, err
}

// learnedArcs reads the graph of a file, and reports whether its edges are arrows.
func (r *run) learnedArcs(name string) (map[arc]float64, bool, error) {
	file, err := dataio.ReadGraphFile(filepath.Join(r.Dir, name+".csv"))
	if err == nil && r.done[name].Directed && !file.Graph.Directed() { // an edge list need not show it
		file, err = file.AsDirected()
	}
	if err != nil {
		return nil, false, err
	}
	return arcs(file.Graph), file.Graph.Directed(), nil
}

// arcs returns the edges of a graph with the sum of the sizes of their weights 1. The vertices of an
// undirected edge are in order.
func arcs(g *graph.Graph) map[arc]float64 {
	names, total := g.Names(), 0.0
	for _, e := range g.Edges() {
		total += math.Abs(e.Weight)
	}
	all := map[arc]float64{}
	for _, e := range g.Edges() {
		a := arc{names[e.I], names[e.J]}
		if !g.Directed() && a.from > a.to {
			a.from, a.to = a.to, a.from
		}
		all[a] = e.Weight / total
	}
	return all
}

// count finds out how many graphs have each edge.
func (c *comparison) count() {
	at := map[arc]int{}
	for _, found := range c.found {
		for a := range found {
			k, ok := at[a]
			if !ok {
				k = len(c.edges)
				at[a] = k
				c.edges = append(c.edges, commonEdge{arc: a})
			}
			c.edges[k].graphs++
		}
	}
	for k, e := range c.edges {
		for _, found := range c.found { // in one order, whatever that of the map
			c.edges[k].weight += found[e.arc] * float64(len(found)) / float64(len(c.found))
		}
	}
	slices.SortFunc(c.edges, func(a, b commonEdge) int {
		return cmp.Or(cmp.Compare(b.graphs, a.graphs), cmp.Compare(b.weight, a.weight), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
}

// meanGraph returns the mean of the graphs.
func (c *comparison) meanGraph(directed bool) (*graph.Graph, error) {
	var names []string
	for _, e := range c.edges {
		names = append(names, e.from, e.to)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	list := make([]graph.Edge, len(c.edges))
	share := map[[2]int]float64{}
	for k, e := range c.edges {
		i, _ := slices.BinarySearch(names, e.from)
		j, _ := slices.BinarySearch(names, e.to)
		list[k] = graph.Edge{I: i, J: j, Weight: e.weight}
		share[[2]int{i, j}] = c.share(e)
	}
	build := graph.New
	if directed {
		build = graph.NewDirected
	}
	g, err := build(names, list)
	if err != nil || len(list) == 0 {
		return g, err
	}
	confidence := make([]float64, len(list))
	for k, e := range g.Edges() {
		confidence[k] = share[[2]int{e.I, e.J}]
	}
	return g.WithConfidence(confidence)
}

// measure computes the distances. The weights of a graph have the sum 1, so that Σ max is
// 2 − Σ min, and only common edges matter.
func (c *comparison) measure() {
	n := len(c.found)
	weights := make([][]float64, n) // of the edges that a graph has, in the order of edges
	places := make([][]int, n)
	for k, e := range c.edges {
		for a, found := range c.found {
			if w, ok := found[e.arc]; ok {
				places[a], weights[a] = append(places[a], k), append(weights[a], w)
			}
		}
	}
	c.distance = make([][]float64, n)
	for a := range n {
		c.distance[a] = make([]float64, n)
		for b := range a {
			least := 0.0
			for i, j := 0, 0; i < len(places[a]) && j < len(places[b]); {
				switch d := places[a][i] - places[b][j]; {
				case d < 0:
					i++
				case d > 0:
					j++
				default:
					least += min(weights[a][i], weights[b][j])
					i, j = i+1, j+1
				}
			}
			d := 1 - least/(2-least)
			if len(places[a])+len(places[b]) == 0 {
				d = 0 // neither has an edge
			}
			c.distance[a][b], c.distance[b][a] = d, d
		}
	}
}

// addTo adds the mean graph and the tables of edges and distances to what is written.
func (c *comparison) addTo(out *folder) {
	edges := [][]string{{"source", "target", "graphs", "share", "mean_weight"}}
	for _, e := range c.edges {
		edges = append(edges, []string{e.from, e.to, strconv.Itoa(e.graphs), number(c.share(e)), number(e.weight)})
	}
	distances := [][]string{append([]string{"name"}, c.names...)}
	for a, row := range c.distance {
		cells := []string{c.names[a]}
		for _, d := range row {
			cells = append(cells, number(d))
		}
		distances = append(distances, cells)
	}
	out.graph("mean", c.mean)
	out.table("edges.csv", edges)
	out.table("distances.csv", distances)
}

// share is how many of the graphs have an edge.
func (c *comparison) share(e commonEdge) float64 { return float64(e.graphs) / float64(len(c.found)) }

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
