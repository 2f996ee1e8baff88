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
	h := legendRow * float64(len(n.legend()))
	if n.Coloring != nil {
		h += legendRow
		if n.Coloring.Values != nil {
			h += barRoom - legendRow + 8
		}
	}
	return h
}

// A sample is a line of the legend and what it stands for.
type sample struct {
	pen   pen
	words string
}

// legend returns the rows of the legend, but for that of colours. The first is of arrows, if there are any.
func (n Network) legend() (rows [][]sample) {
	found := n.pen(Found)
	if n.directed() {
		p := found
		p.width = 3
		rows = append(rows, []sample{{p, "from source to target"}})
	}
	if n.odd() {
		var kinds []sample
		for _, kind := range []Kind{Found, Missed, Wrong} {
			p := kindPen[kind]
			p.width = dotted
			kinds = append(kinds, sample{p, fmt.Sprintf("%d %s", n.count(kind), kindName[kind])})
		}
		rows = append(rows, kinds)
	}
	if n.signed() {
		count := n.negative()
		positive, negative := found, found
		positive.width, negative.width, negative.color = dotted, dotted, negativeColor
		rows = append(rows, []sample{
			{positive, fmt.Sprintf("%d %s", len(n.Edges)-count, cmp.Or(n.Signs[0], "positive"))},
			{negative, fmt.Sprintf("%d %s", count, cmp.Or(n.Signs[1], "negative: these vertices move against each other"))},
		})
	}
	if n.doubted() {
		p := unsure(pen{ink: found.ink, width: 3}, 0.3)
		rows = append(rows, []sample{{p, cmp.Or(n.Doubt, fmt.Sprintf("confidence below %g", doubtful))}})
	}
	return rows
}

func (n Network) drawLegend(on canvas, at point, width float64) {
	const middle, gap, apart = legendRow/2 - 4, 56.0, 170.0
	for k, row := range n.legend() {
		x := 0.0
		for _, s := range row {
			from, to := at.plus(x, middle), at.plus(x+44, middle)
			if k == 0 && n.directed() {
				drawArrow(on, s.pen, from, to, 0, false)
			} else {
				on.line(s.pen, from, to)
			}
			on.write(plain, at.plus(x+gap, middle+plain.low()), s.words)
			x += max(apart, gap+widerLetters*plain.width(s.words)+18)
		}
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
