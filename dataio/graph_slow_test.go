package dataio

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/graph"
)

// A plainGraph is a graph as readers in tests have it: nothing is checked, and edges are in
// no order.
type plainGraph struct {
	directed bool
	names    []string // of the vertices in order; nil if the format does not say
	edges    []plainEdge
}

type plainEdge struct {
	from, to   string
	weight     float64
	confidence float64   // -1 for none
	evidence   []float64 // partial, low, high and q; nil for none
}

// newPlainEdge is an edge of which no more is known.
func newPlainEdge(from, to string, weight float64) plainEdge {
	return plainEdge{from: from, to: to, weight: weight, confidence: -1}
}

// plainNames are the numbers of an edge but for its weight, in the order of plainEdge.
var plainNames = []string{"confidence", "partial", "low", "high", "q"}

// know notes the numbers of an edge that are given by their names. It reports whether these are
// numbers, and all of those that come together.
func (e *plainEdge) know(texts map[string]string) bool {
	var evidence []float64
	for _, name := range plainNames {
		text, given := texts[name]
		if !given {
			continue
		}
		v, ok := number(text)
		if !ok {
			return false
		}
		if name == "confidence" {
			e.confidence = v
		} else {
			evidence = append(evidence, v)
		}
	}
	e.evidence = evidence
	return len(evidence) == 0 || len(evidence) == 4
}

// String is the graph in words that differ if anything does.
func (g *plainGraph) String() string {
	var lines []string
	for _, e := range g.edges {
		if e.weight == 0 {
			continue // which is no edge
		}
		if !g.directed && e.from > e.to {
			e.from, e.to = e.to, e.from
		}
		if g.directed {
			e.evidence = nil // which arrows do not have
		}
		lines = append(lines, fmt.Sprintf("%q %q %v %v %v", e.from, e.to, e.weight, e.confidence, e.evidence))
	}
	slices.Sort(lines)
	directed := g.directed && len(lines) > 0 // without edges, a matrix does not say
	return fmt.Sprintf("%t %q\n%s", directed, g.names, strings.Join(lines, "\n"))
}

// plain is a graph that was read, in the same form.
func plain(g *graph.Graph, withNames bool) *plainGraph {
	names := g.Names()
	p := &plainGraph{directed: g.Directed()}
	if withNames {
		p.names = names
	}
	confidence, evidence := g.Confidence(), g.Evidence()
	for k, e := range g.Edges() {
		one := newPlainEdge(names[e.I], names[e.J], e.Weight)
		if confidence != nil {
			one.confidence = confidence[k]
		}
		if evidence != nil {
			v := evidence[k]
			one.evidence = []float64{v.Partial, v.Low, v.High, v.Q}
		}
		p.edges = append(p.edges, one)
	}
	return p
}

// slowGraph reads a graph in another way than the package does: whole documents into structs,
// maps or records. It returns nil for what it does not know.
func slowGraph(f Format, data []byte) *plainGraph {
	switch f {
	case GraphML:
		return slowGraphML(data)
	case GEXF:
		return slowGEXF(data)
	case NodeLink:
		return slowNodeLink(data)
	case MatrixMarket:
		return slowMatrixMarket(data)
	case CSV:
		return slowEdgeList(data)
	}
	return nil
}

// number reads one that every program reads alike.
func number(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if strings.ContainsAny(text, "xX_pP") {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// isArrow reports whether a word at an edge makes it an arrow.
func isArrow(word, arrow, none string, standard bool) bool {
	switch strings.ToLower(word) {
	case arrow:
		return true
	case none:
		return false
	}
	return standard
}

// unmarshalXML reads all of a document into a struct.
func unmarshalXML(data []byte, into any) bool {
	d := xml.NewDecoder(bytes.NewReader(data))
	return d.Decode(into) == nil
}

func slowGraphML(data []byte) *plainGraph {
	var file struct {
		XMLName xml.Name `xml:"graphml"`
		Keys    []struct {
			ID      string `xml:"id,attr"`
			For     string `xml:"for,attr"`
			Name    string `xml:"attr.name,attr"`
			Default string `xml:"default"`
		} `xml:"key"`
		Graphs []struct {
			Default string `xml:"edgedefault,attr"`
			Nodes   []struct {
				ID string `xml:"id,attr"`
			} `xml:"node"`
			Edges []struct {
				Source   string `xml:"source,attr"`
				Target   string `xml:"target,attr"`
				Directed string `xml:"directed,attr"`
				Data     []struct {
					Key   string `xml:"key,attr"`
					Value string `xml:",chardata"`
				} `xml:"data"`
			} `xml:"edge"`
		} `xml:"graph"`
	}
	if !unmarshalXML(data, &file) || len(file.Graphs) != 1 {
		return nil
	}
	weight, declared := "weight", map[string]int{}
	meaning := map[string]string{"confidence": "confidence"} // which is taken for what it is called
	for _, k := range file.Keys {
		if k.For == "node" {
			continue
		}
		if k.For != "edge" || strings.TrimSpace(k.Default) != "" {
			return nil
		}
		name := strings.ToLower(k.Name)
		switch declared[name]++; {
		case declared[name] > 1 && (name == "weight" || slices.Contains(plainNames, name)):
			return nil
		case name == "weight":
			weight = k.ID
		case name == "confidence":
			delete(meaning, "confidence")
			fallthrough
		case slices.Contains(plainNames, name):
			if meaning[k.ID] != "" {
				return nil // of two readings none is better
			}
			meaning[k.ID] = name
		}
	}
	if meaning[weight] != "" {
		return nil
	}
	in := file.Graphs[0]
	g := &plainGraph{directed: in.Default == "directed"}
	for _, n := range in.Nodes {
		g.names = append(g.names, n.ID)
	}
	for k, e := range in.Edges {
		arrow := isArrow(e.Directed, "true", "false", in.Default == "directed")
		if k > 0 && arrow != g.directed {
			return nil
		}
		g.directed = arrow
		one, texts := newPlainEdge(e.Source, e.Target, 1), map[string]string{}
		for _, d := range e.Data {
			var ok bool
			if d.Key != weight {
				texts[meaning[d.Key]] = d.Value
			} else if one.weight, ok = number(d.Value); !ok {
				return nil
			}
		}
		if !one.know(texts) {
			return nil
		}
		g.edges = append(g.edges, one)
	}
	return g
}

func slowGEXF(data []byte) *plainGraph {
	var file struct {
		XMLName xml.Name `xml:"gexf"`
		Graph   []struct {
			Default    string `xml:"defaultedgetype,attr"`
			Attributes []struct {
				Class string `xml:"class,attr"`
				List  []struct {
					ID      string `xml:"id,attr"`
					Title   string `xml:"title,attr"`
					Default string `xml:"default"`
				} `xml:"attribute"`
			} `xml:"attributes"`
			Nodes []struct {
				ID    string `xml:"id,attr"`
				Label string `xml:"label,attr"`
			} `xml:"nodes>node"`
			Edges []struct {
				Source string `xml:"source,attr"`
				Target string `xml:"target,attr"`
				Type   string `xml:"type,attr"`
				Weight string `xml:"weight,attr"`
				Values []struct {
					For   string `xml:"for,attr"`
					Value string `xml:"value,attr"`
				} `xml:"attvalues>attvalue"`
			} `xml:"edges>edge"`
		} `xml:"graph"`
	}
	if !unmarshalXML(data, &file) || len(file.Graph) != 1 || bytes.Count(data, []byte("<nodes")) > 1 { // which may be in each other
		return nil
	}
	in := file.Graph[0]
	meaning, declared := map[string]string{}, map[string]bool{}
	for _, class := range in.Attributes {
		for _, a := range class.List {
			title := strings.ToLower(a.Title)
			if class.Class != "edge" || !slices.Contains(plainNames, title) {
				continue
			}
			if meaning[a.ID] != "" || declared[title] || a.ID == "" || a.Default != "" {
				return nil // of two readings none is better
			}
			meaning[a.ID], declared[title] = title, true
		}
	}
	g, name, labels := &plainGraph{directed: in.Default == "directed"}, map[string]string{}, map[string]bool{}
	for _, n := range in.Nodes {
		labels[n.Label] = true
	}
	for _, n := range in.Nodes {
		name[n.ID] = n.ID
		if len(labels) == len(in.Nodes) && !labels[""] {
			name[n.ID] = n.Label
		}
		g.names = append(g.names, name[n.ID])
	}
	for k, e := range in.Edges {
		arrow := isArrow(e.Type, "directed", "undirected", in.Default == "directed")
		if k > 0 && arrow != g.directed {
			return nil
		}
		g.directed = arrow
		one, texts := newPlainEdge(name[e.Source], name[e.Target], 1), map[string]string{}
		var ok bool
		if e.Weight != "" {
			if one.weight, ok = number(e.Weight); !ok {
				return nil
			}
		}
		for _, v := range e.Values {
			texts[meaning[v.For]] = v.Value
		}
		if !one.know(texts) {
			return nil
		}
		g.edges = append(g.edges, one)
	}
	return g
}

func slowNodeLink(data []byte) *plainGraph {
	for _, key := range append([]string{"nodes", "edges", "links", "source", "target", "weight", "directed"}, plainNames...) {
		if len(regexp.MustCompile(`(?i)"`+key+`"`).FindAll(data, -1)) != bytes.Count(data, []byte(`"`+key+`"`)) {
			return nil // which is the same key here
		}
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var file map[string]any
	if d.Decode(&file) != nil {
		return nil
	}
	nodes, ok := file["nodes"].([]any)
	if !ok {
		return nil
	}
	g := &plainGraph{directed: file["directed"] == true}
	for _, n := range nodes {
		vertex, ok := n.(map[string]any)
		if !ok {
			return nil
		}
		g.names = append(g.names, fmt.Sprint(vertex["id"]))
	}
	edges, _ := file["edges"].([]any)
	links, _ := file["links"].([]any)
	for _, e := range append(edges, links...) {
		edge, ok := e.(map[string]any)
		if !ok {
			return nil
		}
		one, texts := newPlainEdge(fmt.Sprint(edge["source"]), fmt.Sprint(edge["target"]), 1), map[string]string{}
		if w, given := edge["weight"]; given {
			if one.weight, ok = number(fmt.Sprint(w)); !ok {
				return nil
			}
		}
		for _, name := range plainNames {
			if v, given := edge[name]; given {
				texts[name] = fmt.Sprint(v)
			}
		}
		if !one.know(texts) {
			return nil
		}
		g.edges = append(g.edges, one)
	}
	return g
}

// slowMatrixMarket fills a matrix with all of its entries. Vertices are called by their
// numbers from 0 on.
func slowMatrixMarket(data []byte) *plainGraph {
	lines := strings.Split(string(data), "\n")
	head := strings.Fields(strings.ToLower(lines[0]))
	if len(head) != 5 {
		return nil
	}
	var n, m, count int
	var w [][]float64
	for _, line := range lines[1:] {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '%' {
			continue
		}
		if w == nil {
			if k, _ := fmt.Sscanf(line, "%d %d %d", &n, &m, &count); k != 3 || n != m || n < 0 || n > 100 {
				return nil
			}
			w = make([][]float64, n)
			for i := range w {
				w[i] = make([]float64, n)
			}
			continue
		}
		fields := strings.Fields(line)
		if len(fields) < 2 {
			return nil
		}
		i, wrong := strconv.Atoi(fields[0])
		j, wrongToo := strconv.Atoi(fields[1])
		if wrong != nil || wrongToo != nil || min(i, j) < 1 || max(i, j) > n {
			return nil
		}
		v, ok := 1.0, true
		if head[3] != "pattern" {
			if len(fields) != 3 {
				return nil
			}
			v, ok = number(fields[2])
		}
		if !ok {
			return nil
		}
		w[i-1][j-1] += v // as SciPy has it
		if head[4] == "symmetric" && i != j {
			w[j-1][i-1] += v
		}
		count--
	}
	if count != 0 {
		return nil
	}
	g := &plainGraph{}
	for i := range w {
		for j := range w {
			if w[i][j] != w[j][i] && nearlySame(w[i][j], w[j][i]) {
				return nil
			}
			g.directed = g.directed || w[i][j] != w[j][i]
		}
	}
	for i := range w {
		for j := range w {
			if w[i][j] != 0 && (g.directed || i <= j) {
				g.edges = append(g.edges, newPlainEdge(fmt.Sprint("v", i), fmt.Sprint("v", j), w[i][j]))
			}
		}
	}
	return g
}

// slowEdgeList reads the lists whose header is source,target,weight and that have no pair twice
// or in both directions.
func slowEdgeList(data []byte) *plainGraph {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	rows, err := r.ReadAll()
	if err != nil || len(rows) == 0 {
		return nil
	}
	header := regexp.MustCompile(`^source,target,weight(,confidence)?(,partial,low,high,q)?$`)
	if !header.MatchString(strings.Join(rows[0], ",")) {
		return nil
	}
	g, seen := &plainGraph{}, map[[2]string]bool{}
	for _, row := range rows[1:] {
		if slices.ContainsFunc(row, func(cell string) bool { return strings.ContainsAny(cell, "\r") || cell != strings.TrimSpace(cell) }) {
			return nil
		}
		one, texts := newPlainEdge(row[0], row[1], 1), map[string]string{}
		if seen[[2]string{one.from, one.to}] || seen[[2]string{one.to, one.from}] {
			return nil
		}
		seen[[2]string{one.from, one.to}] = true
		var ok bool
		if one.weight, ok = number(row[2]); !ok {
			return nil
		}
		for k, text := range row[3:] {
			texts[rows[0][3+k]] = text
		}
		if !one.know(texts) {
			return nil
		}
		g.edges = append(g.edges, one)
	}
	return g
}
