package figure

import (
	"fmt"
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

// Write draws on a page of the given width in mm, with letters of the size that
// print has; zero stands for the width that the drawing has by itself.
func Write(w io.Writer, f Format, mm float64, d Drawing) error {
	width, height := d.size(mm / mmPerUnit)
	if mm == 0 && f != SVG {
		mm = width * mmPerUnit
	}
	switch f {
	case SVG:
		var c svgCanvas
		d.draw(&c, point{}, width)
		_, err := w.Write(c.document(d.about(), width, height, mm))
		return err
	case PNG:
		c := newPNGCanvas(width, height, mm)
		d.draw(c, point{}, width)
		return c.writeTo(w)
	case PDF:
		c := newPDFCanvas(d.about(), width, height, mm)
		d.draw(c, point{}, width)
		return c.writeTo(w)
	}
	return fmt.Errorf("figure.Write: format: got %q, want %s, %s or %s", f, SVG, PNG, PDF)
}
