package dataio

import (
	"io"
	"math"

	"github.com/nervure/nervure/graph"
)

// WriteGraph writes a graph by extension: .csv and .tsv (edge lists), .json
// (node-link, as NetworkX reads), .graphml, .gexf, .dot, .mtx (Matrix Market),
// .npy (the weight matrix W) or .mat (W, the normalised Laplacian L and names),
// each also with .gz.
func WriteGraph(path string, g *graph.Graph) error { return GraphFile{Graph: g}.Write(path) }

// EncodeGraph writes a graph to a stream. Weights are exact: they read back as
// the same number. A name that the format cannot hold is an error.
func EncodeGraph(w io.Writer, f Format, g *graph.Graph) error {
	return GraphFile{Graph: g}.Encode(w, f)
}

// ReadGraph reads what [WriteGraph] writes, .dot excepted. Names, unless nil,
// are the vertices in order: the file may mention only some of them but no
// others, and a file that only numbers its vertices must number as many.
//
// Without names the vertices are those of the file in its order; for an edge
// list that is by first appearance, or v0, v1, …, v10 if all are named so.
//
// A self-loop, an edge given twice, and a weight that is negative or not finite
// are errors. Everything wrong with the file is an [input.Error].
func ReadGraph(path string, names []string) (*graph.Graph, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return DecodeGraph(file, path, "", names)
}

// DecodeGraph reads a graph from a stream as [ReadGraph] does. name stands for
// the file in errors; an empty f means its extension.
func DecodeGraph(r io.Reader, name string, f Format, names []string) (*graph.Graph, error) {
	raw, err := decodeRaw(r, name, f)
	if err != nil {
		return nil, err
	}
	g, err := raw.build(names)
	if err != nil {
		return nil, inFile(name, err)
	}
	return g, nil
}

func decodeGraph(r io.Reader, f Format) (*rawGraph, error) {
	if f == MAT {
		return readMAT(r)
	}
	b, err := gunzipped(r)
	if err != nil {
		return nil, err
	}
	switch f {
	case NodeLink:
		return readNodeLink(b)
	case GraphML:
		return readGraphML(b)
	case GEXF:
		return readGEXF(b)
	case MatrixMarket:
		return readMatrixMarket(b)
	case NPY:
		return readWeights(b)
	default:
		return readEdgeList(b, f)
	}
}

// weightRounding is how far entries of a symmetric matrix may differ, as a share
// of the larger.
const weightRounding = 1e-12

// readWeights reads a NumPy array as a weight matrix.
func readWeights(r io.Reader) (*rawGraph, error) {
	a, err := readNPY(r, ReadOptions{})
	if err != nil {
		return nil, err
	}
	return a.weights()
}

// weights takes the array for a weight matrix. Differences between the triangles
// as rounding leaves them are passed over.
func (a *array) weights() (*rawGraph, error) {
	if a.rows != a.cols {
		return nil, fault("the array is %d×%d, but a weight matrix is square", a.rows, a.cols)
	}
	raw := &rawGraph{names: graph.DefaultNames(a.rows), nameless: true}
	w := a.dense(false)
	for i := range a.rows {
		for j := range i + 1 {
			x, y := w.At(i, j), w.At(j, i)
			switch {
			case !(math.Abs(x) <= math.MaxFloat64 && math.Abs(y) <= math.MaxFloat64):
				return nil, fault("the weight at index %s is missing or not finite", a.at(i, j))
			case i == j && x != 0:
				return nil, fault("the diagonal of a weight matrix is zero, but %s is %g", a.at(i, i), x)
			case x < 0 || y < 0:
				return nil, fault("the weight at index %s is negative: is this a Laplacian and not a weight matrix?", a.at(i, j))
			case math.Abs(x-y) > weightRounding*max(x, y):
				return nil, fault("the matrix is not symmetric: %s is %g and %s is %g", a.at(i, j), x, a.at(j, i), y)
			case i != j && y > 0:
				raw.edges = append(raw.edges, rawEdge{i: i, j: j, weight: y})
			}
		}
	}
	return raw, nil
}
