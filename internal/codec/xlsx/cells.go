package xlsx

import (
	"encoding/xml"
	"slices"
	"strconv"
	"strings"
)

// A Row is the cells of a row of a sheet, up to the last that is not empty.
type Row struct {
	Number int // from 1
	Cells  []string
	Texts  bool // all cells that are not empty are text, as numbers may be that name columns
}

const (
	mostColumns = 1 << 14 // as Excel has
	mostRows    = 1 << 20
)

// Read reads the rows of a sheet that are not empty. If there are more than that many
// cells, counted with those that are empty before others, the error is ErrCells.
func (w *Workbook) Read(s Sheet, most int) ([]Row, error) {
	var rows []Row
	number, cells := 0, 0
	err := w.each(s.part, func(e xml.StartElement, d *xml.Decoder) error {
		if e.Name.Local != "row" {
			return nil
		}
		number++
		if r := attribute(e, "r"); r != "" {
			n, err := strconv.Atoi(r)
			if err != nil || n < number || n > mostRows {
				return ErrDamaged
			}
			number = n
		}
		row, texts, err := w.row(d, number, most-cells)
		if err != nil {
			return err
		}
		if len(row) > 0 {
			rows, cells = append(rows, Row{number, row, texts}), cells+len(row)
		}
		return nil
	})
	return rows, err
}

// textKinds are the kinds of cells that hold text: shared, within the cell, and calculated.
var textKinds = []string{"s", "inlineStr", "str"}

// row reads the cells of a row; texts says that all that are not empty are text.
func (w *Workbook) row(d *xml.Decoder, number, most int) (row []string, texts bool, err error) {
	texts = true
	column := 0
	for {
		token, err := d.RawToken()
		if err != nil {
			return nil, false, err
		}
		switch t := token.(type) {
		case xml.EndElement:
			if t.Name.Local == "row" {
				return row, texts, nil
			}
		case xml.StartElement:
			if t.Name.Local != "c" {
				continue
			}
			column++
			if ref := attribute(t, "r"); ref != "" {
				if column = columnOf(ref); column < 1 || column > mostColumns || column <= len(row) {
					return nil, false, ErrDamaged
				}
			}
			text, err := w.cell(d, t, number, column)
			if err != nil {
				return nil, false, err
			}
			if text == "" {
				continue
			}
			if column > most {
				return nil, false, ErrCells
			}
			for len(row) < column-1 {
				row = append(row, "")
			}
			row, texts = append(row, text), texts && slices.Contains(textKinds, attribute(t, "t"))
		}
	}
}

// cell reads what a cell shows.
func (w *Workbook) cell(d *xml.Decoder, e xml.StartElement, row, column int) (string, error) {
	kind := attribute(e, "t")
	var value strings.Builder
	formula, stored, in := false, false, ""
	for done := false; !done; {
		token, err := d.RawToken()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch in = t.Name.Local; in {
			case "f":
				formula = true
			case "v":
				stored = true
			case "is":
				text, err := textIn(d, "is")
				if err != nil {
					return "", err
				}
				value.WriteString(text)
				in = ""
			}
		case xml.EndElement:
			in, done = "", t.Name.Local == "c"
		case xml.CharData:
			if in == "v" {
				value.Write(t)
			}
		}
	}
	text := value.String()
	switch {
	case formula && (!stored || text == "" && kind != "str"):
		return "", &FormulaError{Name(row, column)}
	case kind == "s":
		k, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || k < 0 || k >= len(w.texts) {
			return "", ErrDamaged
		}
		return strings.TrimSpace(w.texts[k]), nil
	case kind == "b":
		return map[string]string{"1": "TRUE", "0": "FALSE"}[text], nil
	case kind == "d":
		return strings.Replace(text, "T", " ", 1), nil
	case kind == "" || kind == "n":
		text = strings.TrimSpace(text)
		style, err := strconv.Atoi(attribute(e, "s"))
		if err == nil && style >= 0 && style < len(w.dated) && w.dated[style] != noClock && text != "" {
			return w.timed(text, w.dated[style]), nil
		}
		return text, nil
	}
	return strings.TrimSpace(text), nil
}

// columnOf returns the column of a reference such as AB12, from 1; 0 if it is none.
func columnOf(ref string) int {
	column := 0
	for k := 0; k < len(ref) && k < 4; k++ {
		c := ref[k]
		switch {
		case c >= 'A' && c <= 'Z':
			column = 26*column + int(c-'A') + 1
		case c >= '0' && c <= '9' && k > 0:
			return column
		default:
			return 0
		}
	}
	return 0
}

// Name returns what a spreadsheet calls a cell, such as AB12; row and column count from 1. A row
// of 0 leaves its number out.
func Name(row, column int) string {
	var letters string
	for ; column > 0; column = (column - 1) / 26 {
		letters = string(rune('A'+(column-1)%26)) + letters
	}
	if row == 0 {
		return letters
	}
	return letters + strconv.Itoa(row)
}
