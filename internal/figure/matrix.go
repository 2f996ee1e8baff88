package figure

import (
	"cmp"
	"math"
	"slices"
)

// A Matrix shows a table of weights as an image: darker is heavier. It is symmetric
// unless it is directed.
type Matrix struct {
	Title string   // for those who cannot see it
	Names []string // of rows and columns, in order
	Cells []Cell   // each pair once
	// Directed says that a cell is the weight from its row to its column, and no other.
	Directed bool
	Breaks   []int // rows before which a group of them ends
	// Groups are the names of groups of rows, and Of the group of each; nil for none. They are coloured bands.
	Groups []string
	Of     []int
}

// A Cell is a weight above zero, at a row and a column.
type Cell struct {
	Row, Column int
	Weight      float64
}

// Sizes, in the units of the drawing.
const (
	matrixWidth  = 560.0 // of its own
	matrixMost   = 640.0 // beyond which it does not grow
	matrixTop    = 8.0
	matrixBand   = 10.0 // of groups, with the room beside it
	smallestName = 5.5  // of letters
	widerLetters = 1.2
)

// The cells go from a light green to a dark one, by the logarithm of the weight, and negative ones from
// a light blue to a dark one: the colours of edges in a network.
var (
	lightCell = color{0xb9, 0xe2, 0xbf}
	darkCell  = color{0x08, 0x4d, 0x24}

	lightNegative = color{0xb9, 0xd3, 0xee}
	darkNegative  = color{0x08, 0x30, 0x6b}
)

func (m Matrix) about() string { return m.Title }

func (m Matrix) size(width float64) (w, h float64) {
	width = cmp.Or(width, matrixWidth)
	side, left := m.shape(width)
	h = matrixTop + side + m.below(left) + barRoom + margin + m.noteRoom()
	if m.Groups != nil {
		h += matrixBand + legendRow
	}
	return width, h
}

// noteRoom is for the words that say which way weights lead, and which are negative.
func (m Matrix) noteRoom() float64 {
	if m.words() != "" {
		return legendRow
	}
	return 0
}

// below is the room between the image and the bar. The letters of a reader may be wider than those
// that names were measured by.
func (m Matrix) below(names float64) float64 { return max(12, widerLetters*names+8) }

// shape returns the side of the image and the room for names beside it.
func (m Matrix) shape(width float64) (side, names float64) {
	side = min(width-2*margin, matrixMost)
	if room, l := m.nameRoom(side); l.size > 0 {
		return min(side, width-2*margin-room), room
	}
	return side, 0
}

// nameRoom returns the letters of names, of size zero if they would be too small
// or too long to read, and how wide the longest is.
func (m Matrix) nameRoom(side float64) (room float64, l letters) {
	l = letters{size: min(11, 0.9*side/float64(max(len(m.Names), 1))), color: muted}
	for _, name := range m.Names {
		room = max(room, l.width(l.fitted(name, longestName))+6)
	}
	if l.size < smallestName || room > side/4 {
		return 0, letters{}
	}
	return room, l
}

func (m Matrix) draw(on canvas, corner point, width float64) {
	side, room := m.shape(width)
	at := corner.plus(max(margin+room, (width-side)/2), matrixTop)
	step := side / float64(max(len(m.Names), 1))
	if m.Groups != nil {
		at = at.plus(0, matrixBand)
		m.drawBands(on, at, side, step)
	}
	low, high := ends(m.Cells)
	for _, c := range m.Cells {
		i := ink{color: cellColor(c.Weight, low, high)}
		cell := max(step, 0.8) // a lone cell of many is still to be seen
		on.box(i, at.plus(float64(c.Column)*step, float64(c.Row)*step), cell, cell)
		if !m.Directed {
			on.box(i, at.plus(float64(c.Row)*step, float64(c.Column)*step), cell, cell)
		}
	}
	for _, b := range m.Breaks {
		on.line(gridPen, at.plus(0, float64(b)*step), at.plus(side, float64(b)*step))
		on.line(gridPen, at.plus(float64(b)*step, 0), at.plus(float64(b)*step, side))
	}
	on.curve(axisPen, []point{at, at.plus(side, 0), at.plus(side, side), at.plus(0, side), at})
	if room > 0 {
		m.drawNames(on, at, side, step)
	}
	if low < high {
		drawWeights(on, at.plus(side*(1-barShare)/2, side+m.below(room)), side*barShare, low, high)
	}
	if m.Groups != nil {
		(&Coloring{Groups: m.Groups}).drawGroups(on, at.plus(0, side+m.below(room)+barRoom+m.noteRoom()), side)
	}
	if words := m.words(); words != "" {
		on.write(centred, at.plus(side/2, side+m.below(room)+barRoom+legendRow/2), words)
	}
}

// drawBands marks the groups of columns above the image, and those of rows to its right.
func (m Matrix) drawBands(on canvas, at point, side, step float64) {
	const thick = matrixBand - 4
	for from := 0; from < len(m.Of); {
		to := from
		for to < len(m.Of) && m.Of[to] == m.Of[from] {
			to++
		}
		i := ink{color: neutral}
		if m.Of[from] < len(palette) {
			i.color = palette[m.Of[from]]
		}
		length := float64(to-from) * step
		on.box(i, at.plus(float64(from)*step, -matrixBand+1), length, thick)
		on.box(i, at.plus(side+3, float64(from)*step), thick, length)
		from = to
	}
}

// words are what stands below the matrix.
func (m Matrix) words() string {
	negative := slices.ContainsFunc(m.Cells, func(c Cell) bool { return c.Weight < 0 })
	switch {
	case m.Directed && negative:
		return "weights from rows to columns, negative ones red by their size"
	case m.Directed:
		return "weights from rows to columns"
	case negative:
		return "negative weights are red, by their size"
	}
	return ""
}

func (m Matrix) drawNames(on canvas, at point, side, step float64) {
	_, l := m.nameRoom(side)
	l.align = end
	for i, name := range m.Names {
		on.write(l, at.plus(-4, (float64(i)+0.5)*step+l.low()), l.fitted(name, longestName))
	}
	l.upward = true
	for i, name := range m.Names {
		on.write(l, at.plus((float64(i)+0.5)*step+l.low(), side+4), l.fitted(name, longestName))
	}
}

// cellColor is the colour of a weight between two sizes: of another hue if it is negative.
func cellColor(w, low, high float64) color {
	share := shareOf(math.Abs(w), low, high)
	if w < 0 {
		return lightNegative.between(darkNegative, share)
	}
	return lightCell.between(darkCell, share)
}

// ends returns the sizes of the lightest and the heaviest weight.
func ends(cells []Cell) (low, high float64) {
	low = math.Inf(1)
	for _, c := range cells {
		low, high = min(low, math.Abs(c.Weight)), max(high, math.Abs(c.Weight))
	}
	return low, high
}

// shareOf returns where a weight stands between two, by its logarithm.
func shareOf(w, low, high float64) float64 {
	if !(low < high) {
		return 1
	}
	return (math.Log(w) - math.Log(low)) / (math.Log(high) - math.Log(low))
}

// drawWeights draws the bar that says which colour is which weight.
func drawWeights(on canvas, corner point, width, low, high float64) {
	drawScale(on, corner, width, func(share float64) color { return lightCell.between(darkCell, share) })
	a := decadeAxis([]float64{low, high}, 0, width)
	for _, t := range a.ticks {
		drawTick(on, corner.plus(a.place(t), barHeight), tickLabel(t))
	}
}

// A Raster shows a table of weights as an image, such as edges by time: darker is
// heavier, and nothing is drawn where there is no weight.
type Raster struct {
	Title   string   // for those who cannot see it
	Rows    []string // names, from top to bottom
	Columns []string // names, from left to right
	Cells   []Cell
	Breaks  []int // rows before which a group of them ends
}

// Sizes, in the units of the drawing.
const (
	rasterWidth   = 720.0 // of its own
	rasterRow     = 13.0
	rasterTop     = 8.0
	rasterLetters = 11.0
	rasterNames   = 0.35  // of the width, that names of rows take at most
	rasterTick    = 110.0 // between names of columns, at least
)

func (r Raster) about() string { return r.Title }

func (r Raster) size(width float64) (w, h float64) {
	width = cmp.Or(width, rasterWidth)
	return width, rasterTop + float64(len(r.Rows))*rasterRow + legendRow + barRoom + 2*margin
}

// names returns the letters of the names of rows and the room that they take.
func (r Raster) names(width float64) (room float64, l letters) {
	l = letters{size: rasterLetters, color: muted}
	for _, name := range r.Rows {
		room = max(room, l.width(l.fitted(name, rasterNames*width))+8)
	}
	return room, l
}

func (r Raster) draw(on canvas, corner point, width float64) {
	room, l := r.names(width)
	at := corner.plus(margin+room, rasterTop)
	wide, high := width-2*margin-room, float64(len(r.Rows))*rasterRow
	step := wide / float64(max(len(r.Columns), 1))
	low, top := ends(r.Cells)
	for _, c := range r.Cells {
		i := ink{color: cellColor(c.Weight, low, top)}
		on.box(i, at.plus(float64(c.Column)*step, float64(c.Row)*rasterRow+1), max(step, 0.8), rasterRow-2)
	}
	for _, b := range r.Breaks {
		on.line(gridPen, at.plus(0, float64(b)*rasterRow), at.plus(wide, float64(b)*rasterRow))
	}
	on.curve(axisPen, []point{at, at.plus(wide, 0), at.plus(wide, high), at.plus(0, high), at})
	l.align = end
	for k, name := range r.Rows {
		on.write(l, at.plus(-5, (float64(k)+0.5)*rasterRow+l.low()), l.fitted(name, rasterNames*width))
	}
	l.align = middle
	every := int(math.Ceil(rasterTick / max(step, 1e-9)))
	for k := 0; k < len(r.Columns); k += max(every, 1) {
		x := (float64(k) + 0.5) * step
		on.line(axisPen, at.plus(x, high), at.plus(x, high+tickLength))
		half := l.width(r.Columns[k]) / 2
		on.write(l, at.plus(min(max(x, half-room), wide-half+margin/2), high+legendRow), r.Columns[k])
	}
	if low < top {
		drawWeights(on, at.plus(wide*(1-barShare)/2, high+legendRow+margin), wide*barShare, low, top)
	}
}
