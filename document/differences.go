package document

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/metrics"
)

// Differences tell two learned graphs apart. They are what nervure evaluate A --against B --json
// prints.
type Differences struct {
	A           ComparedGraph    `json:"a" doc:"the first graph"`
	B           ComparedGraph    `json:"b" doc:"the graph it is compared with"`
	EdgesBoth   int              `json:"edges_both" doc:"number of edges in both graphs"`
	Directed    bool             `json:"directed" doc:"whether the edges are arrows: both graphs are directed; if only one is, its direction is ignored"`
	FDR         float64          `json:"fdr" doc:"false discovery rate at which edges and differences are clear"`
	Tested      int              `json:"tested" doc:"number of edges in both graphs whose partial correlations were tested for a difference; 0 if a graph has no evidence for its edges"`
	Different   int              `json:"different" doc:"number of those whose partial correlations clearly differ"`
	MedianRatio *float64         `json:"median_ratio" doc:"median of the weight in a over that in b, by size, of edges in both; null if there are none"`
	Edges       []EdgeDifference `json:"edges" doc:"every edge of either graph"`
}

// A ComparedGraph is one of two graphs that are compared.
type ComparedGraph struct {
	Vertices     int      `json:"vertices" doc:"number of vertices"`
	Edges        int      `json:"edges" doc:"number of edges"`
	Evidence     bool     `json:"evidence" doc:"whether there is evidence for its edges: partial correlations with intervals"`
	EdgesOnly    int      `json:"edges_only" doc:"number of edges that only this graph has, between vertices of both"`
	ClearlyOnly  int      `json:"clearly_only" doc:"number of those that are clearly in this graph: their q is at most fdr; the other graph has no interval for them"`
	VerticesOnly []string `json:"vertices_only,omitempty" doc:"vertices that only this graph has; their edges are not compared"`
}

// An EdgeDifference is what is known of a pair of vertices that is an edge of either graph.
type EdgeDifference struct {
	Source     string        `json:"source" doc:"vertex"`
	Target     string        `json:"target" doc:"vertex"`
	WeightA    *float64      `json:"weight_a" doc:"weight in a; null if it is not an edge there"`
	WeightB    *float64      `json:"weight_b" doc:"weight in b"`
	A          *EdgeEvidence `json:"a,omitempty" doc:"evidence in a"`
	B          *EdgeEvidence `json:"b,omitempty" doc:"evidence in b"`
	Difference *EdgeEvidence `json:"difference,omitempty" doc:"the partial correlation in a less that in b, if it was tested: q is that of a difference other than 0"`
	Missing    bool          `json:"missing_vertex,omitempty" doc:"true if one of the graphs does not have both vertices"`
	Clear      bool          `json:"clear" doc:"of an edge in both graphs: they clearly differ; of an edge in one: it is clearly there"`
}

// EdgeEvidence is a partial correlation, or the difference of two.
type EdgeEvidence struct {
	Partial float64 `json:"partial" doc:"partial correlation"`
	Low     float64 `json:"low" doc:"low end of its 90 % interval"`
	High    float64 `json:"high" doc:"high end of its 90 % interval"`
	Q       float64 `json:"q" doc:"false discovery rate at which it passes its test"`
}

// Differ compares two learned graphs; see [metrics.Differ].
func Differ(a, b *graph.Graph, fdr float64) (*Differences, error) {
	found, err := metrics.Differ(a, b, fdr)
	if err != nil {
		return nil, err
	}
	d := &Differences{
		A:        ComparedGraph{Vertices: a.Vertices(), Evidence: a.Evidence() != nil, VerticesOnly: found.OnlyA},
		B:        ComparedGraph{Vertices: b.Vertices(), Evidence: b.Evidence() != nil, VerticesOnly: found.OnlyB},
		Directed: found.Directed, FDR: fdr, Tested: found.Tested, Edges: []EdgeDifference{},
	}
	for _, p := range found.Pairs {
		d.add(EdgeDifference{
			Source: found.Names[p.I], Target: found.Names[p.J], Missing: p.Missing, Clear: p.Clear,
			WeightA: ofEdge(p.WeightA), WeightB: ofEdge(p.WeightB), A: newEdgeEvidence(p.A), B: newEdgeEvidence(p.B),
		}, p)
	}
	if d.EdgesBoth > 0 {
		ratio := found.MedianRatio()
		d.MedianRatio = &ratio
	}
	return d, nil
}

// add lists an edge and counts it.
func (d *Differences) add(e EdgeDifference, p metrics.Difference) {
	if p.Tested {
		e.Difference = &EdgeEvidence{p.Gap, p.Low, p.High, p.Q}
	}
	one := 0
	if e.Clear {
		one = 1
	}
	if e.WeightA != nil {
		d.A.Edges++
	}
	if e.WeightB != nil {
		d.B.Edges++
	}
	switch {
	case e.WeightA != nil && e.WeightB != nil:
		d.EdgesBoth++
		d.Different += one
	case e.Missing:
	case e.WeightA != nil:
		d.A.EdgesOnly++
		d.A.ClearlyOnly += one
	default:
		d.B.EdgesOnly++
		d.B.ClearlyOnly += one
	}
	d.Edges = append(d.Edges, e)
}

func ofEdge(weight float64) *float64 {
	if weight == 0 {
		return nil
	}
	return &weight
}

func newEdgeEvidence(e *graph.Evidence) *EdgeEvidence {
	if e == nil {
		return nil
	}
	return &EdgeEvidence{e.Partial, e.Low, e.High, e.Q}
}

// Ratio returns the weight in a over that in b, NaN if it is not an edge of both.
func (e *EdgeDifference) Ratio() float64 {
	if e.WeightA == nil || e.WeightB == nil {
		return math.NaN()
	}
	return *e.WeightA / *e.WeightB
}

// WriteCSV writes a line for each edge; what is not known of it is left empty.
func (d *Differences) WriteCSV(w io.Writer) error {
	evidence := func(e *EdgeEvidence) []string {
		if e == nil {
			return make([]string, 4)
		}
		return []string{number(&e.Partial), number(&e.Low), number(&e.High), number(&e.Q)}
	}
	lines := [][]string{{
		"source", "target", "weight_a", "weight_b", "partial_a", "low_a", "high_a", "q_a", "partial_b", "low_b", "high_b", "q_b",
		"difference", "low", "high", "q", "missing_vertex", "clear",
	}}
	for _, e := range d.Edges {
		line := []string{e.Source, e.Target, number(e.WeightA), number(e.WeightB)}
		for _, known := range []*EdgeEvidence{e.A, e.B, e.Difference} {
			line = append(line, evidence(known)...)
		}
		lines = append(lines, append(line, strconv.FormatBool(e.Missing), strconv.FormatBool(e.Clear)))
	}
	return csv.NewWriter(w).WriteAll(lines)
}
