package dataio

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
)

// maxVertices bounds what a file may claim without writing it out.
const maxVertices = 1 << 20

// A parsedGraph is a graph as a file tells it.
type parsedGraph struct {
	names      []string // of the vertices, in order
	edges      []parsedEdge
	numbered   bool // the file numbers its vertices and does not name them
	direction  direction
	attributes vertexAttributes
}

// A parsedEdge joins two places among a parsedGraph's names, from i to j if it has
// a direction. Its weight is valid.
type parsedEdge struct {
	i, j    int
	weight  float64
	numbers [len(edgeNumbers)]float64 // valid where it has them
	has     [len(edgeNumbers)]bool
	line    int // where it is in the file, or 0
}

// A namedEdge is an edge by the identifiers of its ends, which may follow it.
type namedEdge struct {
	source, target, weight string                   // an empty weight is 1
	numbers                [len(edgeNumbers)]string // empty for none
	line                   int                      // 0 if it is not known
}

// addEdges turns edges between vertices of these identifiers into edges of the graph.
func (parsed *parsedGraph) addEdges(edges []namedEdge, ids []string) error {
	x, err := newVertexIndex(ids)
	if err != nil {
		return err
	}
	for k, e := range edges {
		one := parsedEdge{weight: 1, line: e.line}
		if one.i, err = x.find(e.source, e.line); err != nil {
			return err
		}
		if one.j, err = x.find(e.target, e.line); err != nil {
			return err
		}
		wrong := ""
		if e.weight != "" {
			one.weight, wrong = parseWeight(e.weight, false)
		}
		if wrong == "" {
			wrong = one.readNumbers(e.numbers)
		}
		switch {
		case wrong != "" && e.line == 0:
			return fault("edge %d: %s", k+1, wrong)
		case wrong != "":
			return faultAt(e.line, 0, "%s", wrong)
		}
		parsed.edges = append(parsed.edges, one)
	}
	return nil
}

// A vertexIndex numbers vertices by name.
type vertexIndex map[string]int

// newVertexIndex numbers names, which must differ and be fit to be written.
func newVertexIndex(names []string) (vertexIndex, error) {
	x := make(vertexIndex, len(names))
	for i, name := range names {
		if err := checkName(name); err != nil {
			return nil, fault("vertex %d: %s", i+1, err)
		}
		if first, twice := x[name]; twice {
			return nil, fault("vertices %d and %d have the same name %s: names must differ", first+1, i+1, quote(name))
		}
		x[name] = i
	}
	return x, nil
}

// find returns the number of a vertex that an edge on a line (or 0) mentions.
func (x vertexIndex) find(name string, line int) (int, error) {
	if i, ok := x[name]; ok {
		return i, nil
	}
	return 0, atLine(line, fault("an edge ends at %s, which is not a vertex of the graph", quote(name)))
}

// atLine puts the line before the sentence, if there is one.
func atLine(line int, e *input.Error) *input.Error {
	if line > 0 {
		return faultAt(line, 0, "%s", e.Msg)
	}
	return e
}

// build checks the edges and makes the graph. Names, unless nil, are its
// vertices, and must include those of the file.
func (parsed *parsedGraph) build(names []string) (*graph.Graph, error) {
	to, err := parsed.vertexNumbers(names)
	if err != nil {
		return nil, err
	}
	if names == nil {
		names = parsed.names
	}
	if parsed.direction == unsaid {
		inferred := *parsed // which the file may be asked for again as arrows
		inferred.direction = inferred.infer()
		parsed = &inferred
	}
	edges := make([]graph.Edge, 0, len(parsed.edges))
	seen := make(map[[2]int]int, len(parsed.edges)) // pair to line
	for _, e := range parsed.edges {
		if e.i == e.j {
			return nil, atLine(e.line, fault("the edge joins %s to itself: leave out such edges", quote(parsed.names[e.i])))
		}
		pair := parsed.pair(e.i, e.j)
		if first, twice := seen[pair]; twice {
			return nil, parsed.twiceFault(e, parsed.direction == directed, first)
		}
		seen[pair] = e.line
		edges = append(edges, graph.Edge{I: to[e.i], J: to[e.j], Weight: e.weight})
	}
	newGraph := graph.New
	if parsed.direction == directed {
		newGraph = graph.NewDirected
	}
	g, err := newGraph(names, edges)
	if err != nil {
		return nil, fault("%s", err)
	}
	return parsed.withNumbers(g, to)
}

// pair is what is the same for edges that are the same.
func (parsed *parsedGraph) pair(i, j int) [2]int {
	if parsed.direction == directed {
		return [2]int{i, j}
	}
	return [2]int{min(i, j), max(i, j)}
}

// vertexNumbers returns for each vertex of the file its number among names.
func (parsed *parsedGraph) vertexNumbers(names []string) ([]int, error) {
	to := matrix.Span(0, len(parsed.names))
	if names == nil {
		return to, nil
	}
	if parsed.numbered {
		if len(names) != len(to) {
			return nil, countFault(len(to), len(names))
		}
		return to, nil
	}
	x, err := newVertexIndex(names)
	if err != nil {
		return nil, err
	}
	for i, name := range parsed.names {
		j, ok := x[name]
		if !ok {
			return nil, atLine(parsed.firstLine(i),
				fault("the vertex %s is not one of the %d expected: is it a graph of other signals?", quote(name), len(names)))
		}
		to[i] = j
	}
	return to, nil
}

// countFault is the fault of a graph that numbers its vertices, and not as many as
// there are names.
func countFault(vertices, names int) *input.Error {
	return fault("the graph has %d vertices where %d are expected: is it a graph of other signals?", vertices, names)
}

// firstLine returns the first line that mentions vertex i in an edge, or 0.
func (parsed *parsedGraph) firstLine(i int) int {
	line := 0
	for _, e := range parsed.edges {
		if (e.i == i || e.j == i) && (line == 0 || e.line < line) {
			line = e.line
		}
	}
	return line
}

// A direction is what a file says about the direction of its edges.
type direction int

const (
	unsaid     direction = iota // an edge list, whose pairs may be arrows
	undirected                  // edges have none
	directed                    // edges are arrows from source to target
)

// directionOf is undirected unless isDirected.
func directionOf(isDirected bool) direction {
	if isDirected {
		return directed
	}
	return undirected
}

// directionWord is the word that formats have for the direction of a graph.
func directionWord(g *graph.Graph) string {
	if g.Directed() {
		return "directed"
	}
	return "undirected"
}

// sayDirection notes the direction of one edge, in a file that says it edge by edge.
func (parsed *parsedGraph) sayDirection(of direction, line int) error {
	if parsed.direction != unsaid && parsed.direction != of {
		return atLine(line, fault("some edges are directed and some are not: give all of them a direction or none"))
	}
	parsed.direction = of
	return nil
}

// said is what the word at an edge says about its direction, which is the standard
// one of the file unless the word is one of the two.
func said(word, arrow, none string, standard direction) direction {
	switch strings.ToLower(word) {
	case arrow:
		return directed
	case none:
		return undirected
	}
	return standard
}

// infer decides whether the edges of a list that does not say so are arrows: they
// are if a pair is given both ways. If all are, with equal weights, the list is of
// an undirected graph and has its edges twice; one of each is kept.
func (parsed *parsedGraph) infer() direction {
	weight := make(map[[2]int]float64, len(parsed.edges))
	for _, e := range parsed.edges {
		weight[[2]int{e.i, e.j}] = e.weight
	}
	mirrored, equal := 0, 0
	for _, e := range parsed.edges {
		w, both := weight[[2]int{e.j, e.i}]
		if !both || e.i == e.j {
			continue
		}
		mirrored++
		if w == e.weight {
			equal++
		}
	}
	switch {
	case mirrored == 0:
		return undirected
	case equal < len(parsed.edges) || len(weight) < len(parsed.edges): // some are given twice the same way, which is a fault
		return directed
	}
	kept := parsed.edges[:0:0]
	for _, e := range parsed.edges {
		if e.i < e.j {
			kept = append(kept, e)
		}
	}
	parsed.edges = kept
	return undirected
}

// twiceFault is the fault of an edge that is given again; first is the line of the
// other, or 0.
func (parsed *parsedGraph) twiceFault(e parsedEdge, isDirected bool, first int) *input.Error {
	before, joint, mend := "", "–", "give each edge once, in one direction"
	if isDirected {
		joint, mend = "→", "give each edge once"
	}
	if first > 0 {
		before = " (first on line " + strconv.Itoa(first) + ")"
	}
	return atLine(e.line,
		fault("the edge %s %s %s is given twice%s: %s", quote(parsed.names[e.i]), joint, quote(parsed.names[e.j]), before, mend))
}

// vertexAttributes are what a graph file says about its vertices, by the number
// of the vertex and the name of a column.
type vertexAttributes struct {
	names []string // of the columns, in order of appearance
	text  map[string]map[int]string
}

// set notes something about a vertex, unless it is nothing.
func (a *vertexAttributes) set(vertex int, name, text string) {
	if text == "" {
		return
	}
	if a.text == nil {
		a.text = map[string]map[int]string{}
	}
	if a.text[name] == nil {
		a.names = append(a.names, name)
		a.text[name] = map[int]string{}
	}
	a.text[name][vertex] = text
}

// setDefault notes the same about each of n vertices, in place of nothing, if it
// has a name.
func (a *vertexAttributes) setDefault(n int, name, text string) {
	if name == "" {
		return
	}
	for i := range n {
		if _, known := a.text[name][i]; !known {
			a.set(i, name, text)
		}
	}
}

// table returns the attributes of vertices with these names, nil if there are none.
func (a *vertexAttributes) table(names []string) *VertexTable {
	if len(a.names) == 0 {
		return nil
	}
	t := &VertexTable{Names: slices.Clone(names)}
	for _, name := range a.names {
		text := make([]string, len(names))
		for i := range names {
			text[i] = a.text[name][i]
		}
		t.Columns = append(t.Columns, newVertexColumn(name, text, false))
	}
	return t
}

// parseWeight reads the weight of an edge, and says what is wrong with it, if
// anything.
func parseWeight(cell string, decimalComma bool) (w float64, wrong string) {
	w, k := parse.Cell(strings.TrimSpace(cell), decimalComma)
	switch {
	case k == parse.Missing:
		return 0, "the weight is missing"
	case k == parse.Text:
		return 0, "the weight " + quote(cell) + " is not a number"
	case math.IsInf(w, 0):
		return 0, "the weight " + quote(cell) + " is not finite"
	}
	return w, ""
}
