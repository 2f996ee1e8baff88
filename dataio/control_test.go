package dataio

import (
	"strings"
	"testing"
	"unicode"

	"github.com/nervure/nervure/input"
)

// What a sentence cites of a file cannot steer the terminal that it is shown on.
func TestSentencesHaveNoControlCharacters(t *testing.T) {
	const escape = "\x1b]0;pwned\a\x1b[2J\u009b2J\x9b\r"
	for name, c := range map[string]struct {
		text   string
		format Format
		graph  bool
	}{
		"the shape of an array":      {npyFile(header("<f8", "False", "(4, "+escape+")"), ""), NPY, false},
		"the type of an array":       {npyFile(header("<f8"+escape, "False", "(4, 4)"), ""), NPY, false},
		"a variable":                 {matlabFile(matlabMatrix(escape, 2, 2, 1, 2, 3, 4), matlabMatrix("b"+escape, 2, 2, 1, 2, 3, 4)), MAT, false},
		"the only variable, of text": {matlabFile(matlabText(escape, 1, 2, "ab")), MAT, false},
		"a number":                   {"a,b\n1," + escape + "\n", CSV, false},
		"a name given twice":         {"a" + escape + ",a" + escape + "\n1,2\n", CSV, false},
		"an archive":                 {npzFile(t, "a"+escape+".npy", "x"), NPZ, false},
		"the head of a matrix":       {"%%MatrixMarket " + escape + "\n", MatrixMarket, true},
		"the size of a matrix":       {"%%MatrixMarket matrix coordinate real symmetric\n1 " + escape + " 2\n", MatrixMarket, true},
		"an entry of a matrix":       {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 " + escape + "\n", MatrixMarket, true},
		"an element":                 {"<graphml><a" + escape + "></graphml>", GraphML, true},
		"an end":                     {"<graphml></b" + escape + ">", GraphML, true},
		"an attribute":               {"<graphml><graph edgedefault=\"" + escape + "\"><edge source='a'/></graph></graphml>", GraphML, true},
		"an entity":                  {"<gexf>&a" + escape + ";</gexf>", GEXF, true},
		"a JSON document":            {`{"nodes": [` + escape + `]}`, NodeLink, true},
		"a value of JSON":            {`{"nodes": [{"id": "a\u001b[2J"}, {"id": "a\u001b[2J"}], "edges": []}`, NodeLink, true},
		"an edge":                    {"source,target,weight\na,b" + escape + ",x" + escape + "\n", CSV, true},
	} {
		var err error
		if c.graph {
			_, err = DecodeGraph(strings.NewReader(c.text), "file", c.format, nil)
		} else {
			_, err = decode(c.text, c.format, ReadOptions{})
		}
		if err == nil {
			t.Errorf("%s: is read", name)
			continue
		}
		if strings.ContainsFunc(err.Error(), unicode.IsControl) || strings.Contains(err.Error(), "\x9b") || input.Find(err) == nil {
			t.Errorf("%s: %q", name, err)
		}
	}
}

// A sentence stays one, however long that is what it cites.
func TestSentencesAreShort(t *testing.T) {
	long := strings.Repeat("a\xff", 10_000)
	for name, c := range map[string]struct {
		text   string
		format Format
	}{
		"an element": {"<graphml><a" + long + "></graphml>", GraphML},
		"an entity":  {"<gexf>&a" + long + ";</gexf>", GEXF},
		"a size":     {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n" + long + " 2 1\n", MatrixMarket},
	} {
		_, err := DecodeGraph(strings.NewReader(c.text), "file", c.format, nil)
		if err == nil || len(err.Error()) > 2000 {
			t.Errorf("%s: a sentence of %d bytes", name, len(err.Error()))
		}
	}
}
