package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// square is a square with one edge of each kind.
func square() Network {
	return Network{
		Title:    `a <square> & "more"`,
		Vertices: []Vertex{{"a", 0, 0}, {"b", 1, 0}, {"c", 1, 1}, {"d<", 0, 1}},
		Edges:    []Edge{{0, 1, 2, Found}, {1, 2, 1, Wrong}, {2, 3, 0, Missed}},
	}
}

// elements reads an SVG and counts its elements, and lines by the colour of the
// group around them.
func elements(t *testing.T, svg []byte) (count, lines map[string]int) {
	t.Helper()
	count, lines = map[string]int{}, map[string]int{}
	d := xml.NewDecoder(bytes.NewReader(svg))
	stroke := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return count, lines
		}
		if err != nil {
			t.Fatalf("not XML: %v\n%s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
			for _, a := range e.Attr {
				if a.Name.Local == "stroke" && e.Name.Local == "g" {
					stroke = a.Value
				}
			}
			if e.Name.Local == "line" {
				lines[stroke]++
			}
		}
	}
}

func TestSVGHasEveryVertexAndEdge(t *testing.T) {
	var b bytes.Buffer
	if err := square().SVG(&b); err != nil {
		t.Fatal(err)
	}
	count, lines := elements(t, b.Bytes())
	if count["circle"] != 4 || count["text"] != 4+3 { // names and legend
		t.Errorf("%d circles and %d texts, want 4 and 7", count["circle"], count["text"])
	}
	for kind := range kindPen { // one edge and one line in the legend
		if lines[kindPen[kind].color.String()] != 1+1 {
			t.Errorf("lines by colour: %v", lines)
		}
	}
	if s := b.String(); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
		t.Errorf("not a number: %s", s)
	}
}

func TestOneEndlessNameLeavesThoseOfOthers(t *testing.T) {
	n := square()
	n.Vertices[0].Name = strings.Repeat("endless ", 40)
	n.Vertices[1].Name = "another"
	m := Matrix{Names: []string{n.Vertices[0].Name, "another"}, Cells: []Cell{{Row: 1, Weight: 1}}}
	for name, d := range map[string]Drawing{"a network": n, "a matrix": m} {
		var b bytes.Buffer
		if err := Write(&b, SVG, Page{Width: 180}, d); err != nil {
			t.Fatal(err)
		}
		if text := b.String(); !strings.Contains(text, ">another<") || !strings.Contains(text, "…<") {
			t.Errorf("%s lacks a name, whole or shortened: %s", name, text)
		}
	}
}

func TestHeavierEdgesAreWider(t *testing.T) {
	s := style{thinnest: thinnest, thickest: thickest}
	if a, b := (Edge{Weight: 1}).width(2, s), (Edge{Weight: 2}).width(2, s); a >= b || a < thinnest || b > thickest {
		t.Errorf("widths %g and %g of weights 1 and 2", a, b)
	}
	if w := (Edge{}).width(0, s); w != thinnest {
		t.Errorf("width %g of a weight in a network without any", w)
	}
}

func TestTextKeepsToItsBox(t *testing.T) {
	leaning := Network{Vertices: []Vertex{{"left", -3, 7}, {"middle of it", 0, 0}, {"right", 9, -2}}, Edges: []Edge{{0, 1, 1, Found}, {1, 2, 1, Missed}, {0, 2, 1, Wrong}}}
	for name, n := range map[string]Network{
		"a square":           square(),
		"one vertex":         {Vertices: []Vertex{{"alone", 3, 3}}},
		"all in one place":   {Vertices: []Vertex{{"a", 1, 1}, {"b", 1, 1}}, Edges: []Edge{{0, 1, 1, Found}}},
		"a vertical line":    {Vertices: []Vertex{{"a", 5, 0}, {"b", 5, 9}}, Edges: []Edge{{0, 1, 1, Found}}},
		"far from the start": leaning,
		"nothing":            {},
	} {
		for _, c := range []Charset{ASCII, Unicode} {
			for _, size := range [][2]int{{79, 22}, {20, 5}, {1, 1}, {0, 0}} {
				text := n.Text(size[0], size[1], c)
				if rows := strings.Count(text, "\n"); rows > size[1] {
					t.Errorf("%s: %d rows, want at most %d", name, rows, size[1])
				}
				for line := range strings.Lines(text) {
					if w := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); w > size[0] {
						t.Errorf("%s: %d columns, want at most %d: %q", name, w, size[0], line)
					}
					if c == ASCII && strings.IndexFunc(line, func(r rune) bool { return r > 127 }) >= 0 {
						t.Errorf("%s: not ASCII: %q", name, line)
					}
				}
			}
		}
	}
}

func TestTextMarksWrongAndMissedEdges(t *testing.T) {
	for _, c := range []Charset{ASCII, Unicode} {
		line := func(kind Kind) string {
			n := Network{Vertices: []Vertex{{"a", 0, 0}, {"b", 1, 0}}, Edges: []Edge{{0, 1, 1, kind}}}
			return strings.Trim(n.Text(40, 3, c), " ab\n")
		}
		found, missed, wrong := line(Found), line(Missed), line(Wrong)
		if strings.Contains(found, " ") {
			t.Errorf("an edge has holes: %q", found)
		}
		if !strings.Contains(missed, " ") || strings.TrimSpace(missed) == "" {
			t.Errorf("a missed edge is not dotted: %q", missed)
		}
		if strings.Trim(wrong, "x") != "" {
			t.Errorf("a wrong edge is not made of x: %q", wrong)
		}
	}
}
