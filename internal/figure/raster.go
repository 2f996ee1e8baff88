package figure

import "math"

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
	if width == 0 {
		width = rasterWidth
	}
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
	low, top := r.ends()
	for _, c := range r.Cells {
		i := ink{color: lightCell.between(darkCell, shareOf(c.Weight, low, top))}
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

// ends returns the lightest and the heaviest weight.
func (r Raster) ends() (low, high float64) { return Matrix{Cells: r.Cells}.ends() }
