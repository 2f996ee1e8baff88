package figure

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// svgStyle is of what attributes cannot say: names that stand among lines have a
// rim in the colour of the page, as far as that can be told.
const svgStyle = `<style>
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.rim{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-opacity:.8;stroke-linejoin:round}
@media (prefers-color-scheme:dark){.rim{stroke:#0d1117}}
</style>
`

// An svgCanvas writes elements. Those that look alike and follow one another share
// a group, which keeps the file small.
type svgCanvas struct {
	elements bytes.Buffer
	group    string // attributes of the open group, "" if none is
}

func (s *svgCanvas) add(group, format string, args ...any) {
	if group != s.group {
		s.close()
		fmt.Fprintf(&s.elements, "<g%s>\n", group)
		s.group = group
	}
	fmt.Fprintf(&s.elements, format+"\n", args...)
}

func (s *svgCanvas) close() {
	if s.group != "" {
		s.elements.WriteString("</g>\n")
		s.group = ""
	}
}

// short writes a number with at most two decimals.
func short(v float64) string {
	text := strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0")
	if text = strings.TrimSuffix(text, "."); text == "-0" {
		return "0"
	}
	return text
}

func (p pen) svg() string {
	a := fmt.Sprintf(` fill="none" stroke="%s"`, p.color)
	if p.faint > 0 {
		a += fmt.Sprintf(` stroke-opacity="%s"`, short(1-p.faint))
	}
	if len(p.dash) == 2 {
		a += fmt.Sprintf(` stroke-dasharray="%s %s"`, short(p.dash[0]), short(p.dash[1]))
	}
	if p.round {
		a += ` stroke-linecap="round"`
	}
	return a
}

func (i ink) svg() string {
	a := fmt.Sprintf(` fill="%s"`, i.color)
	if i.faint > 0 {
		a += fmt.Sprintf(` fill-opacity="%s"`, short(1-i.faint))
	}
	return a
}

func (s *svgCanvas) line(p pen, from, to point) {
	s.add(
		p.svg(),
		`<line x1="%s" y1="%s" x2="%s" y2="%s" stroke-width="%s"/>`,
		short(from.x),
		short(from.y),
		short(to.x),
		short(to.y),
		short(p.width),
	)
}

func (s *svgCanvas) curve(p pen, places []point) {
	var d strings.Builder
	for k, at := range places {
		d.WriteString([2]string{"M", "L"}[min(k, 1)] + short(at.x) + " " + short(at.y))
	}
	s.add(p.svg(), `<path d="%s" stroke-width="%s" stroke-linejoin="round"/>`, d.String(), short(p.width))
}

func (s *svgCanvas) disc(i ink, at point, radius float64) {
	s.add(i.svg(), `<circle cx="%s" cy="%s" r="%s"/>`, short(at.x), short(at.y), short(radius))
}

func (s *svgCanvas) ring(p pen, at point, radius float64) {
	s.add(p.svg(), `<circle cx="%s" cy="%s" r="%s" stroke-width="%s"/>`, short(at.x), short(at.y), short(radius), short(p.width))
}

func (s *svgCanvas) box(i ink, corner point, width, height float64) {
	s.add(i.svg(), `<rect x="%s" y="%s" width="%s" height="%s"/>`, short(corner.x), short(corner.y), short(width), short(height))
}

func (s *svgCanvas) write(l letters, at point, text string) {
	group := fmt.Sprintf(` fill="%s" font-size="%s"`, l.color, short(l.size))
	if l.bold {
		group += ` font-weight="600"`
	}
	if l.align != start {
		group += [3]string{middle: ` text-anchor="middle"`, end: ` text-anchor="end"`}[l.align]
	}
	if l.rim {
		group += ` class="rim"`
	}
	place := fmt.Sprintf(`x="%s" y="%s"`, short(at.x), short(at.y))
	if l.upward {
		place = fmt.Sprintf(`transform="translate(%s %s) rotate(-90)"`, short(at.x), short(at.y))
	}
	s.add(group, "<text %s>%s</text>", place, escape(text))
}

func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer does not fail
	return b.String()
}

// document returns the whole file. Sizes on the page are in mm, or, if those are
// zero, in units.
func (s *svgCanvas) document(title string, width, height, mm float64) []byte {
	s.close()
	var b bytes.Buffer
	size := fmt.Sprintf(`width="%s" height="%s"`, short(width), short(height))
	if mm > 0 {
		size = fmt.Sprintf(`width="%smm" height="%smm"`, short(mm), short(mm*height/width))
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" %s viewBox="0 0 %s %s" role="img">`+"\n", size, short(width), short(height))
	fmt.Fprintf(&b, "<title>%s</title>\n%s", escape(title), svgStyle)
	b.Write(s.elements.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}
