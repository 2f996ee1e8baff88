package dataio

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/fuzzing"
)

// longestInput is how much of an input is looked at; more of it is slower and says no more.
const longestInput = 4 << 10

// builtGraphs are the formats of which graphs are built, each by a writer that is not the
// one of the package, and read by another reader, too.
var builtGraphs = map[Format]func(*fuzzing.Choices, *plainGraph) []byte{
	GraphML: buildGraphML, GEXF: buildGEXF, NodeLink: buildNodeLink, MatrixMarket: buildMatrixMarket, CSV: buildEdgeList,
}

// chooseGraph returns any graph of a few vertices. Whether a format says that it is directed
// and has names is up to that.
func chooseGraph(c *fuzzing.Choices) *plainGraph {
	g := &plainGraph{directed: c.Bool(), names: c.Names(1 + c.Int(6))}
	withConfidence := c.Bool()
	withEvidence := withConfidence && c.Bool() && !g.directed // so that seeds without it stay what they are
	for i, from := range g.names {
		for j, to := range g.names {
			if i == j || !g.directed && i > j || !c.Bool() {
				continue
			}
			e := newPlainEdge(from, to, math.Abs(c.Number()))
			if e.weight == 0 {
				e.weight = 1
			}
			if withConfidence {
				e.confidence = float64(c.Int(101)) / 100
			}
			if withEvidence {
				ends := []float64{float64(c.Int(201)-100) / 100, float64(c.Int(201)-100) / 100, float64(c.Int(201)-100) / 100}
				slices.Sort(ends)
				e.evidence = []float64{ends[1], ends[0], ends[2], float64(c.Int(101)) / 100}
			}
			g.edges = append(g.edges, e)
		}
	}
	return g
}

// numbers yields what is known of an edge, by the place in plainNames.
func (e *plainEdge) numbers() iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		if e.confidence >= 0 && !yield(0, e.confidence) {
			return
		}
		for k, v := range e.evidence {
			if !yield(1+k, v) {
				return
			}
		}
	}
}

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}

// quoted is an attribute of XML.
func quoted(c *fuzzing.Choices, name, value string) string {
	if c.Bool() {
		return fmt.Sprintf("%s='%s' ", name, escaped(value))
	}
	return fmt.Sprintf(" %s = \"%s\"", name, escaped(value))
}

// xmlNoise is what readers skip.
func xmlNoise(c *fuzzing.Choices) string {
	return fuzzing.Pick(c, "", "\n", " \t", "<!-- <node id='none'/> -->", "<?note here?>", "text", "<unknown a='b'>more</unknown>", "<![CDATA[<node/>]]>")
}

// xmlHead is how a document starts.
func xmlHead(c *fuzzing.Choices) string {
	return fuzzing.Pick(c, "", xml.Header, "<?xml version='1.0' encoding='utf-8'?>\n", "\n<?xml version=\"1.0\" standalone=\"yes\" ?>")
}

func buildGraphML(c *fuzzing.Choices, g *plainGraph) []byte {
	var b bytes.Buffer
	weight := fuzzing.Pick(c, "weight", "d0", "key 1")
	head := strings.TrimLeft(xmlHead(c), "\n")
	fmt.Fprintf(&b, "%s<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">%s", head, xmlNoise(c))
	fmt.Fprintf(&b, "<key %s%s attr.type='double'%s/>", quoted(c, "id", weight), quoted(c, "for", "edge"), quoted(c, "attr.name", "weight"))
	for k, name := range plainNames {
		fmt.Fprintf(&b, "<key id='c%d' for='edge' attr.name='%s'/>", k, name)
	}
	b.WriteString("<key id='n' for='node' attr.name='about'/>")
	// Every edge says its direction if the document says another one.
	said := g.directed != c.Bool()
	standard := "undirected"
	if g.directed != said {
		standard = "directed"
	}
	fmt.Fprintf(&b, "<graph %s>", quoted(c, "edgedefault", standard))
	var nodes, edges []string
	for _, name := range g.names {
		nodes = append(nodes, fmt.Sprintf("<node %s>%s<data key='n'>x</data></node>%s", quoted(c, "id", name), xmlNoise(c), xmlNoise(c)))
	}
	for _, e := range g.edges {
		direction := ""
		if said {
			direction = quoted(c, "directed", fmt.Sprint(g.directed))
		}
		text := fmt.Sprintf("<edge %s %s %s>%s", quoted(c, "source", e.from), quoted(c, "target", e.to), direction, xmlNoise(c))
		if e.weight != 1 || c.Bool() {
			text += fmt.Sprintf("<data %s>%s%v</data>", quoted(c, "key", weight), fuzzing.Pick(c, "", "\n "), e.weight)
		}
		for k, v := range e.numbers() {
			text += fmt.Sprintf("<data key='c%d'>%v</data>", k, v)
		}
		edges = append(edges, text+"</edge>")
	}
	if c.Bool() { // edges may come before the vertices that they join
		nodes, edges = edges, nodes
	}
	fmt.Fprintf(&b, "%s%s</graph></graphml>%s", strings.Join(nodes, ""), strings.Join(edges, ""), fuzzing.Pick(c, "", "\n", "<!-- end -->"))
	return b.Bytes()
}

func buildGEXF(c *fuzzing.Choices, g *plainGraph) []byte {
	var b bytes.Buffer
	id := map[string]string{}
	numbered := c.Bool() // identifiers are numbers, and the names are labels
	fmt.Fprintf(&b, "%s<gexf version='1.2'>%s<graph %s>", strings.TrimLeft(xmlHead(c), "\n"), xmlNoise(c), quoted(c, "defaultedgetype", directionText(g.directed)))
	b.WriteString("<attributes class='edge'>")
	for k, name := range plainNames {
		fmt.Fprintf(&b, "<attribute id='%d' title='%s' type='double'/>", 7+k, strings.ToUpper(name))
	}
	b.WriteString("</attributes><nodes>")
	for i, name := range g.names {
		if id[name] = name; numbered {
			id[name] = fmt.Sprint(i)
		}
		fmt.Fprintf(&b, "<node %s %s/>%s", quoted(c, "id", id[name]), quoted(c, "label", name), xmlNoise(c))
	}
	b.WriteString("</nodes><edges>")
	for k, e := range g.edges {
		kind := ""
		if c.Bool() {
			kind = quoted(c, "type", directionText(g.directed))
		}
		fmt.Fprintf(&b, "<edge id='%d' %s %s weight='%v' %s>", k, quoted(c, "source", id[e.from]), quoted(c, "target", id[e.to]), e.weight, kind)
		b.WriteString("<attvalues>")
		for k, v := range e.numbers() {
			fmt.Fprintf(&b, "<attvalue for='%d' value='%v'/>", 7+k, v)
		}
		b.WriteString("</attvalues></edge>")
	}
	b.WriteString("</edges></graph></gexf>")
	return b.Bytes()
}

func directionText(directed bool) string {
	if directed {
		return "directed"
	}
	return "undirected"
}

func buildNodeLink(c *fuzzing.Choices, g *plainGraph) []byte {
	file := map[string]any{"directed": g.directed, "multigraph": false, "graph": map[string]any{"nodes": 3}}
	nodes, edges := []any{}, []any{}
	for k, name := range g.names {
		node := map[string]any{"id": name}
		if c.Bool() {
			node[fuzzing.Pick(c, "about", "ID", "x")] = fuzzing.Pick[any](c, "text", k, true, nil, []any{1}, map[string]any{"id": 2})
		}
		nodes = append(nodes, node)
	}
	for _, e := range g.edges {
		edge := map[string]any{"source": e.from, "target": e.to}
		if e.weight != 1 || c.Bool() {
			edge["weight"] = e.weight
		}
		for k, v := range e.numbers() {
			edge[plainNames[k]] = v
		}
		if c.Bool() {
			edge[fuzzing.Pick(c, "key", "id", "note")] = fuzzing.Pick[any](c, 1, "source", nil)
		}
		edges = append(edges, edge)
	}
	file["nodes"], file[fuzzing.Pick(c, "edges", "links")] = nodes, edges
	data, _ := json.Marshal(file)
	if c.Bool() {
		data, _ = json.MarshalIndent(file, "", "\t")
	}
	return data
}

// buildMatrixMarket writes vertices by their numbers, as which they are then known.
func buildMatrixMarket(c *fuzzing.Choices, g *plainGraph) []byte {
	number := map[string]int{}
	for i, name := range g.names {
		number[name] = i
	}
	weight := map[[2]string]float64{}
	for _, e := range g.edges {
		weight[[2]string{e.from, e.to}] = e.weight
	}
	if g.directed && !slices.ContainsFunc(g.edges, func(e plainEdge) bool { return !nearlySame(e.weight, weight[[2]string{e.to, e.from}]) }) {
		g.edges = g.edges[:max(len(g.edges)-1, 0)] // or else the matrix is symmetric
	}
	var b bytes.Buffer
	full := g.directed || c.Bool()
	pattern := !slices.ContainsFunc(g.edges, func(e plainEdge) bool { return e.weight != 1 }) && c.Bool()
	fmt.Fprintf(&b, "%s matrix coordinate %s %s%s", fuzzing.Pick(c, "%%MatrixMarket", "%%matrixmarket"),
		map[bool]string{true: "pattern", false: fuzzing.Pick(c, "real", "Real", "double")}[pattern],
		map[bool]string{true: "general", false: "symmetric"}[full], fuzzing.Pick(c, "\n", "\r\n", "\n% a comment\n", "\n\n%\n"))
	count := len(g.edges)
	if full && !g.directed {
		count *= 2
	}
	fmt.Fprintf(&b, "%d %d\t%d\n", len(g.names), len(g.names), count)
	entry := func(i, j int, w float64) {
		fmt.Fprintf(&b, "%s%d %d", fuzzing.Pick(c, "", " ", "% note\n"), i+1, j+1)
		if !pattern {
			fmt.Fprintf(&b, " %v", w)
		}
		b.WriteString(fuzzing.Pick(c, "\n", " \r\n", "\n\n"))
	}
	for k, e := range g.edges {
		i, j := number[e.from], number[e.to]
		switch {
		case g.directed:
			entry(i, j, e.weight)
		case full:
			entry(i, j, e.weight)
			entry(j, i, e.weight)
		default:
			entry(max(i, j), min(i, j), e.weight)
		}
		g.edges[k] = newPlainEdge(fmt.Sprint("v", i), fmt.Sprint("v", j), e.weight)
	}
	return b.Bytes()
}

// nearlySame reports whether weights may differ by no more than rounding.
func nearlySame(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(a, b) }

// buildEdgeList writes a column that says the direction, without which a list does not.
func buildEdgeList(c *fuzzing.Choices, g *plainGraph) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	header := []string{"source", "target", "weight", "type", "note"}
	if len(g.edges) > 0 {
		for k := range g.edges[0].numbers() {
			header = append(header, plainNames[k])
		}
	}
	turn := c.Int(len(header)) // the header puts columns where it likes
	row := func(cells []string) { _ = w.Write(append(slices.Clone(cells[turn:]), cells[:turn]...)) }
	row(header)
	trimmed := func(name string) string { return cmp.Or(strings.TrimSpace(strings.ReplaceAll(name, "\r", "")), "?") }
	seen := map[string]bool{}
	for _, name := range g.names {
		seen[trimmed(name)] = true
	}
	for k, e := range g.edges {
		if len(seen) < len(g.names) { // names that do not differ by more than what is trimmed
			e.from, e.to = strings.ReplaceAll(fmt.Sprintf("%x", e.from), " ", ""), strings.ReplaceAll(fmt.Sprintf("%x", e.to), " ", "")
		} else {
			e.from, e.to = trimmed(e.from), trimmed(e.to)
		}
		g.edges[k] = e
		cells := []string{e.from, e.to, fmt.Sprint(e.weight), directionText(g.directed), c.Text()}
		for _, v := range e.numbers() {
			cells = append(cells, fmt.Sprint(v))
		}
		row(cells)
	}
	w.Flush()
	return b.Bytes()
}

// fastGraph reads a graph as the package does. What is wrong with it is a sentence.
func fastGraph(t *testing.T, f Format, data []byte, withNames bool) *plainGraph {
	t.Helper()
	g, err := DecodeGraphFile(bytes.NewReader(data), "built", f)
	if err != nil {
		checkSentence(t, err)
		return nil
	}
	return plain(g.Graph, withNames)
}

// checkSentence checks how a file is refused.
func checkSentence(t *testing.T, err error) {
	t.Helper()
	if wrong := notASentence(err); wrong != "" {
		t.Fatal(wrong)
	}
}

// gzipper makes no memory again for each file.
var gzipper, _ = gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)

func packedQuickly(data []byte) []byte {
	var b bytes.Buffer
	gzipper.Reset(&b)
	_, _ = gzipper.Write(data)
	_ = gzipper.Close()
	return b.Bytes()
}

// packedAndDamaged returns a compressed file with something wrong with it; nil if it is no
// such file any more, or all of it twice, which is a file like any other.
func packedAndDamaged(data, harm []byte) []byte {
	packed := packedQuickly(data)
	damaged := fuzzing.By(harm).Damage(packed)
	if !bytes.HasPrefix(damaged, []byte("\x1f\x8b")) || bytes.Count(damaged, packed) > 1 {
		return nil
	}
	return damaged
}

// A graph that another writer has written reads as what was put in. Damaged, it reads as by
// another reader, if both read it; and compressed and damaged, as it was, or not at all.
func FuzzBuiltGraph(f *testing.F) {
	formats := []Format{GraphML, GEXF, NodeLink, MatrixMarket, CSV}
	for k := range formats {
		f.Add(uint8(k), []byte{}, []byte{})
		f.Add(uint8(k), []byte("\x01\x03\x01\x01\x02\x01\x02\x00\x01\x01\x00\x05\x20\x01\x01\x40\x10\x01\x03\x01\x01\x01\x01\x01\x00"), []byte{2, 50, 8, 3})
		f.Add(uint8(k), []byte("\x00\x04\x03abc\x02de\x01f\x08ghijklmn\x00\x01\x01\x05\x01\x02\x07\x01\x00\x09\x01"), []byte{0, 90, 5, 9})
	}
	f.Fuzz(func(t *testing.T, which uint8, recipe, harm []byte) {
		format := formats[int(which)%len(formats)]
		c := fuzzing.By(recipe)
		want := chooseGraph(c)
		data := builtGraphs[format](c, want)
		withNames := format.Can(KeepsNames) && format.Can(KeepsIsolated) && format != MatrixMarket
		if !withNames {
			want.names = nil
		}
		if got := fastGraph(t, format, data, withNames); got == nil || got.String() != want.String() {
			t.Fatalf("%q: got %v, want %v", data, got, want)
		}
		damaged := fuzzing.By(harm).Damage(data)
		if got, other := fastGraph(t, format, damaged, withNames), slowGraph(format, damaged); got != nil && other != nil && got.String() != other.String() {
			t.Errorf("%q: %v, but read in another way %v", damaged, got, other)
		}
		packed := packedAndDamaged(data, harm)
		if packed == nil {
			return
		}
		if got := fastGraph(t, format, packed, withNames); got != nil && got.String() != want.String() {
			t.Errorf("compressed and damaged, it is %v, not %v", got, want)
		}
	})
}

// Whatever a file holds, it is a graph or refused; a graph can be written and reads back as the
// same, and another reader agrees with it.
func FuzzReadGraph(f *testing.F) {
	formats := Formats(ReadsGraphs)
	for k, format := range formats {
		for _, g := range []*graph.Graph{pathGraph(f), awkwardGraph(f), confident(f, pathGraph(f)), evident(f, pathGraph(f)), evident(f, confident(f, pathGraph(f))), arrowGraph(f)} {
			var b bytes.Buffer
			if err := EncodeGraph(&b, format, g); err != nil {
				f.Fatal(err)
			}
			f.Add(b.Bytes(), uint8(k))
		}
	}
	for _, format := range formatsWithVertices {
		var b bytes.Buffer
		if err := awkwardFile(f).Encode(&b, format); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes(), uint8(slices.Index(formats, format)))
	}
	for format, text := range map[Format]string{
		CSV: "a b\n", NodeLink: `{"nodes":[{"id":1}],"links":[{"source":1,"target":1}]}`,
		MatrixMarket: "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n",
	} {
		f.Add([]byte(text), uint8(slices.Index(formats, format)))
	}
	f.Fuzz(func(t *testing.T, file []byte, k uint8) {
		format := formats[int(k)%len(formats)]
		file = file[:min(len(file), longestInput)]
		read, err := DecodeGraphFile(bytes.NewReader(file), "fuzz", format)
		if err != nil {
			checkSentence(t, err)
			return
		}
		g := read.Graph
		if (format == NPY || format == MAT) && g.Vertices() == 0 || g.Vertices() > 1<<8 {
			return
		}
		if other := slowGraph(format, file); other != nil && format != MatrixMarket { // whose comments may name vertices
			if got := plain(g, other.names != nil); got.String() != other.String() {
				t.Errorf("%q: %v, but read in another way %v", file, got, other)
			}
		}
		checkGraphReadsBack(t, read, format)
	})
}

// checkGraphReadsBack writes a graph in the format that it was read from, and reads that.
func checkGraphReadsBack(t *testing.T, read *GraphFile, format Format) {
	t.Helper()
	g := read.Graph
	var b bytes.Buffer
	if err := read.Encode(&b, format); err != nil {
		t.Fatal(err)
	}
	again, err := DecodeGraphFile(bytes.NewReader(b.Bytes()), "again", format)
	if err != nil {
		t.Fatal(err)
	}
	if read.Vertices != nil && !sameKnowledge(read.Vertices, again.Vertices) {
		t.Errorf("%s: %+v became %+v", format, read.Vertices, again.Vertices)
	}
	if g.Directed() && !again.Graph.Directed() { // an edge list may not show it
		if !read.LosesDirection(format) && g.EdgeCount() > 0 {
			t.Errorf("%s: direction was lost without a word", format)
		}
		return
	}
	back, err := DecodeGraph(&b, "back", format, g.Names())
	if err != nil {
		t.Fatal(err)
	}
	if !sameGraph(g, back) {
		t.Errorf("%s: %v became %v", format, plain(g, true), plain(back, true))
	}
}
