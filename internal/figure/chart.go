package figure

import "io"

// A Series is a line of a Chart. Its numbers are finite.
type Series struct {
	Name   string
	X, Y   []float64
	Error  []float64 // half the length of the bar at each point; nil for none
	Dashed bool
	Points bool // no line between them
	Plain  bool // no points on the line
	Faint  bool // a thin, pale line, of which there are many
	Color  int  // which colour of the palette; series of one colour belong together
}

// A Chart shows series over one pair of axes.
type Chart struct {
	Title          string
	XLabel, YLabel string
	XNames         []string // of the places 1, 2, … instead of numbers
	LogX           bool     // a logarithmic axis of positive numbers, with ticks where the series have points
	LogY           bool     // a logarithmic axis of positive numbers, with ticks at powers of ten
	MinY, MaxY     float64  // both zero: what the series need
	Series         []Series
}

// Charts are charts side by side, that many in a row, with one legend below.
type Charts struct {
	Title  string // for those who cannot see them
	PerRow int
	Charts []Chart
}

// Sizes of a chart and its parts, in the units of the drawing.
const (
	chartWidth   = 400.0 // of its own
	chartLeast   = 260.0
	plotLeft     = 52.0
	plotTop      = 34.0
	belowPlot    = 56.0 // room for the labels of the axis
	besidePlot   = 18.0
	tickLength   = 4.0
	legendLine   = 18.0
	legendGap    = 8.0
	legendSample = 26.0
	pointRadius  = 3.0
)

var (
	plain       = letters{size: 12, color: muted}
	centred     = letters{size: 12, color: muted, align: middle}
	titles      = letters{size: 13, color: muted, bold: true}
	headings    = letters{size: 15, color: muted, bold: true}
	gridPen     = pen{ink: ink{muted, 0.75}, width: 1}
	axisPen     = pen{ink: ink{color: muted}, width: 1}
	dashPattern = []float64{6, 4}
)

// palette is that of Okabe and Ito, which the colour-blind tell apart, without
// its colours that do not show on white or on dark.
var palette = []color{
	{0x00, 0x72, 0xb2},
	{0xe6, 0x9f, 0x00},
	{0x00, 0x9e, 0x73},
	{0xd5, 0x5e, 0x00},
	{0xcc, 0x79, 0xa7},
	{0x56, 0xb4, 0xe9},
}

// WriteCharts draws charts as SVG, that many in a row, each of the usual width.
func WriteCharts(w io.Writer, title string, perRow int, charts ...Chart) error {
	return Write(w, SVG, Page{}, Charts{title, perRow, charts})
}

func (c Charts) about() string { return c.Title }

func (c Charts) size(width float64) (w, h float64) {
	if width == 0 {
		width = float64(max(min(c.PerRow, len(c.Charts)), 1)) * chartWidth
	}
	_, lines := c.legend(width)
	_, rows, each := inRows(len(c.Charts), c.PerRow, width, chartLeast)
	return width, float64(rows)*chartHeight(each) + float64(lines)*legendLine + legendGap
}

// inRows puts some panels side by side, at most perRow, and fewer on a narrow page,
// where each would have less than the least width.
func inRows(panels, perRow int, width, least float64) (columns, rows int, each float64) {
	columns = max(min(perRow, panels, int(width/least)), 1)
	return columns, (panels + columns - 1) / columns, width / float64(columns)
}

// chartHeight is a little more than half the width, but a narrow one is taller.
func chartHeight(width float64) float64 { return max(290, min(0.52*width, 420)) }

func (c Charts) draw(on canvas, corner point, width float64) {
	columns, rows, each := inRows(len(c.Charts), c.PerRow, width, chartLeast)
	for k, chart := range c.Charts {
		chart.draw(on, corner.plus(float64(k%columns)*each, float64(k/columns)*chartHeight(each)), each)
	}
	entries, _ := c.legend(width)
	below := corner.plus(0, float64(rows)*chartHeight(each)+legendGap)
	for _, e := range entries {
		e.series.inLegend(on, below.plus(e.at.x, e.at.y))
	}
}

func (c Chart) draw(on canvas, corner point, width float64) {
	left, right := corner.x+plotLeft, corner.x+width-besidePlot
	top, bottom := corner.y+plotTop, corner.y+chartHeight(width)-belowPlot
	x, y := c.axes(left, right, bottom, top)
	on.write(titles, corner.plus(plotLeft, 18), titles.fitted(c.Title, width-plotLeft))
	ends, upward := plain, centred
	ends.align, upward.upward = end, true
	for _, t := range y.ticks {
		on.line(gridPen, point{left, y.place(t)}, point{right, y.place(t)})
	}
	for _, t := range x.ticks {
		on.line(axisPen, point{x.place(t), bottom}, point{x.place(t), bottom + tickLength})
	}
	on.line(axisPen, point{left, bottom}, point{right, bottom})
	for _, t := range y.ticks {
		on.write(ends, point{left - 6, y.place(t) + 4}, tickLabel(t))
	}
	for k, t := range x.ticks {
		label := tickLabel(t)
		if c.XNames != nil {
			label = centred.fitted(c.XNames[k], (right-left)/float64(len(c.XNames)))
		}
		on.write(centred, point{x.place(t), bottom + 18}, label)
	}
	on.write(centred, point{(left + right) / 2, bottom + 38}, c.XLabel)
	on.write(upward, point{corner.x + 12, (top + bottom) / 2}, c.YLabel)
	for _, s := range c.Series {
		s.draw(on, x, y)
	}
}

// axes returns both axes, between the given places.
func (c Chart) axes(left, right, bottom, top float64) (x, y axis) {
	var allX, allY []float64
	for _, s := range c.Series {
		allX, allY = append(allX, s.X...), append(allY, s.Y...)
	}
	minX, maxX := span(allX)
	x = linearAxis(minX, maxX, left, right).wholeTicks(allX)
	switch {
	case c.LogX:
		x = logAxis(allX, left, right)
	case c.XNames != nil:
		x = namedAxis(len(c.XNames), left, right)
	}
	if c.LogY {
		return x, decadeAxis(allY, bottom, top)
	}
	minY, maxY := span(allY)
	if c.MinY != 0 || c.MaxY != 0 {
		return x, linearAxis(c.MinY, c.MaxY, bottom, top)
	}
	return x, linearAxis(minY, maxY, bottom, top).wholeTicks(allY)
}

func (s Series) ink() ink { return ink{color: palette[s.Color%len(palette)]} }

func (s Series) pen() pen {
	p := pen{ink: s.ink(), width: 2}
	if s.Faint {
		p.ink, p.width = ink{muted, 0.6}, 1
	}
	if s.Dashed {
		p.dash = dashPattern
	}
	return p
}

func (s Series) draw(on canvas, x, y axis) {
	places := make([]point, len(s.X))
	for k := range s.X {
		places[k] = point{x.place(s.X[k]), y.place(s.Y[k])}
	}
	if !s.Points && len(places) > 0 {
		on.curve(s.pen(), places)
	}
	bar := pen{ink: s.ink(), width: 1.5}
	bar.faint = 0.4
	for k, e := range s.Error {
		if e > 0 {
			on.line(bar, point{places[k].x, y.place(s.Y[k] - e)}, point{places[k].x, y.place(s.Y[k] + e)})
		}
	}
	if s.Points || !s.Plain && len(s.X) <= 20 { // more are a curve, not measurements
		for _, at := range places {
			on.disc(s.ink(), at, pointRadius)
		}
	}
}

// A legendEntry is a series and where its name begins.
type legendEntry struct {
	series Series
	at     point
}

// legend lists each series once, in lines of the given width.
func (c Charts) legend(width float64) (entries []legendEntry, lines int) {
	seen := map[string]bool{}
	x := plotLeft
	for _, chart := range c.Charts {
		for _, s := range chart.Series {
			if s.Name == "" || seen[s.Name] {
				continue
			}
			seen[s.Name] = true
			room := legendSample + 24 + plain.width(s.Name)
			if lines == 0 || x+room > width {
				lines, x = lines+1, plotLeft
			}
			entries = append(entries, legendEntry{s, point{x, float64(lines-1) * legendLine}})
			x += room
		}
	}
	return entries, lines
}

func (s Series) inLegend(on canvas, at point) {
	if s.Points {
		on.disc(s.ink(), at.plus(legendSample/2, 6), pointRadius)
	} else {
		on.line(s.pen(), at.plus(0, 6), at.plus(legendSample, 6))
	}
	on.write(plain, at.plus(legendSample+6, 10), s.Name)
}
