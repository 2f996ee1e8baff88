package figure

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Charset says which characters a terminal can show.
type Charset int

// The character sets.
const (
	ASCII   Charset = iota
	Unicode         // with braille patterns, whose dots make fine lines
)

// Text draws the network with characters, in at most the given columns and
// rows, with lines that end as their content does. Missed edges are dotted and
// wrong ones drawn with x; vertices are their names.
func (n Network) Text(columns, rows int, c Charset) string {
	if len(n.Vertices) == 0 || columns < 1 || rows < 1 {
		return ""
	}
	p := newPage(columns, rows, c)
	// Room for half a name on either side.
	half := min((utf8.RuneCountInString(n.longest())+1)/2, columns/4)
	f := n.fit(float64(half), 0.5, float64(columns-2*half), float64(rows-1), 0.5)
	for _, kind := range []Kind{Found, Wrong, Missed} {
		for _, e := range n.Edges {
			if e.Kind == kind {
				x1, y1 := f.place(n.Vertices[e.From])
				x2, y2 := f.place(n.Vertices[e.To])
				p.line(x1, y1, x2, y2, kind)
			}
		}
	}
	for _, v := range n.Vertices {
		x, y := f.place(v)
		p.label(x, y, v.Name)
	}
	return p.String()
}

// A page is a grid of characters that lines and names are put on. Places on it
// are in columns and rows, with fractions.
type page struct {
	columns, rows int
	charset       Charset
	cell          [][]rune // 0 where nothing is
}

func newPage(columns, rows int, c Charset) *page {
	p := &page{columns: columns, rows: rows, charset: c, cell: make([][]rune, rows)}
	for r := range p.cell {
		p.cell[r] = make([]rune, columns)
	}
	return p
}

// line draws in steps finer than the finest dot.
func (p *page) line(x1, y1, x2, y2 float64, kind Kind) {
	steps := int(math.Ceil(4*max(math.Abs(x2-x1), 2*math.Abs(y2-y1)))) + 1
	for s := range steps + 1 {
		t := float64(s) / float64(steps)
		x, y := x1+t*(x2-x1), y1+t*(y2-y1)
		switch {
		case kind == Wrong:
			p.set(x, y, 'x')
		case kind == Missed && s%12 >= 4: // a gap between two dots
		case p.charset == ASCII:
			p.set(x, y, slope(x2-x1, y2-y1, kind))
		default:
			p.dot(x, y)
		}
	}
}

// slope returns the character that looks most like a line of that direction.
func slope(dx, dy float64, kind Kind) rune {
	switch steep := 2 * math.Abs(dy) / max(math.Abs(dx), 1e-9); {
	case kind == Missed:
		return '.'
	case steep > 2.4: // tan 67.5°
		return '|'
	case steep < 0.4: // tan 22.5°
		return '-'
	case (dx > 0) == (dy > 0):
		return '\\'
	default:
		return '/'
	}
}

func (p *page) set(x, y float64, r rune) {
	if c, row := int(x), int(y); c >= 0 && c < p.columns && row >= 0 && row < p.rows {
		p.cell[row][c] = r
	}
}

// A character holds two by four braille dots, each a bit of its code.
const brailleBase = 0x2800

var brailleBit = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

func (p *page) dot(x, y float64) {
	c, row := int(x), int(y)
	if c < 0 || c >= p.columns || row < 0 || row >= p.rows {
		return
	}
	if p.cell[row][c] < brailleBase {
		p.cell[row][c] = brailleBase
	}
	p.cell[row][c] |= brailleBit[int(4*(y-float64(row)))][int(2*(x-float64(c)))]
}

// label centres a name on a place, kept within the page, over what is there.
func (p *page) label(x, y float64, name string) {
	letters := []rune(name)
	letters = letters[:min(len(letters), p.columns)]
	row := min(max(int(y), 0), p.rows-1)
	first := min(max(int(x)-(len(letters)-1)/2, 0), p.columns-len(letters))
	copy(p.cell[row][first:], letters)
}

// used returns the rows without empty ones before the first and after the last.
func (p *page) used() [][]rune {
	rows := p.cell
	empty := func(row []rune) bool { return !slices.ContainsFunc(row, func(r rune) bool { return r != 0 }) }
	for len(rows) > 0 && empty(rows[0]) {
		rows = rows[1:]
	}
	for len(rows) > 0 && empty(rows[len(rows)-1]) {
		rows = rows[:len(rows)-1]
	}
	return rows
}

func (p *page) String() string {
	var b strings.Builder
	for _, row := range p.used() {
		line := make([]rune, len(row))
		for c, r := range row {
			line[c] = r
			if r == 0 {
				line[c] = ' '
			}
		}
		b.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	return b.String()
}

// Text draws the chart with characters, in at most the given columns and rows,
// with lines that end as their content does. The name of each series stands on
// its line, those of later series further to the right. Titles are left out.
func (c Chart) Text(columns, rows int, set Charset) string {
	x, y := c.axes(0, 1, 1, 0)
	left := 0 // room for the labels of the vertical axis
	for _, t := range y.ticks {
		left = max(left, utf8.RuneCountInString(tickLabel(t))+1)
	}
	if columns < left+2 || rows < 3 {
		return ""
	}
	p := newPage(columns, rows, set)
	x.first, x.last = float64(left), float64(columns)-1.01 // within the last column
	y.first, y.last = float64(rows)-1.01, 0                // above the labels
	for _, s := range c.Series {
		for k := 1; k < len(s.X); k++ {
			p.line(x.place(s.X[k-1]), y.place(s.Y[k-1]), x.place(s.X[k]), y.place(s.Y[k]), Found)
		}
	}
	for i, s := range c.Series {
		if at := (i + 1) * len(s.X) / (len(c.Series) + 1); at < len(s.X) {
			p.label(x.place(s.X[at]), y.place(s.Y[at]), s.Name)
		}
	}
	for _, t := range y.ticks {
		p.label(float64(left-1)/2-0.5, y.place(t), tickLabel(t))
	}
	for _, t := range x.ticks {
		p.label(x.place(t), float64(rows-1), tickLabel(t))
	}
	return p.String()
}
