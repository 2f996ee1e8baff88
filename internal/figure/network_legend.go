package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A Coloring gives vertices colours: by group, or by a number.
type Coloring struct {
	Label  string    // what the colours stand for
	Groups []string  // their names; more than the palette has colours share a grey
	Of     []int     // the group of each vertex, −1 for none
	Values []float64 // instead of groups: a number for each vertex, NaN where there is none
}

// The numbers of a colouring go from light to dark over a hue, and show on white
// and on dark.
var (
	least    = color{0x9b, 0xd3, 0xe8}
	greatest = color{0x7a, 0x1f, 0x6d}
)

const legendRow = 24.0

func (n Network) colorOf(i int) color {
	switch c := n.Coloring; {
	case c == nil:
		return vertexColor
	case c.Values != nil:
		low, high := c.ends()
		if v := c.Values[i]; !math.IsNaN(v) {
			return least.between(greatest, (v-low)/(high-low))
		}
	case c.Of[i] >= 0 && c.Of[i] < len(palette):
		return palette[c.Of[i]]
	}
	return neutral
}

// ends returns the range of the numbers.
func (c *Coloring) ends() (low, high float64) {
	return span(slices.DeleteFunc(slices.Clone(c.Values), math.IsNaN))
}

// directed reports whether there are arrows to see.
func (n Network) directed() bool { return n.Directed && len(n.Edges) > 0 }

func (n Network) odd() bool { return n.count(Missed)+n.count(Wrong) > 0 }

func (n Network) doubted() bool {
	return slices.ContainsFunc(n.Confidence, func(c float64) bool { return c < doubtful })
}

func (n Network) legendHeight() float64 {
	h := 0.0
	for _, has := range []bool{n.odd(), n.signed(), n.Coloring != nil, n.doubted(), n.directed()} {
		if has {
			h += legendRow
		}
	}
	if n.Coloring != nil && n.Coloring.Values != nil {
		h += barRoom - legendRow + 8
	}
	return h
}

func (n Network) drawLegend(on canvas, at point, width float64) {
	found := n.pen(Found)
	if n.directed() {
		drawDirection(on, at, found)
		at = at.plus(0, legendRow)
	}
	if n.odd() {
		n.drawKinds(on, at)
		at = at.plus(0, legendRow)
	}
	if negative := n.negative(); n.signed() {
		n.drawSigns(on, at, negative)
		at = at.plus(0, legendRow)
	}
	if n.doubted() {
		on.line(unsure(pen{ink: found.ink, width: 3}, 0.3), at.plus(0, legendRow/2-4), at.plus(44, legendRow/2-4))
		on.write(plain, at.plus(56, legendRow/2-4+plain.low()), cmp.Or(n.Doubt, fmt.Sprintf("confidence below %g", doubtful)))
		at = at.plus(0, legendRow)
	}
	switch c := n.Coloring; {
	case c == nil:
	case c.Values != nil:
		c.drawScale(on, at, width)
	default:
		c.drawGroups(on, at, width)
	}
}

// signed reports whether colours tell positive edges from negative ones.
func (n Network) signed() bool { return n.negative() > 0 || len(n.Edges) > 0 && n.Signs != [2]string{} }

// drawSigns says which edges are negative.
func (n Network) drawSigns(on canvas, at point, negative int) {
	p := n.pen(Found)
	p.width = dotted
	for _, sign := range []struct {
		color color
		words string
	}{{p.color, fmt.Sprintf("%d %s", len(n.Edges)-negative, cmp.Or(n.Signs[0], "positive"))}, {negativeColor, fmt.Sprintf("%d %s", negative, cmp.Or(n.Signs[1], "negative: these vertices move against each other"))}} {
		p.color = sign.color
		on.line(p, at.plus(0, legendRow/2-4), at.plus(44, legendRow/2-4))
		on.write(plain, at.plus(56, legendRow/2-4+plain.low()), sign.words)
		at = at.plus(max(170, 56+widerLetters*plain.width(sign.words)+18), 0)
	}
}

func (n Network) drawKinds(on canvas, at point) {
	for _, kind := range []Kind{Found, Missed, Wrong} {
		p := kindPen[kind]
		p.width = dotted
		on.line(p, at.plus(0, legendRow/2-4), at.plus(44, legendRow/2-4))
		on.write(plain, at.plus(56, legendRow/2-4+plain.low()), fmt.Sprintf("%d %s", n.count(kind), kindName[kind]))
		at = at.plus(170, 0)
	}
}

// drawGroups lists as many groups as there is room for in a row.
func (c *Coloring) drawGroups(on canvas, at point, width float64) {
	const others = "others"
	middle := legendRow/2 - 4
	on.write(titles, at.plus(0, middle+titles.low()), c.Label)
	x := titles.width(c.Label) + 18
	for k, name := range c.Groups {
		ink, last := ink{color: neutral}, k >= len(palette)
		if !last {
			ink.color = palette[k]
		}
		if last || x+14+plain.width(name)+18+14+plain.width(others) > width && k < len(c.Groups)-1 {
			ink.color, name, last = neutral, others, true
		}
		on.disc(ink, at.plus(x+4, middle), 5)
		on.write(plain, at.plus(x+14, middle+plain.low()), name)
		if last {
			return
		}
		x += 14 + plain.width(name) + 18
	}
}

func (c *Coloring) drawScale(on canvas, at point, width float64) {
	on.write(titles, at.plus(0, barHeight), c.Label)
	left := titles.width(c.Label) + 24
	right := min(left+260, width-20)
	low, high := c.ends()
	drawScale(on, at.plus(left, 0), right-left, func(share float64) color { return least.between(greatest, share) })
	a := linearAxis(low, high, left, right)
	for _, t := range a.ticks {
		drawTick(on, at.plus(a.place(t), barHeight), tickLabel(t))
	}
}
