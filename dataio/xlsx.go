package dataio

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/nervure/nervure/internal/codec/xlsx"
	"github.com/nervure/nervure/signals"
)

var (
	_ = register(
		workbook(XLSX, 85,
			Description{Name: "Excel workbook", MediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}),
	)
	_ = register(
		workbook(XLSM, 86,
			Description{Name: "Excel workbook with macros", MediaType: "application/vnd.ms-excel.sheet.macroEnabled.12", VariantOf: XLSX}),
	)
)

// workbook is the entry of a kind of workbook in the table.
func workbook(f Format, rank int, about Description) codec {
	c := codec{
		format: f, Description: about, rank: rank, has: []Capability{KeepsNames, HoldsVariables}, isText: true, seeks: true,
		decodeSignals: decodeWorkbook,
	}
	if f == XLSX {
		c.signature, c.holds = signature{"PK\x03\x04", "an Excel workbook", "name it .xlsx"}, "xl/"
	}
	return c
}

// decodeWorkbook reads signals from a sheet of a workbook, as from a table of text. Cells of dates have
// their times, and those of formulas what was calculated when the workbook was saved.
func decodeWorkbook(r io.Reader, o ReadOptions) (*signals.Set, error) {
	at, size, err := seekable(r)
	if err != nil {
		return nil, err
	}
	w, err := xlsx.Open(at, size)
	if err != nil {
		return nil, workbookFault(at, err)
	}
	sheet, rows, notes, err := pickSheet(w, cmp.Or(o.Sheet, o.Variable), o)
	if err != nil {
		return nil, workbookFault(at, err)
	}
	t, err := sheetTable(rows, o)
	if err == nil {
		t.notes = append(notes, t.notes...)
		var s *signals.Set
		if s, err = t.signals(o); err == nil {
			return s, nil
		}
	}
	return nil, inPart("sheet", sheet, err)
}

// sheetTable reads the rows of a sheet.
func sheetTable(rows []xlsx.Row, o ReadOptions) (*table, error) {
	source := &sheetRows{}
	for _, row := range rows {
		if row.Number > o.SkipRows {
			source.rows = append(source.rows, row)
			source.width = max(source.width, len(row.Cells))
		}
	}
	if len(source.rows) == 0 {
		return nil, fault("the sheet is empty")
	}
	const enough = 1000 // rows to find the table by
	s := &textSample{}
	for _, row := range source.rows[:min(len(source.rows), enough)] {
		s.add(source.padded(row.Cells), row.Number, false, false)
	}
	l, _, ok := s.arrange()
	if !ok {
		l = layout{style: s.style}
	}
	source.layout = l
	source.at, _ = slices.BinarySearchFunc(source.rows, l.first(),
		func(row xlsx.Row, line int) int { return cmp.Compare(row.Number, line) })
	t := &table{style: l.style, headerless: l.headerless, sheet: true}
	for _, note := range l.notes {
		t.notes = append(t.notes, inRows(note))
	}
	return t, t.read(source, o)
}

// sheetRows are the rows of a sheet from the names or the first numbers on.
type sheetRows struct {
	layout
	rows  []xlsx.Row
	at    int
	width int
	last  xlsx.Row
}

// padded returns the cells of a row, with those that are empty at its end.
func (s *sheetRows) padded(cells []string) []string {
	if len(cells) == s.width {
		return cells
	}
	return append(slices.Clone(cells), make([]string, s.width-len(cells))...)
}

func (s *sheetRows) next() (row []string, line int, err error) {
	if s.at == len(s.rows) {
		return nil, 0, io.EOF
	}
	here := s.rows[s.at]
	for s.at++; s.at < len(s.rows) && s.rows[s.at].Number < s.data; s.at++ { // what stands between the names and the numbers
	}
	s.last = here
	return s.padded(here.Cells), here.Number, nil
}

func (s *sheetRows) reached() int { return s.last.Number }

// inQuotes reports whether the last row is text throughout, as in a file it would be in quotation marks.
func (s *sheetRows) inQuotes() bool { return s.last.Texts }

// pickSheet returns the sheet to read, with its rows: the one that was asked for, or the only one with a table.
func pickSheet(w *xlsx.Workbook, asked string, o ReadOptions) (name string, rows []xlsx.Row, notes []string, err error) {
	var names, tables []string
	for _, s := range w.Sheets {
		names = append(names, s.Name)
	}
	if asked != "" {
		k := slices.Index(names, asked)
		if k < 0 {
			e := fault("the workbook has no sheet %s: its sheets are %s", quote(asked), someNames(names))
			e.Option = "sheet"
			return "", nil, nil, e
		}
		rows, err = w.Read(w.Sheets[k], o.limit())
		return asked, rows, nil, err
	}
	for _, s := range w.Sheets {
		if s.Hidden {
			continue
		}
		these, err := w.Read(s, o.limit())
		if err != nil {
			return "", nil, nil, inPart("sheet", s.Name, workbookFault(nil, err))
		}
		if holdsTable(these) {
			tables = append(tables, s.Name)
			if rows == nil {
				name, rows = s.Name, these
			}
		}
	}
	switch {
	case len(tables) > 1:
		e := fault("the workbook has several sheets with tables (%s): say which to read", someNames(tables))
		e.Option, e.Variables = "sheet", tables
		return "", nil, nil, e
	case rows == nil:
		return "", nil, nil, fault("no sheet of the workbook holds a table of numbers")
	case len(names) > 1:
		notes = []string{"sheet " + quote(name) + " is read: it is the only one with a table of numbers"}
	}
	return name, rows, notes, nil
}

// holdsTable reports whether there are numbers in several rows.
func holdsTable(rows []xlsx.Row) bool {
	const fewest = 2
	with := 0
	for _, row := range rows {
		if slices.ContainsFunc(row.Cells, func(cell string) bool { return len(cell) > 0 && !isWord(cell) }) {
			with++
		}
	}
	return with >= fewest
}

// workbookFault puts into words what is wrong with a workbook.
func workbookFault(at io.ReaderAt, err error) error {
	const save = "save it as .xlsx"
	formula, isFormula := errors.AsType[*xlsx.FormulaError](err)
	switch {
	case isFormula:
		return fault(
			"cell %s has a formula whose value is not in the file: open the workbook in a spreadsheet program and save it",
			formula.Cell)
	case errors.Is(err, xlsx.ErrCells):
		return fault("there are more cells than can be read: take fewer observations")
	case errors.Is(err, xlsx.ErrBinary):
		return fault("this is a binary workbook (.xlsb): %s", save)
	case !errors.Is(err, xlsx.ErrDamaged):
		return err
	}
	start := make([]byte, 8)
	if at != nil {
		_, _ = at.ReadAt(start, 0)
	}
	if bytes.HasPrefix(start, []byte(oldOffice)) {
		return fault("this is a workbook of Excel 97 to 2003, or one with a password: %s without a password", save)
	}
	return fault("this is not an Excel workbook, or it is damaged: %s again", save)
}
