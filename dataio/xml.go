package dataio

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/nervure/nervure/input"
)

// An xmlWriter collects a document. The first text that XML cannot hold is its error.
type xmlWriter struct {
	bytes.Buffer
	err error
}

// printf adds to the document, with texts escaped, line ends included, so that they read
// back exactly. Control characters have no place in XML.
func (w *xmlWriter) printf(format string, args ...any) {
	for k, arg := range args {
		s, ok := arg.(string)
		if !ok {
			continue
		}
		control := func(c rune) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xFFFE || c == 0xFFFF }
		if strings.ContainsFunc(s, control) && w.err == nil {
			w.err = fault("the text %s has a character that XML cannot hold", quote(s))
		}
		var b strings.Builder
		_ = xml.EscapeText(&b, []byte(s)) // into memory
		args[k] = b.String()
	}
	fmt.Fprintf(w, format, args...)
}

// end writes the document.
func (w *xmlWriter) end(to io.Writer) error {
	if w.err != nil {
		return w.err
	}
	_, err := w.WriteTo(to)
	return err
}

// xmlType is what XML formats call the type of a column.
func (c *VertexColumn) xmlType() string {
	if c.Numbers != nil {
		return "double"
	}
	return "string"
}

// eachElement calls visit for every element with its line. visit may decode the
// element, and then its children are not visited. The document must be a root.
func eachElement(r io.Reader, root string, visit func(d *xml.Decoder, e xml.StartElement, line int) error) error {
	b := bufio.NewReader(r)
	if err := checkXMLVersion(b); err != nil {
		return err
	}
	source := &errorKeeper{r: b}
	tokens := xml.NewDecoder(source)
	tokens.CharsetReader = func(string, io.Reader) (io.Reader, error) {
		return nil, fault("the XML is in another encoding than UTF-8: save it as UTF-8")
	}
	d := xml.NewTokenDecoder(&strictTokens{Decoder: tokens, homes: homes[root]})
	for first := true; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if first {
				return fault("the file is empty")
			}
			return nil
		}
		if err != nil {
			return xmlFault(err, source.err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		line, _ := tokens.InputPos()
		if first && e.Name.Local != root {
			return faultAt(line, 0, "this starts with <%s>, so it is not a %s file", e.Name.Local, root)
		}
		first = false
		if err := visit(d, e, line); err != nil {
			return xmlFault(err, source.err)
		}
	}
}

// homes are the elements that vertices, edges and lists of them stand in, by the root of
// the document. Others pass over those that stand elsewhere.
var homes = map[string]map[string][]string{
	"gexf":    {"nodes": {"graph", "node"}, "edges": {"graph", "node"}, "node": {"nodes"}, "edge": {"edges"}},
	"graphml": {"node": {"graph"}, "edge": {"graph"}},
}

// strictTokens are the tokens of a document none of whose elements has an attribute twice,
// and whose vertices and edges are at home. Go's decoder does not mind, and readers disagree
// about what counts.
type strictTokens struct {
	*xml.Decoder
	homes map[string][]string
	open  []string // elements
}

func (s *strictTokens) Token() (xml.Token, error) {
	token, err := s.Decoder.Token()
	switch e := token.(type) {
	case xml.EndElement:
		s.open = s.open[:len(s.open)-1]
	case xml.StartElement:
		line, _ := s.InputPos()
		seen := make(map[xml.Name]bool, len(e.Attr))
		for _, a := range e.Attr {
			if seen[a.Name] {
				return nil, faultAt(line, 0, "the XML is broken: <%s> has the attribute %s twice", e.Name.Local, quote(a.Name.Local))
			}
			seen[a.Name] = true
		}
		if home := s.homes[e.Name.Local]; home != nil && len(s.open) > 0 && !slices.Contains(home, s.open[len(s.open)-1]) {
			return nil, faultAt(line, 0, "<%s> is not in <%s>: move it there", e.Name.Local, home[0])
		}
		s.open = append(s.open, e.Name.Local)
	}
	return token, err
}

var xmlVersion = regexp.MustCompile(`^(?:\x{FEFF})?\s*<\?xml\s+version=(?:"([^"]+)"|'([^']+)')`)

// checkXMLVersion refuses a version that the decoder does not know.
func checkXMLVersion(r *bufio.Reader) error {
	start, _ := r.Peek(256) // a fault is met again in reading
	if m := xmlVersion.FindSubmatch(start); m != nil {
		if version := string(m[1]) + string(m[2]); version != "1.0" {
			return fault("the XML cannot be understood: unsupported version %q; only version 1.0 is supported", version)
		}
	}
	return nil
}

// An errorKeeper keeps the error that reading ended with.
type errorKeeper struct {
	r   io.Reader
	err error
}

func (k *errorKeeper) Read(p []byte) (int, error) {
	n, err := k.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		k.err = err
	}
	return n, err
}

// xmlFault puts errors of the decoder into words. Our own, and the one with which
// reading ended, unless that is nil, stay.
func xmlFault(err, reading error) error {
	if e, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return faultAt(e.Line, 0, "the XML is broken or cut short: %s", e.Msg)
	}
	if e := input.Find(err); e != nil {
		return e
	}
	if reading != nil {
		return err
	}
	return fault("the XML cannot be understood: %s", err)
}

// attr returns the value of an attribute, or "".
func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// An xmlKey is an attribute that a file declares: its identifier, and its value
// where none is given.
type xmlKey struct{ id, fallback string }

// An xmlGraph is a graph as its elements tell it, one after the other.
type xmlGraph struct {
	parsedGraph
	standard direction // of edges that do not say
	joined   []namedEdge

	columns  map[string]string        // what is known about vertices: identifiers to names
	defaults []xmlKey                 // of these, by name
	weights  xmlKey                   // the attribute of edges that is their weight
	isWeight map[string]bool          // by identifier: NetworkX has one for whole numbers and one for others
	numbers  [len(edgeNumbers)]xmlKey // those that are their numbers
}

func newXMLGraph() *xmlGraph {
	return &xmlGraph{
		parsedGraph: parsedGraph{names: []string{}},
		standard:    undirected,
		columns:     map[string]string{},
		isWeight:    map[string]bool{},
	}
}

// declare notes an attribute of a name that the file declares, of vertices or of edges or
// of both.
func (g *xmlGraph) declare(d *xml.Decoder, e xml.StartElement, name string, ofVertices, ofEdges bool) error {
	var k struct {
		Default string `xml:"default"`
	}
	if err := d.DecodeElement(&k, &e); err != nil {
		return err
	}
	one := xmlKey{attr(e, "id"), strings.TrimSpace(k.Default)}
	if ofVertices {
		g.columns[one.id] = name
		g.defaults = append(g.defaults, xmlKey{name, one.fallback})
	}
	if !ofEdges {
		return nil
	}
	if strings.EqualFold(name, "weight") {
		g.weights, g.isWeight[one.id] = xmlKey{one.id, cmp.Or(one.fallback, g.weights.fallback)}, true
	}
	for k, number := range edgeNumbers {
		if strings.EqualFold(name, number.name) {
			g.numbers[k] = one
		}
	}
	return nil
}

// newEdge starts an edge that has no values of its own yet.
func (g *xmlGraph) newEdge(e xml.StartElement, weight string, line int) namedEdge {
	one := namedEdge{source: attr(e, "source"), target: attr(e, "target"), weight: weight, line: line}
	for k, key := range g.numbers {
		one.numbers[k] = key.fallback
	}
	return one
}

// knowOf notes a number of an edge, if the identifier is that of one.
func (g *xmlGraph) knowOf(one *namedEdge, id, text string) {
	if k := slices.IndexFunc(g.numbers[:], func(key xmlKey) bool { return key.id == id }); k >= 0 && id != "" {
		one.numbers[k] = text
	}
}

// know notes what is known about the last vertex under an identifier.
func (g *xmlGraph) know(id, text string) {
	if name := g.columns[id]; name != "" && len(g.names) > 0 {
		g.attributes.set(len(g.names)-1, name, text)
	}
}

// finish joins the edges to the vertices, whose names are their identifiers up to now.
func (g *xmlGraph) finish() (*parsedGraph, error) {
	for _, k := range g.defaults {
		g.attributes.setDefault(len(g.names), k.id, k.fallback)
	}
	g.direction = cmp.Or(g.direction, g.standard)
	return &g.parsedGraph, g.addEdges(g.joined, g.names)
}
