package figure

func (s Series) ink() ink { return ink{color: palette[s.Color%len(palette)]} }

func (s Series) pen() pen {
	p := pen{ink: s.ink(), width: 2}
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
