package dataio

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/nervure/nervure/dataio/internal/parse"
)

// maxLine bounds a line of a table, to some million cells. Quoted cells may have
// several.
const maxLine = 1 << 26

// A rowReader reads the rows of a text table. It differs from encoding/csv in that
// it trims cells but not quoted ones, takes a quote inside an unquoted cell for
// itself, keeps line ends inside quotes as they are, and insists on UTF-8.
type rowReader struct {
	r       *bufio.Reader
	sep     byte   // blank for runs of blanks and tabs
	comment string // how lines begin that are passed over; empty for none
	line    int    // the last line read, from 1

	// A line that is no UTF-8 is Windows-1252 if oneByte allows it and none before had characters
	// of UTF-8.
	oneByte, unicode bool
	quoted           bool // the first cell of the last row was
	quotes           int  // how many cells of it were
	converted        int  // the first line that was Windows-1252; 0 for none
	comments         int  // lines that were passed over

	long []byte // a line that does not fit into r's buffer
	text []byte // the cells of a row, one after another
	end  []int  // where each of them ends in text
	row  []string
}

// newRowReader starts reading a table. A separator of 0 is told from the first
// lines.
func newRowReader(r io.Reader, sep byte) (*rowReader, error) {
	text, err := openText(r, "")
	if err != nil {
		return nil, err
	}
	if sep == 0 {
		sep = separator(text.start, text.more)
	}
	return &rowReader{r: text.r, sep: sep}, nil
}

// An openedText is a text of which the start has been looked at.
type openedText struct {
	r        *bufio.Reader
	start    []byte // valid until r is read
	more     bool   // there is more than the start
	encoding string // that was told by the start; empty for UTF-8 and what was asked for
}

// openText begins to read a text in an encoding, after its byte order mark. An empty encoding is told
// by how the text starts, or UTF-8.
func openText(r io.Reader, encoding string) (t openedText, err error) {
	t.r = bufio.NewReaderSize(r, inputBuffer)
	start, _ := t.r.Peek(inputBuffer / 2)
	if err := recognise(start); err != nil {
		return t, err
	}
	if t.r, t.encoding, err = decoded(t.r, encoding); err != nil {
		return t, err
	}
	if bom, _ := t.r.Peek(3); string(bom) == "\ufeff" {
		_, _ = t.r.Discard(len(bom))
	}
	t.start, err = t.r.Peek(inputBuffer / 2)
	if err != nil && !errors.Is(err, io.EOF) {
		return t, err
	}
	t.more = err == nil
	return t, checkText(t.start)
}

// inQuotes reports whether all cells of the last row were in quotation marks.
func (r *rowReader) inQuotes() bool { return r.quotes == len(r.row) }

// decimalComma reports whether a number may have a decimal comma.
func (r *rowReader) decimalComma() bool { return r.sep == ';' }

func (r *rowReader) isText(cell string) bool { return parse.IsText(cell, r.decimalComma()) }

// each visits the rows that are not blank, with the line each starts on. The slice is valid
// until visit returns.
func (r *rowReader) each(visit func(row []string, line int) error) error {
	for {
		row, line, err := r.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = visit(row, line)
		}
		if err != nil {
			return err
		}
	}
}

// next returns the cells of the next row that is not blank, and the line it
// starts on. The slice is valid until the next call, the strings for ever. The
// error is io.EOF after the last row.
func (r *rowReader) next() (row []string, line int, err error) {
	var rest []byte
	for {
		if rest, err = r.readLine(); err != nil {
			return nil, 0, err
		}
		if r.comment != "" && bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte(r.comment)) {
			r.comments++
			continue
		}
		if len(bytes.TrimSpace(rest)) > 0 || r.sep != ' ' && bytes.IndexByte(rest, r.sep) >= 0 {
			break
		}
	}
	line = r.line
	if r.sep == ' ' { // the cells that are aligned by blanks may have some on both sides
		rest = bytes.TrimSpace(rest)
	}
	r.quoted = bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte(`"`))
	r.text, r.end, r.row, r.quotes = r.text[:0], r.end[:0], r.row[:0], 0
	for more := true; more; {
		if rest, more, err = r.cell(rest); err != nil {
			return nil, 0, err
		}
		r.end = append(r.end, len(r.text))
	}
	all, start := string(r.text), 0 // one allocation for the row
	for _, end := range r.end {
		r.row = append(r.row, all[start:end])
		start = end
	}
	return r.row, line, nil
}

// cell appends the first cell of rest to the text, and returns what follows its
// separator, if there is one.
func (r *rowReader) cell(rest []byte) (after []byte, more bool, err error) {
	open := bytes.TrimLeft(rest, " ")
	if len(open) == 0 || open[0] != '"' {
		cell, after, more := bytes.Cut(rest, []byte{r.sep})
		if r.sep == ' ' {
			if k := bytes.IndexByte(cell, '\t'); k >= 0 {
				cell, after, more = rest[:k], rest[k+1:], true
			}
			after = bytes.TrimLeft(after, " \t")
		}
		r.text = append(r.text, bytes.TrimSpace(cell)...)
		return after, more, nil
	}
	r.quotes++
	opened := r.line
	for rest = open[1:]; ; {
		i := bytes.IndexByte(rest, '"')
		switch {
		case i < 0:
			r.text = append(r.text, rest...)
			if len(r.text) > maxLine {
				return nil, false, faultAt(opened, 0,
					"a quotation mark is opened and not closed for %d bytes: close it, or double it if it belongs to the text",
					maxLine)
			}
			rest, err = r.readLine()
			if errors.Is(err, io.EOF) {
				return nil, false, faultAt(opened, 0,
					"a quotation mark is opened and never closed: close it, or double it if it belongs to the text")
			}
			if err != nil {
				return nil, false, err
			}
		case i+1 < len(rest) && rest[i+1] == '"':
			r.text = append(r.text, rest[:i+1]...)
			rest = rest[i+2:]
		default:
			r.text = append(r.text, rest[:i]...)
			gap, after, more := bytes.Cut(rest[i+1:], []byte{r.sep})
			if r.sep == ' ' {
				after = bytes.TrimLeft(after, " \t")
			}
			if len(bytes.TrimSpace(gap)) > 0 {
				return nil, false, faultAt(r.line, 0,
					"there is text after a closing quotation mark: double the marks that belong to the text")
			}
			return after, more, nil
		}
	}
}

// readLine returns the next line with its end. It is valid until the next call.
func (r *rowReader) readLine() ([]byte, error) {
	line, err := r.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		r.long = r.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) {
			if len(r.long) > maxLine {
				return nil, faultAt(r.line+1, 0, "this line is longer than %d bytes: is this a table, and are its lines ended?", maxLine)
			}
			r.long = append(r.long, line...)
			line, err = r.r.ReadSlice('\n')
		}
		r.long = append(r.long, line...)
		line = r.long
	}
	if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
		return nil, err
	}
	r.line++
	if bytes.IndexByte(line, 0) >= 0 {
		return nil, r.notText()
	}
	if !isASCII(line) {
		return r.beyondASCII(line)
	}
	return line, nil
}

// beyondASCII returns a line in UTF-8 that has more than ASCII.
func (r *rowReader) beyondASCII(line []byte) ([]byte, error) {
	if utf8.Valid(line) && r.converted == 0 {
		r.unicode = true
		return line, nil
	}
	if !r.oneByte || r.unicode {
		return nil, r.notText()
	}
	text, ok := fromWindows1252(line)
	if !ok {
		return nil, r.notText()
	}
	if r.converted == 0 {
		r.converted = r.line
	}
	return text, nil
}

func (r *rowReader) notText() error {
	return faultAt(r.line, 0, "this is not UTF-8 text: save the file as UTF-8, or name it by its true format")
}

// skipTo passes over what stands before a line.
func (r *rowReader) skipTo(line int) error {
	for r.line < line-1 {
		if _, err := r.readLine(); err != nil {
			return err
		}
	}
	return nil
}

// separator tells what separates the cells of a table from how it starts: what
// stands equally often on every line or, failing that, at least once on every
// line or, failing that, most often. Ties go to the tab, then the semicolon,
// because commas are frequent inside cells and the others are not. cut says
// that the last line may be incomplete.
func separator(start []byte, cut bool) byte {
	const candidates = "\t;,"
	var total, least, most [len(candidates)]int
	lines := 0
	for len(start) > 0 {
		var count [len(candidates)]int
		line := 0
		quoted, done := false, false
		for !done && line < len(start) {
			switch c := start[line]; {
			case c == '"':
				quoted = !quoted
			case quoted:
			case c == '\n':
				done = true
			default:
				if i := strings.IndexByte(candidates, c); i >= 0 {
					count[i]++
				}
			}
			line++
		}
		blank := len(bytes.TrimSpace(start[:line])) == 0
		start = start[line:]
		if blank || cut && !done && lines > 0 {
			continue
		}
		for i, n := range count {
			total[i] += n
			if lines == 0 {
				least[i] = n
			}
			least[i], most[i] = min(least[i], n), max(most[i], n)
		}
		lines++
	}
	for i := range candidates {
		if least[i] > 0 && least[i] == most[i] {
			return candidates[i]
		}
	}
	for i := range candidates {
		if least[i] > 0 {
			return candidates[i]
		}
	}
	best := slices.Max(total[:])
	if best == 0 {
		return ','
	}
	return candidates[slices.Index(total[:], best)]
}

// textLines reads a text that has one thing a line, without blank lines but at its end. The
// sentences about it say what there is one of, and what to do for each.
func textLines(r io.Reader, one, each string, limit int64) ([]string, error) {
	opened, err := openText(r, "")
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(opened.r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fault("there are more than %d bytes of %ss: is this the right file?", limit, one)
	}
	lines := strings.Split(string(text), "\n")
	blank := func(line string) bool { return strings.TrimSpace(line) == "" }
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return nil, fault("there are no %ss in the file: write one per line", one)
	}
	for i, line := range lines {
		if blank(line) {
			return nil, faultAt(i+1, 0, "there is no %s here: %s, one per line", one, each)
		}
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return lines, nil
}

// appendCell appends a cell, quoted if it would not read back as it is.
func appendCell(b []byte, cell string) []byte {
	if cell != "" && strings.TrimSpace(cell) == cell && !strings.ContainsAny(cell, "\"\r\n,;\t") && !strings.HasPrefix(cell, "\ufeff") {
		return append(b, cell...)
	}
	return appendQuoted(b, cell)
}

// appendQuoted appends a cell in quotation marks.
func appendQuoted(b []byte, cell string) []byte {
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(cell, `"`, `""`)...)
	return append(b, '"')
}

// appendNumber appends v in the fewest digits that read back as v.
func appendNumber(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) }

func formatNumber(v float64) string { return string(appendNumber(nil, v)) }
