package dataio

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

var (
	_ = register(delimited{CSV, ',', false}.codec(10, Description{Name: "comma-separated table", MediaType: "text/csv; charset=utf-8"}))
	_ = register(delimited{TSV, '\t', true}.codec(20,
		Description{Name: "tab-separated table", MediaType: "text/tab-separated-values; charset=utf-8", VariantOf: CSV}))
	_ = register(readOnly(TXT, 21, Description{Name: "table of text with tabs, blanks or bars", MediaType: "text/plain; charset=utf-8"}))
	_ = register(readOnly(DAT, 22,
		Description{Name: "table of text with tabs, blanks or bars", MediaType: "text/plain; charset=utf-8", VariantOf: TXT}))
)

// readOnly is the entry of a format of signals in the table that is written as CSV.
func readOnly(f Format, rank int, about Description) codec {
	return codec{
		format: f, Description: about, rank: rank, has: []Capability{KeepsNames}, isText: true,
		decodeSignals: delimited{format: f}.decodeSignals,
	}
}

// A delimited format is text with a row on each line: tables of signals, of
// matrices and about vertices, and edge lists.
type delimited struct {
	format    Format
	separator byte // between the cells that are written
	fixed     bool // and read; else files tell by their first lines
}

// codec is the format's entry in the table.
func (d delimited) codec(rank int, about Description) codec {
	about.GraphAs = "edge list"
	return codec{
		format: d.format, Description: about, rank: rank, matrixRank: 1,
		has:           []Capability{KeepsNames, KeepsConfidence, Gzips},
		isText:        true,
		decodeSignals: d.decodeSignals, encodeSignals: d.encodeSignals, encodeMatrix: d.encodeMatrix,
		decodeGraph: d.decodeGraph, encodeGraph: d.encodeGraph,
		decodeVertices: d.decodeVertices,
	}
}

// rows starts reading a table.
func (d delimited) rows(r io.Reader) (*rowReader, error) {
	if d.fixed {
		return newRowReader(r, d.separator)
	}
	return newRowReader(r, 0)
}

func (d delimited) decodeSignals(r io.Reader, o ReadOptions) (*signals.Set, error) {
	rows, err := d.openTable(r, o)
	if err != nil {
		return nil, err
	}
	t := &table{style: rows.style, headerless: rows.headerless}
	if err := t.read(rows, o); err != nil {
		return nil, err
	}
	t.notes = append(rows.told(), t.notes...)
	return t.signals(o)
}

func (d delimited) encodeSignals(w io.Writer, s *signals.Set) error {
	if !slices.ContainsFunc(s.Names, func(name string) bool { return parse.IsText(name, false) }) {
		return fault("the vertex names are numbers (%s, …), which a .%s file cannot tell from data", quote(s.Names[0]), d.format)
	}
	if err := checkVertexColumns(s); err != nil {
		return err
	}
	return d.write(w, s.Names, s.Times, s.Y.T())
}

func (d delimited) encodeMatrix(w io.Writer, m Matrix) error {
	var header []string
	if r, c := m.Values.Dims(); r == c { // vertices stand in columns as well
		header = m.Names
	}
	return d.write(w, header, nil, m.Values)
}

// write writes a header, unless it is nil, and the rows of m, each after its time unless
// these are nil.
func (d delimited) write(w io.Writer, header []string, times []time.Time, m mat.Matrix) error {
	var line []byte
	end := func() error {
		line[len(line)-1] = '\n' // in place of the last separator
		_, err := w.Write(line)
		line = line[:0]
		return err
	}
	if times != nil {
		header = append([]string{timeHeader(header)}, header...)
	}
	for k, name := range header {
		if k == 0 && markOf(name) != "" { // which would be read as a remark
			line = append(appendQuoted(line, name), d.separator)
			continue
		}
		line = append(appendCell(line, name), d.separator)
	}
	if len(header) > 0 {
		if err := end(); err != nil {
			return err
		}
	}
	r, c := m.Dims()
	for i := range r {
		if times != nil {
			line = append(append(line, words.Time(times[i])...), d.separator)
		}
		for j := range c {
			line = append(appendNumber(line, m.At(i, j)), d.separator)
		}
		if err := end(); err != nil {
			return err
		}
	}
	return nil
}

func (d delimited) decodeGraph(r io.Reader) (*parsedGraph, error) {
	rows, err := d.rows(r)
	if err != nil {
		return nil, err
	}
	return readEdgeList(rows)
}

func (d delimited) encodeGraph(w io.Writer, g GraphFile) error {
	return writeEdgeList(w, d.separator, g.Graph)
}

func (d delimited) decodeVertices(r io.Reader) (*VertexTable, error) {
	rows, err := d.rows(r)
	if err != nil {
		return nil, err
	}
	return readVertexTable(rows)
}

// isEdgeListHeader reports whether a row is the header of the edge lists we write.
func isEdgeListHeader(row []string) bool {
	rest := row
	for _, word := range []string{"source", "target", "weight"} {
		if len(rest) == 0 || !strings.EqualFold(rest[0], word) {
			return false
		}
		rest = rest[1:]
	}
	if len(rest) > 0 && strings.EqualFold(rest[0], edgeNumbers[0].name) {
		rest = rest[1:]
	}
	return len(rest) == 0 ||
		slices.EqualFunc(rest, edgeNumbers[ofEvidence:], func(cell string, n edgeNumber) bool { return strings.EqualFold(cell, n.name) })
}

// writeEdgeList writes source,target,weight and the other numbers that the graph has of
// its edges: each edge once, in vertex order, from source to target if the graph is
// directed.
func writeEdgeList(w io.Writer, sep byte, g *graph.Graph) error {
	names, numbers := g.Names(), numberColumns(g)
	line := []byte("source" + string(sep) + "target" + string(sep) + "weight")
	for _, c := range numbers {
		line = append(append(line, sep), c.name...)
	}
	line = append(line, '\n')
	for k, e := range g.Edges() {
		if _, err := w.Write(line); err != nil {
			return err
		}
		line = append(appendCell(line[:0], names[e.I]), sep)
		line = append(appendCell(line, names[e.J]), sep)
		line = appendNumber(line, e.Weight)
		for _, c := range numbers {
			line = appendNumber(append(line, sep), c.values[k])
		}
		line = append(line, '\n')
	}
	_, err := w.Write(line)
	return err
}

// readEdgeList reads rows of source, target and perhaps weight (else 1). A
// header puts these columns where it likes, and those of edgeNumbers, and one
// called type that says directed or undirected as Gephi has it, among others that
// are not read.
// Vertices are in order of first appearance.
func readEdgeList(r *rowReader) (*parsedGraph, error) {
	parsed, x := &parsedGraph{}, vertexIndex{}
	vertex := func(name string) int {
		i, ok := x[name]
		if !ok {
			i = len(parsed.names)
			name = strings.Clone(name) // the row may go
			x[name] = i
			parsed.names = append(parsed.names, name)
		}
		return i
	}
	var cols edgeColumns
	var titles []string // the header, if it might be an edge
	first := 0          // its line
	err := r.each(func(row []string, line int) error {
		if cols.width == 0 {
			var header bool
			var err error
			if cols, header, err = edgeListColumns(row, line); err != nil {
				return err
			}
			if header {
				if cols.width == 2 {
					titles, first = slices.Clone(row), line
				}
				return nil
			}
			if cols.weight >= 0 && r.isText(row[cols.weight]) {
				return faultAt(line, cols.weight+1,
					"the weight %s is not a number: if this is a header, write source,target,weight",
					quote(row[cols.weight]))
			}
		}
		if len(row) != cols.width {
			return faultAt(line, 0, "this row has %s, not %d: an edge list has the columns source, target, weight",
				words.Plural(len(row), "cell"), cols.width)
		}
		e, err := cols.edge(row, line, r.decimalComma())
		if err == nil && cols.kind >= 0 {
			if of := said(strings.TrimSpace(row[cols.kind]), "directed", "undirected", unsaid); of != unsaid {
				err = parsed.sayDirection(of, line)
			}
		}
		if err != nil {
			return err
		}
		e.i, e.j = vertex(row[cols.source]), vertex(row[cols.target])
		parsed.edges = append(parsed.edges, e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if cols.width == 0 {
		return nil, fault("the file is empty")
	}
	if slices.ContainsFunc(titles, func(word string) bool { _, ok := x[word]; return ok }) { // so they are vertices
		parsed.edges = append(parsed.edges, parsedEdge{i: vertex(titles[0]), j: vertex(titles[1]), weight: 1, line: first})
	}
	parsed.sortNaturally()
	return parsed, nil
}

// edgeColumns says where things stand in the rows of an edge list, from 0.
type edgeColumns struct {
	width, source, target int
	weight                int                   // −1 if there is none
	numbers               [len(edgeNumbers)]int // −1 where there are none
	kind                  int                   // directed or undirected; −1 if no column says so
}

// edge reads the numbers of a row; its ends are left to be numbered.
func (cols edgeColumns) edge(row []string, line int, decimalComma bool) (e parsedEdge, err error) {
	e = parsedEdge{weight: 1, line: line}
	for _, c := range []int{cols.source, cols.target} {
		if err := checkName(row[c]); err != nil {
			return e, faultAt(line, c+1, "the name of a vertex is missing")
		}
	}
	if cols.weight >= 0 {
		var wrong string
		if e.weight, wrong = parseWeight(row[cols.weight], decimalComma); wrong != "" {
			return e, faultAt(line, cols.weight+1, "%s", wrong)
		}
	}
	for k, c := range cols.numbers {
		if c < 0 {
			continue
		}
		if wrong := e.readNumber(k, row[c], decimalComma); wrong != "" {
			return e, faultAt(line, c+1, "%s", wrong)
		}
	}
	if wrong := e.checkInterval(); wrong != "" {
		return e, faultAt(line, cols.numbers[ofEvidence]+1, "%s", wrong)
	}
	return e, nil
}

// endWords are what headers call the ends of an edge.
var endWords = [][2]string{{"source", "target"}, {"from", "to"}, {"src", "dst"}, {"u", "v"}, {"i", "j"}, {"node1", "node2"}}

// edgeListColumns reads the first row. It is a header if it has two words for
// the ends and, where a weight would be, a word for that.
func edgeListColumns(row []string, line int) (cols edgeColumns, header bool, err error) {
	find := func(names ...string) int {
		return slices.IndexFunc(row, func(cell string) bool {
			return slices.ContainsFunc(names, func(word string) bool { return strings.EqualFold(cell, word) })
		})
	}
	var numbers [len(edgeNumbers)]int
	for k, number := range edgeNumbers {
		numbers[k] = find(number.name)
	}
	weight := find("weight", "w", "value")
	for _, ends := range endWords {
		source, target := find(ends[0]), find(ends[1])
		if source >= 0 && target >= 0 && (weight >= 0 || len(row) != 3) {
			if !isEvidence(func(k int) bool { return numbers[k] >= 0 }) {
				for k := ofEvidence; k < len(numbers); k++ {
					numbers[k] = -1
				}
			}
			return edgeColumns{len(row), source, target, weight, numbers, find("type")}, true, nil
		}
	}
	for k := range numbers {
		numbers[k] = -1 // what looks like one is the name of a vertex
	}
	switch len(row) {
	case 2:
		return edgeColumns{2, 0, 1, -1, numbers, -1}, false, nil
	case 3:
		return edgeColumns{3, 0, 1, 2, numbers, -1}, false, nil
	}
	return cols, false, faultAt(line, 0,
		"this row has %s: an edge list has the columns source, target, weight; from signals, learn a graph first",
		words.Plural(len(row), "cell"))
}

// sortNaturally puts vertices into the order of their numbers if all are named
// v0, v1, … as vertices without names are; otherwise they stay.
func (parsed *parsedGraph) sortNaturally() {
	number := make([]int, len(parsed.names))
	for i, name := range parsed.names {
		digits, ok := strings.CutPrefix(name, "v")
		n, err := strconv.Atoi(digits)
		if !ok || err != nil || strconv.Itoa(n) != digits || n < 0 {
			return
		}
		number[i] = n
	}
	order := matrix.Sorted(len(number), func(a, b int) int { return cmp.Compare(number[a], number[b]) })
	to, names := make([]int, len(order)), make([]string, len(order))
	for k, i := range order {
		to[i], names[k] = k, parsed.names[i]
	}
	parsed.names = names
	for k, e := range parsed.edges {
		parsed.edges[k].i, parsed.edges[k].j = to[e.i], to[e.j]
	}
}
