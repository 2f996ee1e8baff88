package experiment

import (
	"context"
	"fmt"
	"io"

	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// atomVertices is the size of the graph on which atoms are drawn: large enough
// for an atom to end within it, small enough for a figure.
const atomVertices = 60

// atoms has the data of the figure of atoms: a graph of points in the plane and
// the atoms of both kernels at the vertex nearest to its centre. Each vertex and
// each edge is a record. One graph is drawn: it has one instance.
func atoms(int) (*Experiment, error) {
	spec, err := synth.GraphSpec{Family: synth.FamilyRBF, Vertices: atomVertices, Seed: firstMeasuringSeed}.Resolve()
	if err != nil {
		return nil, err
	}
	drawn, err := synth.Graph(spec)
	if err != nil {
		return nil, err
	}
	kernels := learn.PaperModel().Kernels
	d, err := dictionary.Dense(drawn.Graph.Laplacian(), kernels)
	if err != nil {
		return nil, err
	}
	centre := central(drawn.Coordinates)
	n := drawn.Graph.Vertices()
	var cells []Cell
	for v := range n {
		at := drawn.Coordinates[v]
		cells = append(cells, cellOf(Values{
			"x": at[0], "y": at[1], "centre": truthValue(v == centre), "atom_1": d.At(v, centre), "atom_2": d.At(v, n+centre),
		}, Text("kind", "vertex"), Amount("vertex", v)))
	}
	for _, e := range drawn.Graph.Edges() {
		cells = append(cells, cellOf(Values{"weight": e.Weight}, Text("kind", "edge"), Amount("source", e.I), Amount("target", e.J)))
	}
	return &Experiment{
		Name:      "atoms",
		Title:     "Atoms of both kernels at one vertex of an RBF graph",
		Claim:     "an atom is local: the low-pass kernel spreads over the neighbourhood of its vertex, the high-pass one changes sign next to it",
		Source:    "maretic2017, figure of atoms",
		Instances: 1,
		Options: map[string]any{
			"family": string(spec.Family), "vertices": spec.Vertices, "edge_factor": spec.EdgeFactor, "width": spec.Width,
			"kernels": kernelNames(kernels), "centre": centre,
		},
		Stages: []Stage{{Measuring, Seeds{firstMeasuringSeed, 1}, cells}},
		Tables: atomTables,
		Figure: atomFigure,
	}, nil
}

// central returns the point nearest to the middle of the unit square.
func central(points [][2]float64) int {
	best, nearest := 0, 2.0
	for i, p := range points {
		x, y := p[0]-0.5, p[1]-0.5
		if d := x*x + y*y; d < nearest {
			best, nearest = i, d
		}
	}
	return best
}

// cellOf is a cell whose record is known.
func cellOf(v Values, labels ...Label) Cell {
	return Cell{Labels: labels, Measure: func(context.Context, uint64, []Record) (Values, error) { return v, nil }}
}

// atomTables shows how an atom falls off with the distance from its vertex.
func atomTables(records []Record) []Table {
	vertices := where(records, Measuring, Text("kind", "vertex"))
	edges := where(records, Measuring, Text("kind", "edge"))
	hops, energy := spread(vertices, edges)
	t := Table{Title: "Atoms at one vertex: share of energy by distance in hops", Header: []string{"hops", "vertices", "heat:2", "highpass:1"}}
	for h, row := range energy {
		t.Rows = append(t.Rows, []string{fmt.Sprint(h), fmt.Sprint(hops[h]), fmt.Sprintf("%.4f", row[0]), fmt.Sprintf("%.4f", row[1])})
	}
	t.Notes = []string{fmt.Sprintf("%d vertices and %d edges.", len(vertices), len(edges))}
	return []Table{t}
}

// spread counts the vertices at each number of hops from the centre, and their
// share of the energy of either atom.
func spread(vertices, edges []Record) (count []int, energy [][2]float64) {
	distance, near := map[float64]int{}, map[float64][]float64{}
	for _, e := range edges {
		i, j := e.Number("source"), e.Number("target")
		near[i], near[j] = append(near[i], j), append(near[j], i)
	}
	var queue []float64
	for _, v := range vertices {
		if v.Number("centre") == 1 {
			queue = append(queue, v.Number("vertex"))
			distance[v.Number("vertex")] = 0
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, j := range near[queue[0]] {
			if _, seen := distance[j]; !seen {
				distance[j] = distance[queue[0]] + 1
				queue = append(queue, j)
			}
		}
	}
	var total [2]float64
	for _, v := range vertices {
		h, ok := distance[v.Number("vertex")]
		if !ok {
			continue // in another component, where atoms are zero
		}
		for len(count) <= h {
			count, energy = append(count, 0), append(energy, [2]float64{})
		}
		count[h]++
		for s, a := range []float64{v.Number("atom_1"), v.Number("atom_2")} {
			energy[h][s] += a * a
			total[s] += a * a
		}
	}
	for h := range energy {
		for s := range total {
			energy[h][s] /= total[s]
		}
	}
	return count, energy
}

// atomFigure draws the graph once for each kernel, its vertices coloured by the
// kernel's atom at the one with a ring.
func atomFigure(w io.Writer, records []Record) error {
	vertices := sortedBy(where(records, Measuring, Text("kind", "vertex")), "vertex")
	edges := sortedBy(where(records, Measuring, Text("kind", "edge")), "source", "target")
	n := figure.Network{}
	var centre []int
	place := map[float64]int{} // of a vertex in the network
	for i, v := range vertices {
		place[v.Number("vertex")] = i
		n.Vertices = append(n.Vertices, figure.Vertex{X: v.Number("x"), Y: v.Number("y")})
		if v.Number("centre") == 1 {
			centre = append(centre, i)
		}
	}
	for _, e := range edges {
		i, foundI := place[e.Number("source")]
		j, foundJ := place[e.Number("target")]
		if foundI && foundJ { // an interrupted run may lack them
			n.Edges = append(n.Edges, figure.Edge{From: i, To: j})
		}
	}
	var fields []figure.Field
	for s, formula := range kernelFormulas {
		f := figure.Field{Title: "Atom of " + formula, Network: n, Marked: centre}
		for _, v := range vertices {
			f.Values = append(f.Values, v.Number(fmt.Sprintf("atom_%d", s+1)))
		}
		fields = append(fields, f)
	}
	return figure.WriteFields(w, "Atoms of both kernels at one vertex of a graph of points in the plane", fields...)
}
