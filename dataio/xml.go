package dataio

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/nervure/nervure/input"
)

// xmlText escapes text for elements and attributes, line ends included, so that
// it reads back exactly. Control characters have no place in XML.
func xmlText(s string) (string, error) {
	for _, c := range s {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xFFFE || c == 0xFFFF {
			return "", fault("the text %s has a character that XML cannot hold", quote(s))
		}
	}
	var b strings.Builder
	err := xml.EscapeText(&b, []byte(s))
	return b.String(), err
}

// xmlTexts escapes every name.
func xmlTexts(names []string) ([]string, error) {
	out := make([]string, len(names))
	for i, name := range names {
		var err error
		if out[i], err = xmlText(name); err != nil {
			return nil, err
		}
	}
	return out, nil
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

// A namedEdge is an edge by the identifiers of its ends, which may follow it.
type namedEdge struct {
	source, target, weight string // an empty weight is 1
	confidence             string // empty for none
	line                   int
}

// addEdges turns edges between identifiers into edges of the graph.
func (parsed *parsedGraph) addEdges(edges []namedEdge, x vertexIndex) error {
	for _, e := range edges {
		one := parsedEdge{weight: 1, line: e.line}
		var err error
		if one.i, err = x.find(e.source, e.line); err != nil {
			return err
		}
		if one.j, err = x.find(e.target, e.line); err != nil {
			return err
		}
		if e.weight != "" {
			var wrong string
			if one.weight, wrong = parseWeight(e.weight, false); wrong != "" {
				return faultAt(e.line, 0, "%s", wrong)
			}
		}
		if e.confidence != "" {
			if wrong := one.readConfidence(e.confidence, false); wrong != "" {
				return faultAt(e.line, 0, "%s", wrong)
			}
		}
		parsed.edges = append(parsed.edges, one)
	}
	return nil
}

// eachXMLColumn visits the columns with their names and types as XML writes them.
func (t *VertexTable) eachXMLColumn(visit func(k int, name, kind string)) error {
	if t == nil {
		return nil
	}
	for k, c := range t.Columns {
		name, err := xmlText(c.Name)
		if err != nil {
			return err
		}
		kind := "string"
		if c.Numbers != nil {
			kind = "double"
		}
		visit(k, name, kind)
	}
	return nil
}
