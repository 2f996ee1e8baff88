package figure

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"strings"
)

// A Drawing is what can be put on a page: a Network, Charts, Fields or a Matrix.
type Drawing interface {
	about() string                              // for those who cannot see it
	size(width float64) (w, h float64)          // in units; a width of zero means one of its own
	draw(c canvas, corner point, width float64) // as wide as size says
}

// A Format is a kind of file.
type Format string

// The formats.
const (
	SVG Format = "svg" // letters and lines of middle lightness, without a background
	PNG Format = "png" // on white, 300 dots an inch
	PDF Format = "pdf" // with its letters in the file
)

// FormatOf tells the format from the extension of a file.
func FormatOf(path string) (f Format, ok bool) {
	switch f = Format(strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")); f {
	case SVG, PNG, PDF:
		return f, true
	}
	return "", false
}

// mmPerUnit makes letters of 11 units 7 points high, as they are in journals.
const mmPerUnit = 0.225

// A Page is what a drawing is put on.
type Page struct {
	// Width is in mm, and letters have the size that print has. Zero stands for
	// the width that the drawing has by itself.
	Width   float64
	Heading string // above the drawing; empty for none
	bare    bool   // a PNG image has no paper behind it
}

// headRoom is the height of a heading, in units.
const headRoom = 28.0

// DataURL returns a drawing as the address of an SVG image, for a page that is a single file.
func DataURL(d Drawing) (template.URL, error) { return dataURL(d, SVG, "image/svg+xml") }

// ImageURL is [DataURL] as a PNG image without paper, for a drawing of very many parts.
func ImageURL(d Drawing) (template.URL, error) { return dataURL(d, PNG, "image/png") }

func dataURL(d Drawing, f Format, kind string) (template.URL, error) {
	var b bytes.Buffer
	if err := Write(&b, f, Page{bare: true}, d); err != nil {
		return "", err
	}
	return template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(b.Bytes())), nil
}

// Write draws on a page.
func Write(w io.Writer, f Format, p Page, d Drawing) error {
	mm := p.Width
	width, height := d.size(mm / mmPerUnit)
	if p.Heading != "" {
		height += headRoom
	}
	draw := func(c canvas) {
		corner := point{}
		if p.Heading != "" {
			c.write(headings, point{margin, 20}, headings.fitted(p.Heading, width-2*margin))
			corner.y = headRoom
		}
		d.draw(c, corner, width)
	}
	if mm == 0 && f != SVG {
		mm = width * mmPerUnit
	}
	switch f {
	case SVG:
		var c svgCanvas
		draw(&c)
		_, err := w.Write(c.document(d.about(), width, height, mm))
		return err
	case PNG:
		c := newPNGCanvas(width, height, mm, p.bare)
		draw(c)
		return c.writeTo(w)
	case PDF:
		c := newPDFCanvas(d.about(), width, height, mm)
		draw(c)
		return c.writeTo(w)
	}
	return fmt.Errorf("figure.Write: format: got %q, want %s, %s or %s", f, SVG, PNG, PDF)
}
