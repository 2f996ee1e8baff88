package figure

import (
	"io"
	"math"
	"time"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-pdf/fpdf"
)

// A pdfCanvas is a page as large as the drawing. It does without gonum/plot, whose
// PDF has no letters beyond those of western Europe, and holds the time of day.
type pdfCanvas struct {
	doc  *fpdf.Fpdf
	unit float64 // in points
}

// day stands in the file for the time when it was made: equal drawings are equal
// files.
var day = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

const pdfFont = "Liberation Sans"

func newPDFCanvas(title string, width, height, mm float64) *pdfCanvas {
	const pointsPerMM = 72 / 25.4
	c := &pdfCanvas{unit: mm / width * pointsPerMM}
	c.doc = fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: width * c.unit, Ht: height * c.unit}})
	c.doc.SetCatalogSort(true)
	c.doc.SetCreationDate(day)
	c.doc.SetModificationDate(day)
	c.doc.SetTitle(letters{}.known(title), true)
	c.doc.SetAutoPageBreak(false, 0)
	c.doc.AddUTF8FontFromBytes(pdfFont, "", liberationsansregular.TTF)
	c.doc.AddUTF8FontFromBytes(pdfFont, "B", liberationsansbold.TTF)
	c.doc.AddPage()
	c.doc.SetLineJoinStyle("round")
	return c
}

func (c *pdfCanvas) writeTo(w io.Writer) error { return c.doc.Output(w) }

func (c *pdfCanvas) use(i ink) {
	i = i.onPaper()
	r, g, b := int(i.color[0]), int(i.color[1]), int(i.color[2])
	c.doc.SetFillColor(r, g, b)
	c.doc.SetDrawColor(r, g, b)
	c.doc.SetTextColor(r, g, b)
	c.doc.SetAlpha(math.Round(100*(1-i.faint))/100, "Normal") // each is an object in the file
}

func (c *pdfCanvas) usePen(p pen) {
	c.use(p.ink)
	c.doc.SetLineWidth(p.width * c.unit)
	c.doc.SetLineCapStyle([2]string{"butt", "round"}[map[bool]int{true: 1}[p.round]])
	dash := make([]float64, len(p.dash))
	for k, d := range p.dash {
		dash[k] = d * c.unit
	}
	c.doc.SetDashPattern(dash, 0)
}

func (c *pdfCanvas) line(p pen, from, to point) { c.curve(p, []point{from, to}) }

func (c *pdfCanvas) curve(p pen, places []point) {
	c.usePen(p)
	for k, at := range places {
		if k == 0 {
			c.doc.MoveTo(at.x*c.unit, at.y*c.unit)
		} else {
			c.doc.LineTo(at.x*c.unit, at.y*c.unit)
		}
	}
	c.doc.DrawPath("D")
}

func (c *pdfCanvas) disc(i ink, at point, radius float64) {
	c.use(i)
	c.doc.Circle(at.x*c.unit, at.y*c.unit, radius*c.unit, "F")
}

func (c *pdfCanvas) ring(p pen, at point, radius float64) {
	c.usePen(p)
	c.doc.Circle(at.x*c.unit, at.y*c.unit, radius*c.unit, "D")
}

func (c *pdfCanvas) box(i ink, corner point, width, height float64) {
	c.use(i)
	c.doc.Rect(corner.x*c.unit, corner.y*c.unit, width*c.unit, height*c.unit, "F")
}

func (c *pdfCanvas) write(l letters, at point, text string) {
	text = l.known(text)
	if l.rim {
		rim(c, l, at, text)
	}
	style := ""
	if l.bold {
		style = "B"
	}
	c.use(ink{color: l.color})
	c.doc.SetFont(pdfFont, style, l.size*c.unit)
	x, y := at.x*c.unit, at.y*c.unit
	back := c.doc.GetStringWidth(text) * float64(l.align) / 2
	if !l.upward {
		c.doc.Text(x-back, y, text)
		return
	}
	c.doc.TransformBegin()
	c.doc.TransformRotate(90, x, y)
	c.doc.Text(x-back, y, text)
	c.doc.TransformEnd()
}
