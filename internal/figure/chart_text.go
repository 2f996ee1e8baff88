package figure

import "unicode/utf8"

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
