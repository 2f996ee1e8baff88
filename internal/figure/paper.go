package figure

// What is of middle lightness in a file that may stand on dark is dark on paper.
var mutedOnPaper = color{0x3d, 0x44, 0x4d}

func (i ink) onPaper() ink {
	if i.color == muted {
		i.color = mutedOnPaper
	}
	return i
}

// onPaper returns the dashes of a pen whose lines may have no round ends: what
// would have been a dot is as long as the line is wide.
func (p pen) onPaper() []float64 {
	if !p.round || len(p.dash) == 0 {
		return p.dash
	}
	dash := make([]float64, len(p.dash))
	for k, d := range p.dash {
		dash[k] = max(d, p.width)
	}
	return dash
}

// rim puts a text on a piece of paper, so that lines below it do not disturb.
func rim(c canvas, l letters, at point, text string) {
	width := l.width(text)
	left := at.x - width*float64(l.align)/2
	c.box(ink{white, 0.3}, point{left - 1, at.y - 0.8*l.size}, width+2, l.size)
}
