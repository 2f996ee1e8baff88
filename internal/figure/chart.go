package figure

import (
	"fmt"
	"io"
	"strings"
)

// A Series is a line of a Chart. Its numbers are finite.
type Series struct {
	Name   string
	X, Y   []float64
	Error  []float64 // half the length of the bar at each point; nil for none
	Dashed bool
	Points bool // no line between them
	Color  int  // which colour of the palette; series of one colour belong together
}

// A Chart shows series over one pair of axes.
type Chart struct {
	Title          string
	XLabel, YLabel string
	LogX           bool    // a logarithmic axis of positive numbers, with ticks where the series have points
	MinY, MaxY     float64 // both zero: what the series need
	Series         []Series
}

// Sizes of a chart and its parts, in the units of the drawing.
const (
	chartWidth, chartHeight = 400.0, 290.0
	plotLeft, plotTop       = 52.0, 34.0
	plotWidth, plotHeight   = 330.0, 200.0
	plotRight, plotBottom   = plotLeft + plotWidth, plotTop + plotHeight
	legendLine              = 18.0
	pointRadius             = 3.0
)

// palette is that of Okabe and Ito, which the colour-blind tell apart, without
// its colours that do not show on white or on dark.
var palette = []string{"#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9"}

// WriteCharts draws charts side by side, so many in a row, with one legend below.
func WriteCharts(w io.Writer, title string, perRow int, charts ...Chart) error {
	perRow = max(min(perRow, len(charts)), 1)
	rows := (len(charts) + perRow - 1) / perRow
	width := float64(perRow) * chartWidth
	legend, lines := legendOf(charts, width)
	var b strings.Builder
	begin(&b, title, width, float64(rows)*chartHeight+float64(lines)*legendLine+8)
	for k, c := range charts {
		fmt.Fprintf(&b, `<g transform="translate(%.0f %.0f)">`+"\n", float64(k%perRow)*chartWidth, float64(k/perRow)*chartHeight)
		c.draw(&b)
		b.WriteString("</g>\n")
	}
	fmt.Fprintf(&b, `<g transform="translate(0 %.0f)">`+"\n%s</g>\n</svg>\n", float64(rows)*chartHeight+8, legend)
	_, err := io.WriteString(w, b.String())
	return err
}

// begin opens a drawing whose letters, on a page, are as large as those around it.
func begin(b *strings.Builder, title string, width, height float64) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(b, "<title>%s</title>\n%s", escape(title), chartStyle)
}

const chartStyle = `<style>
text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:#7d8590}
.title{font-weight:600;font-size:13px}
.grid{stroke:#7d8590;stroke-opacity:.25}
.axis{stroke:#7d8590}
.line{fill:none;stroke-width:2;stroke-linejoin:round}
.dashed{stroke-dasharray:6 4}
</style>
`

func (c Chart) draw(b *strings.Builder) {
	x, y := c.axes()
	fmt.Fprintf(b, `<text class="title" x="%.0f" y="18">%s</text>`+"\n", plotLeft, escape(c.Title))
	for _, t := range y.ticks {
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", plotLeft, y.place(t), plotRight, y.place(t))
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="end">%s</text>`+"\n", plotLeft-6, y.place(t)+4, tickLabel(t))
	}
	for _, t := range x.ticks {
		fmt.Fprintf(b, `<line class="axis" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", x.place(t), plotBottom, x.place(t), plotBottom+4)
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n", x.place(t), plotBottom+18, tickLabel(t))
	}
	fmt.Fprintf(b, `<line class="axis" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", plotLeft, plotBottom, plotRight, plotBottom)
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n", plotLeft+plotWidth/2, plotBottom+38, escape(c.XLabel))
	fmt.Fprintf(b, `<text transform="translate(12 %.1f) rotate(-90)" text-anchor="middle">%s</text>`+"\n", plotTop+plotHeight/2, escape(c.YLabel))
	for _, s := range c.Series {
		s.draw(b, x, y)
	}
}

func (c Chart) axes() (x, y axis) {
	var allX, allY []float64
	for _, s := range c.Series {
		allX, allY = append(allX, s.X...), append(allY, s.Y...)
	}
	minX, maxX := span(allX)
	x = linearAxis(minX, maxX, plotLeft, plotRight)
	if c.LogX {
		x = logAxis(allX, plotLeft, plotRight)
	}
	minY, maxY := span(allY)
	if c.MinY != 0 || c.MaxY != 0 {
		minY, maxY = c.MinY, c.MaxY
	}
	return x, linearAxis(minY, maxY, plotBottom, plotTop)
}

func (s Series) draw(b *strings.Builder, x, y axis) {
	if !s.Points && len(s.X) > 0 {
		fmt.Fprintf(b, `<path class="line%s" stroke="%s" d="`, s.dashClass(), s.color())
		command := "M"
		for k := range s.X {
			fmt.Fprintf(b, "%s%.2f %.2f", command, x.place(s.X[k]), y.place(s.Y[k]))
			command = "L"
		}
		b.WriteString(`"/>` + "\n")
	}
	for k, e := range s.Error {
		if e > 0 {
			fmt.Fprintf(b, `<line stroke="%s" stroke-width="1.5" stroke-opacity=".6" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n",
				s.color(), x.place(s.X[k]), y.place(s.Y[k]-e), x.place(s.X[k]), y.place(s.Y[k]+e))
		}
	}
	if s.Points || len(s.X) <= 20 { // more are a curve, not measurements
		for k := range s.X {
			s.point(b, x.place(s.X[k]), y.place(s.Y[k]))
		}
	}
}

func (s Series) point(b *strings.Builder, x, y float64) {
	fmt.Fprintf(b, `<circle fill="%s" r="%g" cx="%.1f" cy="%.1f"/>`+"\n", s.color(), pointRadius, x, y)
}

func (s Series) color() string { return palette[s.Color%len(palette)] }

func (s Series) dashClass() string {
	if s.Dashed {
		return " dashed"
	}
	return ""
}

// legendOf lists each series once, in lines of the given width.
func legendOf(charts []Chart, width float64) (text string, lines int) {
	var b strings.Builder
	seen := map[string]bool{}
	x := plotLeft
	for _, c := range charts {
		for _, s := range c.Series {
			if s.Name == "" || seen[s.Name] {
				continue
			}
			seen[s.Name] = true
			room := 50 + 7*float64(len([]rune(s.Name)))
			if lines == 0 || x+room > width {
				lines, x = lines+1, plotLeft
			}
			s.inLegend(&b, x, float64(lines-1)*legendLine)
			x += room
		}
	}
	return b.String(), lines
}

func (s Series) inLegend(b *strings.Builder, x, y float64) {
	if s.Points {
		s.point(b, x+13, y+6)
	} else {
		fmt.Fprintf(b, `<line class="line%s" stroke="%s" x1="%.0f" y1="%.0f" x2="%.0f" y2="%.0f"/>`+"\n", s.dashClass(), s.color(), x, y+6, x+26, y+6)
	}
	fmt.Fprintf(b, `<text x="%.0f" y="%.0f">%s</text>`+"\n", x+32, y+10, escape(s.Name))
}
