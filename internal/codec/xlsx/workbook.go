// Package xlsx reads the cells of Excel workbooks (Office Open XML, ISO/IEC 29500): the values of
// cells, those that were stored of formulas included, as the text that a table of text would have.
//
// It is a reader of its own because little of a workbook is wanted. The library of the field
// evaluates formulas, draws and writes, which adds some three megabytes and six modules to a
// program that only reads; and whether a number is a date has to be decided by the format of its cell anyhow.
package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/nervure/nervure/internal/codec/inflate"
)

// What is wrong with a file.
var (
	ErrDamaged = errors.New("xlsx: not a workbook, or damaged")
	ErrBinary  = errors.New("xlsx: a workbook in binary form, .xlsb")
	ErrCells   = errors.New("xlsx: more cells than may be read")
)

// A FormulaError says that a cell has a formula but no value: nobody has calculated it.
type FormulaError struct{ Cell string }

func (e *FormulaError) Error() string {
	return "xlsx: cell " + e.Cell + " holds a formula without its value"
}

// A Workbook is an open file.
type Workbook struct {
	Sheets []Sheet // in their order

	parts    map[string]*zip.File
	texts    []string // shared by cells
	dated    []clock  // of the styles of cells
	from1904 bool
}

// A Sheet is one of a workbook.
type Sheet struct {
	Name   string
	Hidden bool

	part string
}

// Open reads what a workbook holds, but for its cells.
func Open(r io.ReaderAt, size int64) (*Workbook, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, ErrDamaged
	}
	w := &Workbook{parts: map[string]*zip.File{}}
	for _, f := range z.File {
		w.parts[strings.ToLower(strings.TrimPrefix(f.Name, "/"))] = f
	}
	main := "xl/workbook.xml"
	top, err := w.relations("")
	if err != nil {
		return nil, err
	}
	for _, to := range top {
		if strings.HasSuffix(to.kind, "/officeDocument") {
			main = to.target
		}
	}
	if strings.HasSuffix(main, ".bin") {
		return nil, ErrBinary
	}
	if w.parts[strings.ToLower(main)] == nil {
		return nil, ErrDamaged
	}
	return w, w.readMain(main)
}

// readMain reads the list of sheets, and the formats of cells.
func (w *Workbook) readMain(main string) error {
	related, err := w.relations(main)
	if err != nil {
		return err
	}
	err = w.each(main, func(e xml.StartElement, _ *xml.Decoder) error {
		switch e.Name.Local {
		case "workbookPr":
			w.from1904 = isTrue(attribute(e, "date1904"))
		case "sheet":
			to, known := related[attribute(e, "id")]
			if !known {
				return ErrDamaged
			}
			if strings.HasSuffix(to.kind, "/worksheet") { // and not one of a chart
				state := attribute(e, "state")
				w.Sheets = append(w.Sheets, Sheet{attribute(e, "name"), state != "" && state != "visible", to.target})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, to := range related {
		switch {
		case strings.HasSuffix(to.kind, "/styles"):
			err = w.readStyles(to.target)
		case strings.HasSuffix(to.kind, "/sharedStrings"):
			err = w.readTexts(to.target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A relation leads from one part to another.
type relation struct{ kind, target string }

// relations reads where a part leads to, by the names that it uses.
func (w *Workbook) relations(of string) (map[string]relation, error) {
	at := path.Join(path.Dir(of), "_rels", path.Base(of)+".rels")
	if of == "" {
		at = "_rels/.rels"
	}
	list := map[string]relation{}
	if w.parts[strings.ToLower(at)] == nil {
		return list, nil
	}
	err := w.each(at, func(e xml.StartElement, _ *xml.Decoder) error {
		if e.Name.Local != "Relationship" {
			return nil
		}
		target := attribute(e, "Target")
		if !strings.HasPrefix(target, "/") {
			target = path.Join(path.Dir(of), target)
		}
		list[attribute(e, "Id")] = relation{attribute(e, "Type"), strings.TrimPrefix(target, "/")}
		return nil
	})
	return list, err
}

// each visits the elements of a part as they begin. visit may read on.
func (w *Workbook) each(part string, visit func(xml.StartElement, *xml.Decoder) error) error {
	f := w.parts[strings.ToLower(part)]
	if f == nil {
		return ErrDamaged
	}
	r, err := f.Open()
	if err != nil {
		return ErrDamaged
	}
	defer r.Close()
	d := xml.NewDecoder(inflate.NewReader(r, func() int64 { return int64(f.CompressedSize64) }))
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			if e, ok := token.(xml.StartElement); ok {
				err = visit(e, d)
			}
		}
		if err != nil {
			return orDamaged(err)
		}
	}
}

// orDamaged is the error of a part: one of ours, or that it is damaged.
func orDamaged(err error) error {
	var formula *FormulaError
	if errors.Is(err, ErrCells) || errors.Is(err, inflate.ErrRatio) || errors.As(err, &formula) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// readTexts reads the texts that cells share. Those of phonetic guides are no part of them.
func (w *Workbook) readTexts(part string) error {
	return w.each(part, func(e xml.StartElement, d *xml.Decoder) error {
		if e.Name.Local != "si" {
			return nil
		}
		text, err := textIn(d, "si")
		w.texts = append(w.texts, text)
		return err
	})
}

// textIn joins the texts up to the end of an element.
func textIn(d *xml.Decoder, until string) (string, error) {
	var text strings.Builder
	inText, aside := false, 0
	for {
		token, err := d.RawToken()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "t":
				inText = true
			case "rPh":
				aside++
			}
		case xml.EndElement:
			switch t.Name.Local {
			case until:
				return text.String(), nil
			case "t":
				inText = false
			case "rPh":
				aside--
			}
		case xml.CharData:
			if inText && aside == 0 {
				text.Write(t)
			}
		}
	}
}

// readStyles reads which formats of cells are of dates.
func (w *Workbook) readStyles(part string) error {
	codes, inCells := map[int]string{}, false
	return w.each(part, func(e xml.StartElement, _ *xml.Decoder) error {
		switch e.Name.Local {
		case "numFmt":
			id, err := strconv.Atoi(attribute(e, "numFmtId"))
			if err == nil {
				codes[id] = attribute(e, "formatCode")
			}
		case "cellStyleXfs", "dxfs", "cellStyles":
			inCells = false
		case "cellXfs":
			inCells = true
		case "xf":
			if !inCells {
				return nil
			}
			id, err := strconv.Atoi(attribute(e, "numFmtId"))
			if err != nil {
				id = 0
			}
			kind := builtIn(id)
			if code, own := codes[id]; own {
				kind = clockOf(code)
			}
			w.dated = append(w.dated, kind)
		}
		return nil
	})
}

// attribute returns one of an element, empty if it has none.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func isTrue(text string) bool { return text == "1" || text == "true" || text == "on" }
