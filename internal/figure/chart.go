package figure

import (
	"fmt"
	"html"
	"io"
	"math"
	"strconv"
	"strings"
)

// A Series is a line of a Chart.
type Series struct {
	Name   string
	X, Y   []float64
	Error  []float64 // half the length of the bar at each point; nil for none
	Dashed bool
	Color  int // which colour of the palette; series of one colour belong together
}

// A Chart shows series over one pair of axes.
type Chart struct {
	Title          string
	XLabel, YLabel string
	MinY, MaxY     float64 // both zero: what the series need
	Series         []Series
}

// Sizes of a chart and its parts, in the units of the drawing.
const (
	chartWidth, chartHeight = 400.0, 290.0
	plotLeft, plotTop       = 52.0, 34.0
	plotWidth, plotHeight   = 330.0, 200.0
	legendLine              = 18.0
)

// palette has colours that differ in lightness too, and show on white and on dark.
var palette = []string{"#2f81d6", "#d29922", "#57ab5a", "#e5534b", "#986ee2", "#39a9a9"}

// WriteCharts draws charts side by side, so many in a row, with one legend below.
func WriteCharts(w io.Writer, title string, perRow int, charts ...Chart) error {
	perRow = max(min(perRow, len(charts)), 1)
	rows := (len(charts) + perRow - 1) / perRow
	legend, lines := legendOf(charts, float64(perRow)*chartWidth)
	width, height := float64(perRow)*chartWidth, float64(rows)*chartHeight+float64(lines)*legendLine+8
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" role="img">`+"\n", width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(title))
	b.WriteString(chartStyle)
	for k, c := range charts {
		fmt.Fprintf(&b, `<g transform="translate(%.0f %.0f)">`+"\n", float64(k%perRow)*chartWidth, float64(k/perRow)*chartHeight)
		c.draw(&b)
		b.WriteString("</g>\n")
	}
	fmt.Fprintf(&b, `<g transform="translate(0 %.0f)">`+"\n%s</g>\n</svg>\n", float64(rows)*chartHeight+8, legend)
	_, err := io.WriteString(w, b.String())
	return err
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
	minX, maxX, minY, maxY := c.bounds()
	x := func(v float64) float64 { return plotLeft + plotWidth*(v-minX)/(maxX-minX) }
	y := func(v float64) float64 { return plotTop + plotHeight*(1-(v-minY)/(maxY-minY)) }
	fmt.Fprintf(b, `<text class="title" x="%.0f" y="18">%s</text>`+"\n", plotLeft, html.EscapeString(c.Title))
	for _, t := range ticks(minY, maxY) {
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", plotLeft, y(t), plotLeft+plotWidth, y(t))
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="end">%s</text>`+"\n", plotLeft-6, y(t)+4, tickLabel(t))
	}
	for _, t := range ticks(minX, maxX) {
		fmt.Fprintf(b, `<line class="axis" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", x(t), plotTop+plotHeight, x(t), plotTop+plotHeight+4)
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n", x(t), plotTop+plotHeight+18, tickLabel(t))
	}
	fmt.Fprintf(b, `<line class="axis" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", plotLeft, plotTop+plotHeight, plotLeft+plotWidth, plotTop+plotHeight)
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n", plotLeft+plotWidth/2, plotTop+plotHeight+38, html.EscapeString(c.XLabel))
	fmt.Fprintf(b, `<text transform="translate(12 %.1f) rotate(-90)" text-anchor="middle">%s</text>`+"\n", plotTop+plotHeight/2, html.EscapeString(c.YLabel))
	for _, s := range c.Series {
		s.draw(b, x, y, minY, maxY)
	}
}

func (s Series) draw(b *strings.Builder, x, y func(float64) float64, minY, maxY float64) {
	color := palette[s.Color%len(palette)]
	var path strings.Builder
	for k := range s.X {
		command := "L"
		if k == 0 {
			command = "M"
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", command, x(s.X[k]), y(max(min(s.Y[k], maxY), minY)))
	}
	fmt.Fprintf(b, `<path class="line%s" stroke="%s" d="%s"/>`+"\n", s.dashClass(), color, path.String())
	for k, e := range s.Error {
		if e > 0 {
			fmt.Fprintf(b, `<line stroke="%s" stroke-opacity=".6" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n",
				color, x(s.X[k]), y(max(s.Y[k]-e, minY)), x(s.X[k]), y(min(s.Y[k]+e, maxY)))
		}
	}
	if len(s.X) <= 20 { // more are a curve, not measurements
		for k := range s.X {
			fmt.Fprintf(b, `<circle fill="%s" r="3" cx="%.1f" cy="%.1f"/>`+"\n", color, x(s.X[k]), y(max(min(s.Y[k], maxY), minY)))
		}
	}
}

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
			y := float64(lines-1) * legendLine
			fmt.Fprintf(&b, `<line class="line%s" stroke="%s" x1="%.0f" y1="%.0f" x2="%.0f" y2="%.0f"/>`+"\n",
				s.dashClass(), palette[s.Color%len(palette)], x, y+6, x+26, y+6)
			fmt.Fprintf(&b, `<text x="%.0f" y="%.0f">%s</text>`+"\n", x+32, y+10, html.EscapeString(s.Name))
			x += room
		}
	}
	return b.String(), lines
}

func (c Chart) bounds() (minX, maxX, minY, maxY float64) {
	minX, maxX = math.Inf(1), math.Inf(-1)
	minY, maxY = math.Inf(1), math.Inf(-1)
	for _, s := range c.Series {
		for k := range s.X {
			minX, maxX = min(minX, s.X[k]), max(maxX, s.X[k])
			minY, maxY = min(minY, s.Y[k]), max(maxY, s.Y[k])
		}
	}
	if c.MinY != 0 || c.MaxY != 0 {
		minY, maxY = c.MinY, c.MaxY
	}
	if !(maxX > minX) {
		minX, maxX = finite(minX)-0.5, finite(maxX)+0.5
	}
	if !(maxY > minY) {
		minY, maxY = finite(minY)-0.5, finite(maxY)+0.5
	}
	return minX, maxX, minY, maxY
}

// finite returns v, or 0 if it is infinite.
func finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	return v
}

// ticks returns round numbers between low and high, about five of them.
func ticks(low, high float64) []float64 {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	for _, factor := range []float64{1, 2, 2.5, 5, 10} {
		if (high-low)/(step*factor) <= 6 {
			step *= factor
			break
		}
	}
	var all []float64
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step; k++ {
		all = append(all, k*step)
	}
	return all
}

func tickLabel(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e6)/1e6+0, 'g', -1, 64)
}
