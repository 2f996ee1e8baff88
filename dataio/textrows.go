package dataio

import (
	"errors"
	"io"
	"strings"

	"github.com/nervure/nervure/dataio/internal/parse"
)

// A rowSource is the rows of a table, the first of which may be names.
type rowSource interface {
	// next returns the next row that is not blank and where it stands. The slice is valid until the next
	// call, the strings for ever. The error is io.EOF after the last row.
	next() (row []string, line int, err error)
	// inQuotes reports whether all cells of that row were in quotation marks, or text of a sheet.
	inQuotes() bool
	// reached is the last line that was read.
	reached() int
}

// A textTable is a table in a text, where its layout says.
type textTable struct {
	*rowReader
	layout
	begun bool
}

// openTable finds the table in a text.
func (d delimited) openTable(r io.Reader, o ReadOptions) (*textTable, error) {
	text, err := openText(r, o.Encoding)
	if err != nil {
		return nil, err
	}
	known, err := separatorOf(o.Delimiter)
	if err != nil {
		return nil, fault("delimiter %s: %s", quote(o.Delimiter), err)
	}
	if known == 0 && d.fixed {
		known = d.separator
	}
	l := layoutOf(text.start, text.more, known, o.SkipRows)
	t := &textTable{layout: l, rowReader: &rowReader{r: text.r, sep: l.separator, oneByte: o.Encoding == "" && text.encoding == ""}}
	if text.encoding != "" {
		note(&t.notes, "the text is %s", strings.ToUpper(text.encoding))
	}
	if err := t.skipTo(max(o.SkipRows+1, l.header, l.first())); errors.Is(err, io.EOF) {
		return nil, fault("the file has %d lines, and all of them are to be skipped", t.line)
	} else if err != nil {
		return nil, err
	}
	return t, nil
}

// first is the line from which on rows are read.
func (l layout) first() int {
	if l.header > 0 {
		return l.header
	}
	return l.data
}

// next returns the names and then the rows of numbers.
func (t *textTable) next() ([]string, int, error) {
	if !t.begun {
		t.begun = true
		row, line, err := t.rowReader.next()
		if err != nil || t.header == 0 {
			t.rowReader.comment = t.layout.comment
			return row, line, err
		}
		row = t.names(row)
		t.rowReader.comment = t.layout.comment
		return row, line, t.skipTo(t.data)
	}
	return t.rowReader.next()
}

// names are the names of the columns, without the mark of a remark.
func (t *textTable) names(row []string) []string {
	if t.cornerless {
		row = append([]string{""}, row...)
	}
	if t.layout.comment == "" {
		return row
	}
	rest, marked := strings.CutPrefix(row[0], t.layout.comment)
	marked = marked && !t.quoted
	if rest = strings.TrimSpace(rest); marked && (rest != "" || t.sep != ' ') {
		row[0] = rest
	} else if marked { // blanks behind the mark separate it from the names
		row = row[1:]
	}
	return row
}

func (t *textTable) reached() int { return t.line }

// told are the notes on what was found out.
func (t *textTable) told() []string {
	notes := t.notes
	switch t.sep {
	case ' ':
		note(&notes, "cells are separated by runs of blanks")
	case ',', ';', '\t':
	default:
		note(&notes, "cells are separated by %s", quote(string(rune(t.sep))))
	}
	switch s := t.style; {
	case s.Group == '.':
		note(&notes, "numbers have points between thousands and decimal commas: 1.234,5 is read as 1234.5")
	case s.Group == ',':
		note(&notes, "numbers have commas between thousands: 1,234.5 is read as 1234.5")
	case s.DecimalComma && t.sep != ';':
		note(&notes, "numbers have decimal commas: 1,5 is read as 1.5")
	}
	if t.converted > 0 {
		note(&notes, "%s is not UTF-8, and the text is read as Windows-1252", place(t.converted, 0))
	}
	switch {
	case t.comments == 1:
		note(&notes, "a line below that begins with %s is left out", t.layout.comment)
	case t.comments > 1:
		note(&notes, "%d lines below that begin with %s are left out", t.comments, t.layout.comment)
	}
	return notes
}

// delimiterWords are what separators are called.
var delimiterWords = map[string]byte{
	"comma": ',', "semicolon": ';', "tab": '\t', `\t`: '\t', "pipe": '|', "colon": ':', "blank": ' ', "space": ' ', "whitespace": ' ',
}

// separatorOf returns the separator that is asked for, 0 for none.
func separatorOf(asked string) (byte, error) {
	if asked == "" {
		return 0, nil
	}
	if c, ok := delimiterWords[asked]; ok {
		return c, nil
	}
	if c := asked[0]; len(asked) == 1 && (c == '\t' || c >= ' ' && c < 0x7f) && !strings.ContainsRune(`"'+-.`, rune(c)) &&
		parse.IsText("1"+asked+"1", false) &&
		!isLetter(c) {
		return c, nil
	}
	return 0, fault("want comma, semicolon, tab, pipe, blank or another single character that is no letter or digit")
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// CheckDelimiter refuses what cannot separate the cells of a table.
func CheckDelimiter(asked string) error {
	_, err := separatorOf(asked)
	return err
}
