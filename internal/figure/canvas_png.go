package figure

import (
	imagecolor "image/color"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// dotsPerInch is what printers ask for.
const dotsPerInch = 300

// A pngCanvas is on white paper, or bare: it may stand on white and on black then, as a drawing in SVG.
type pngCanvas struct {
	bare   bool
	img    *vgimg.Canvas
	height float64
	unit   vg.Length
}

func newPNGCanvas(width, height, mm float64, bare bool) *pngCanvas {
	ground := imagecolor.Color(imagecolor.White)
	if bare {
		ground = imagecolor.Transparent
	}
	unit := vg.Length(mm/width) * vg.Millimeter
	size := vgimg.UseWH(vg.Length(width)*unit, vg.Length(height)*unit)
	img := vgimg.NewWith(size, vgimg.UseDPI(dotsPerInch), vgimg.UseBackgroundColor(ground))
	return &pngCanvas{bare, img, height, unit}
}

func (c *pngCanvas) writeTo(w io.Writer) error {
	_, err := vgimg.PngCanvas{Canvas: c.img}.WriteTo(w)
	return err
}

// place turns y up.
func (c *pngCanvas) place(p point) vg.Point {
	return vg.Point{X: vg.Length(p.x) * c.unit, Y: vg.Length(c.height-p.y) * c.unit}
}

func (c *pngCanvas) use(i ink) {
	if !c.bare {
		i = i.onPaper()
	}
	c.img.SetColor(imagecolor.NRGBA{uint8(i.color[0]), uint8(i.color[1]), uint8(i.color[2]), uint8(math.Round(255 * (1 - i.faint)))})
}

func (c *pngCanvas) usePen(p pen) {
	c.use(p.ink)
	c.img.SetLineWidth(vg.Length(p.width) * c.unit)
	var dash []vg.Length
	for _, d := range p.onPaper() {
		dash = append(dash, vg.Length(d)*c.unit)
	}
	c.img.SetLineDash(dash, 0)
}

func (c *pngCanvas) line(p pen, from, to point) { c.curve(p, []point{from, to}) }

func (c *pngCanvas) curve(p pen, places []point) {
	c.usePen(p)
	var path vg.Path
	for k, at := range places {
		if k == 0 {
			path.Move(c.place(at))
		} else {
			path.Line(c.place(at))
		}
	}
	c.img.Stroke(path)
}

func (c *pngCanvas) circle(at point, radius float64) vg.Path {
	var path vg.Path
	path.Move(c.place(at.plus(radius, 0)))
	path.Arc(c.place(at), vg.Length(radius)*c.unit, 0, 2*math.Pi)
	path.Close()
	return path
}

func (c *pngCanvas) disc(i ink, at point, radius float64) {
	c.use(i)
	c.img.Fill(c.circle(at, radius))
}

func (c *pngCanvas) ring(p pen, at point, radius float64) {
	c.usePen(p)
	c.img.Stroke(c.circle(at, radius))
}

func (c *pngCanvas) box(i ink, corner point, width, height float64) {
	c.use(i)
	c.img.Fill(vg.Rectangle{Min: c.place(corner.plus(0, height)), Max: c.place(corner.plus(width, 0))}.Path())
}

func (c *pngCanvas) write(l letters, at point, text string) {
	text = l.known(text)
	if l.rim && !c.bare {
		rim(c, l, at, text)
	}
	c.use(ink{color: l.color})
	face := l.face(l.size * c.unit.Points())
	back := -face.Width(text) * vg.Length(l.align) / 2
	c.img.Push()
	c.img.Translate(c.place(at))
	if l.upward {
		c.img.Rotate(math.Pi / 2)
	}
	c.img.FillString(face, vg.Point{X: back}, text)
	c.img.Pop()
}
