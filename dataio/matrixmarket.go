package dataio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/graph"
)

var _ = register(codec{
	format: MatrixMarket, Description: Description{Name: "Matrix Market"}, rank: 70,
	has:         []Capability{KeepsNames, KeepsIsolated, Gzips},
	decodeGraph: decodeMatrixMarket,
	encodeGraph: func(w io.Writer, g GraphFile) error { return encodeMatrixMarket(w, g.Graph) },
})

// vertexComment starts a comment that names a vertex: its number and its name
// as a Go string. Other readers skip it.
const vertexComment = "% vertex "

// encodeMatrixMarket writes the lower triangle of W, or all of W if the graph is
// directed: entry (i, j) is the weight of the arrow from i to j. Names are in
// comments unless they are the default ones.
func encodeMatrixMarket(w io.Writer, g *graph.Graph) error {
	names, edges := g.Names(), g.Edges()
	symmetry := "symmetric"
	if g.Directed() {
		symmetry = "general"
	}
	b := bytes.NewBufferString("%%MatrixMarket matrix coordinate real " + symmetry + "\n")
	if !slices.Equal(names, graph.DefaultNames(len(names))) {
		for i, name := range names {
			fmt.Fprintf(b, "%s%d %s\n", vertexComment, i+1, strconv.Quote(name))
		}
	}
	fmt.Fprintf(b, "%d %d %d\n", len(names), len(names), len(edges))
	// Column by column of the lower triangle is row by row of the upper one.
	for _, e := range edges {
		if !g.Directed() {
			e.I, e.J = e.J, e.I
		}
		fmt.Fprintf(b, "%d %d %s\n", e.I+1, e.J+1, formatNumber(e.Weight))
	}
	_, err := b.WriteTo(w)
	return err
}

// decodeMatrixMarket reads a coordinate matrix. If it is symmetric, by its header or
// in fact, the graph is undirected. A pattern has weights 1.
func decodeMatrixMarket(r io.Reader) (*parsedGraph, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	line, names := 0, map[int]string{}
	var pattern, general bool
	var size []int // rows, columns, entries
	parsed := &parsedGraph{}
	for lines.Scan() {
		line++
		text := strings.TrimSpace(lines.Text())
		fields := strings.Fields(text)
		switch {
		case line == 1:
			var err error
			if pattern, general, err = matrixMarketHeader(fields); err != nil {
				return nil, err
			}
		case text == "":
		case text[0] == '%':
			if i, name, ok := vertexName(text); ok {
				names[i] = name
			}
		case size == nil:
			if size = integers(fields); len(fields) != 3 || len(size) != 3 {
				return nil, faultAt(line, 0, "the size line must have three numbers: rows, columns, entries")
			}
			if size[0] != size[1] || size[0] < 0 || size[0] > maxVertices {
				return nil, faultAt(line, 0, "the matrix is %d×%d, but a weight matrix is square with at most %d rows",
					size[0], size[1], maxVertices)
			}
		default:
			e, err := matrixMarketEntry(fields, line, size[0], pattern)
			if err != nil {
				return nil, err
			}
			parsed.edges = append(parsed.edges, e)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, faultAt(line+1, 0, "this line is too long for a Matrix Market file")
	case err != nil:
		return nil, err
	case line == 0:
		return nil, fault("the file is empty")
	case size == nil:
		return nil, fault("the size line is missing: the file is cut short")
	case len(parsed.edges) != size[2]:
		return nil, fault("there are %d entries where the size line says %d: the file is cut short or damaged", len(parsed.edges), size[2])
	}
	var err error
	if parsed.names, parsed.numbered, err = matrixMarketNames(names, size[0]); err != nil {
		return nil, err
	}
	parsed.dropSecondTriangle(general)
	return parsed, nil
}

func matrixMarketHeader(fields []string) (pattern, general bool, err error) {
	if len(fields) < 2 || !strings.EqualFold(fields[0], "%%MatrixMarket") {
		return false, false, faultAt(1, 0, "this is not a Matrix Market file: it must start with %%%%MatrixMarket")
	}
	h := strings.ToLower(strings.Join(fields[1:], " "))
	for _, kind := range []string{"real", "integer", "pattern", "double"} {
		for _, symmetry := range []string{"general", "symmetric"} {
			if h == "matrix coordinate "+kind+" "+symmetry {
				return kind == "pattern", symmetry == "general", nil
			}
		}
	}
	return false, false, faultAt(1, 0, "%s cannot be read: write the matrix as coordinate real symmetric", quote(h))
}

func vertexName(comment string) (i int, name string, ok bool) {
	rest, ok := strings.CutPrefix(comment, vertexComment)
	if !ok {
		return 0, "", false
	}
	number, quoted, _ := strings.Cut(rest, " ")
	i, err := strconv.Atoi(number)
	if err != nil {
		return 0, "", false
	}
	name, err = strconv.Unquote(quoted)
	return i, name, err == nil
}

// integers returns the numbers up to the first field that is none.
func integers(fields []string) []int {
	var out []int
	for _, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil {
			break
		}
		out = append(out, n)
	}
	return out
}

func matrixMarketEntry(fields []string, line, n int, pattern bool) (parsedEdge, error) {
	e := parsedEdge{weight: 1, line: line}
	want := 3
	if pattern {
		want = 2
	}
	if len(fields) != want {
		return e, faultAt(line, 0, "an entry has %d numbers here, not %d", want, len(fields))
	}
	ij := integers(fields[:2])
	if len(ij) != 2 || min(ij[0], ij[1]) < 1 || max(ij[0], ij[1]) > n {
		return e, faultAt(line, 0, "the entry (%s, %s) is not in the matrix: rows and columns count from 1 to %d", fields[0], fields[1], n)
	}
	e.i, e.j = ij[0]-1, ij[1]-1
	if !pattern {
		var wrong string
		if e.weight, wrong = parseWeight(fields[2], false); wrong != "" {
			return e, faultAt(line, 3, "%s", wrong)
		}
	}
	return e, nil
}

// matrixMarketNames returns the names from comments, or the default ones if they
// do not name every vertex.
func matrixMarketNames(from map[int]string, n int) (names []string, numbered bool, err error) {
	names = make([]string, n)
	for i := range names {
		name, ok := from[i+1]
		if !ok {
			return graph.DefaultNames(n), true, nil
		}
		names[i] = name
	}
	_, err = newVertexIndex(names)
	return names, false, err
}

// dropSecondTriangle drops zeros from the diagonal, and one triangle of a symmetric
// matrix that is written in full. If the matrix is not symmetric, the graph is
// directed.
func (parsed *parsedGraph) dropSecondTriangle(general bool) {
	parsed.edges = slices.DeleteFunc(parsed.edges, func(e parsedEdge) bool { return e.i == e.j && e.weight == 0 })
	parsed.direction = undirected
	if !general {
		return
	}
	entry := make(map[[2]int]float64, len(parsed.edges))
	for _, e := range parsed.edges {
		entry[[2]int{e.i, e.j}] = e.weight
	}
	if len(entry) < len(parsed.edges) { // some are given twice, which is a fault in either triangle
		parsed.direction = directed
		return
	}
	for _, e := range parsed.edges {
		if mirror := entry[[2]int{e.j, e.i}]; math.Abs(mirror-e.weight) > weightRounding*max(math.Abs(mirror), math.Abs(e.weight)) {
			parsed.direction = directed
			return
		}
	}
	parsed.edges = slices.DeleteFunc(parsed.edges, func(e parsedEdge) bool { return e.i < e.j })
}
