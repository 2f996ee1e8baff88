package dataio

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
)

func TestMatrixMarketOfOtherProgramsIsRead(t *testing.T) {
	weighted := newGraph(t, graph.DefaultNames(3), graph.Edge{I: 0, J: 1, Weight: 0.5}, graph.Edge{I: 1, J: 2, Weight: 2})
	plain := newGraph(t, graph.DefaultNames(3), graph.Edge{I: 0, J: 1, Weight: 1})
	for name, c := range map[string]struct {
		text string
		want *graph.Graph
	}{
		"symmetric":          {"%%MatrixMarket matrix coordinate real symmetric\n% by someone\n\n3 3 2\n2 1 5e-1\n3 2 2\n", weighted},
		"written in full":    {"%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 .5\n2 1 .5\n2 3 2\n3 2 2\n", weighted},
		"zeros, upper half":  {"%%matrixmarket MATRIX coordinate real symmetric\n3 3 3\n1 1 0\n1 2 0.5\n2 3 2\n", weighted},
		"a pattern":          {"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n", plain},
		"integers":           {"%%MatrixMarket matrix coordinate integer symmetric\n3 3 1\n2 1 1\n", plain},
		"names for only two": {"%%MatrixMarket matrix coordinate integer symmetric\n% vertex 1 \"a\"\n% vertex 2 \"b\"\n3 3 1\n2 1 1\n", plain},
	} {
		if g, err := DecodeGraph(strings.NewReader(c.text), "g", MatrixMarket, nil); err != nil || !sameGraph(g, c.want) {
			t.Errorf("%s: %v, %v", name, g, err)
		}
	}
}

func TestBadMatrixMarketIsAnsweredWithWhatAndWhere(t *testing.T) {
	const h = "%%MatrixMarket matrix coordinate real symmetric\n"
	checkBadGraphs(t, MatrixMarket, []badGraph{
		{"an empty file", "", 0, 0, "the file is empty"},
		{"another file", "a,b\n", 1, 0, "line 1: this is not a Matrix Market file: it must start with %%MatrixMarket"},
		{"complex numbers", "%%MatrixMarket matrix coordinate complex hermitian\n", 1, 0, `line 1: "matrix coordinate complex hermitian" cannot be read: write the matrix as coordinate real symmetric`},
		{"no size", h + "% nothing\n", 0, 0, "the size line is missing: the file is cut short"},
		{"a bad size", h + "3 3\n", 2, 0, "line 2: the size line must have three numbers: rows, columns, entries"},
		{"not square", h + "3 4 0\n", 2, 0, "line 2: the matrix is 3×4, but a weight matrix is square with at most 1048576 rows"},
		{"10^12 vertices", h + "1000000000000 1000000000000 0\n", 2, 0, "line 2: the matrix is 1000000000000×1000000000000, but a weight matrix is square with at most 1048576 rows"},
		{"too few entries", h + "3 3 2\n2 1 1\n", 0, 0, "there are 1 entries where the size line says 2: the file is cut short or damaged"},
		{"an entry outside", h + "3 3 1\n4 1 1\n", 3, 0, "line 3: the entry (4, 1) is not in the matrix: rows and columns count from 1 to 3"},
		{"half an entry", h + "3 3 1\n2 1\n", 3, 0, "line 3: an entry has 3 numbers here, not 2"},
		{"an infinite negative weight", h + "3 3 1\n2 1 -inf\n", 3, 3, `line 3, column 3: the weight "-inf" is not finite`},
		{"a self-loop", h + "3 3 1\n2 2 1\n", 3, 0, `line 3: the edge joins "v1" to itself: leave out such edges`},
		{"an entry twice, in full", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 5\n1 2 5\n2 1 5\n", 4, 0, `line 4: the edge "v0" → "v1" is given twice (first on line 3): give each edge once`},
		{"an edge twice", h + "3 3 2\n2 1 1\n1 2 1\n", 4, 0, `line 4: the edge "v0" – "v1" is given twice (first on line 3): give each edge once, in one direction`},
	})
}
