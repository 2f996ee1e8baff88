package dataio

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/nervure/nervure/dataio/internal/parse"
)

// A layout says where in a file a table stands, and how it is written. The zero layout, but for
// its separator, is a table from the first line on, whose first row is a header if it has text.
type layout struct {
	separator byte
	style     parse.Style
	comment   string // how lines begin that are passed over; empty for none

	header     int  // the line of the names; 0 if it is not certain that there are any, or that there are none
	data       int  // the line of the first numbers; 0 for the one after the header
	headerless bool // the first row is one of numbers although some cells are text
	cornerless bool // the header lacks the cell above the row labels
	notes      []string
}

// commentMarks begin lines of remarks.
var commentMarks = []string{"#", "%", "//"}

// A textSample is the rows that a file starts with, in the cells of one separator.
type textSample struct {
	rows      [][]string
	lines     []int
	quoted    []bool // which of the rows begin with a quotation mark
	quotes    []bool // which of them have all cells in quotation marks
	remarks   []bool // which of them begin with a mark for remarks, outside of quotation marks
	separator byte
	style     parse.Style
}

// layoutOf finds the table in a text that starts so; more says that it goes on. A separator that is
// known is not looked for, and lines that are to be skipped are not looked at.
func layoutOf(start []byte, more bool, known byte, skip int) layout {
	for range skip {
		_, start, _ = bytes.Cut(start, []byte("\n"))
	}
	first := known
	if first == 0 {
		first = separator(start, more)
	}
	usual := takeSample(start, more, first, skip)
	if l, _, ok := usual.arrange(); ok || known != 0 || usual.style.Unclear != 0 {
		if !ok {
			return layout{separator: first, style: usual.style}
		}
		return l
	}
	best, most := layout{separator: first, style: usual.style}, 0
	for _, other := range []byte("\t;,| ") {
		if other == first || other == ' ' && usual.isEven() {
			continue
		}
		s := takeSample(start, more, other, skip)
		if l, numbers, ok := s.arrange(); ok && numbers > most && s.width() > 1 {
			best, most = l, numbers
		}
	}
	return best
}

// takeSample reads the rows that are whole.
func takeSample(start []byte, more bool, separator byte, skipped int) *textSample {
	if end := bytes.LastIndexByte(start, '\n'); more && end >= 0 {
		start = start[:end+1]
	}
	s := &textSample{separator: separator}
	text, err := openText(bytes.NewReader(start), utf8Name)
	if err != nil {
		return s
	}
	r := &rowReader{r: text.r, sep: separator, line: skipped, oneByte: true}
	_ = r.each(func(row []string, line int) error { // what is wrong is said where all is read
		row = slices.Clone(row)
		if separator == ' ' && len(row) > 1 && slices.Contains(commentMarks, row[0]) { // which is no cell
			row[1] = row[0] + " " + row[1]
			row = row[1:]
		}
		s.add(row, line, r.quoted, r.inQuotes())
		return nil
	})
	return s
}

// add adds a row, the first cell or all cells of which may be in quotation marks.
func (s *textSample) add(row []string, line int, first, all bool) {
	s.rows, s.lines = append(s.rows, row), append(s.lines, line)
	s.quoted, s.quotes, s.remarks = append(s.quoted, first), append(s.quotes, all), append(s.remarks, !first && markOf(row[0]) != "")
}

// findStyle finds how the numbers are written, from some rows. Names and labels say nothing of it.
func (s *textSample) findStyle(rows [][]string) {
	var seen parse.Styling
	for _, row := range rows {
		for c, cell := range row {
			if c > 0 || len(row) == 1 {
				seen.Add(cell)
			}
		}
	}
	s.style = seen.Style(s.separator == ';')
	if (s.separator == ';' || s.separator == '\t') && s.style.Group == 0 { // as where decimals may have commas
		s.style.Unclear = seen.Unclear(columnsOf(rows))
	}
	s.style.Blanks = s.separator != ' '
}

// columnsOf visits the columns of rows.
func columnsOf(rows [][]string) iter.Seq[iter.Seq[string]] {
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	return func(yield func(iter.Seq[string]) bool) {
		for c := range width {
			column := func(yield func(string) bool) {
				for _, row := range rows {
					if c < len(row) && !yield(row[c]) {
						return
					}
				}
			}
			if !yield(column) {
				return
			}
		}
	}
}

// isEven reports whether the rows have as many cells as each other, more than one, below a first row with words: blanks
// in such a table stand within cells.
func (s *textSample) isEven() bool {
	return len(s.rows) > 1 && len(s.rows[0]) > 1 && slices.ContainsFunc(s.rows[0], isWord) &&
		!slices.ContainsFunc(s.rows, func(row []string) bool { return len(row) != len(s.rows[0]) })
}

// width is how many cells a row of the table has: the last row, which is none of a title.
func (s *textSample) width() int {
	if len(s.rows) == 0 {
		return 0
	}
	return len(s.rows[len(s.rows)-1])
}

// columnKinds is what is known of the columns of a table from its last rows.
type columnKinds struct {
	number []bool
	stamps bool // the first column has times
}

// A rowKind is what a row says of itself.
type rowKind struct {
	fits                   bool // as many cells as the table has, but for empty ones
	numbers, texts, filled int  // cells; numbers and texts among those of the columns of numbers
}

// kind looks at a row.
func (s *textSample) kind(row []string, width int, k columnKinds) rowKind {
	var kind rowKind
	kind.fits = fits(row, width)
	for c, cell := range row {
		if cell != "" {
			kind.filled++
		}
		if c >= width || !k.number[c] {
			continue
		}
		switch _, is := s.style.Cell(cell); is {
		case parse.Number:
			kind.numbers++
		case parse.Text:
			kind.texts++
		}
	}
	return kind
}

// fits reports whether a row has that many cells, or more of which the others are empty.
func fits(row []string, width int) bool {
	return len(row) >= width && !slices.ContainsFunc(row[width:], func(cell string) bool { return cell != "" })
}

// arrange finds the table among the rows, and counts its numbers. It is not ok if the rows do not say
// clearly where it begins: the file is then read from its first row, and refused where that is wrong.
func (s *textSample) arrange() (l layout, numbers int, ok bool) {
	l = layout{separator: s.separator, style: s.style}
	s.dropRemarks()
	rows := s.rows
	for len(rows) > 0 && isBlank(rows[len(rows)-1]) {
		rows = rows[:len(rows)-1]
	}
	if len(rows) < 2 {
		return l, 0, len(rows) == 1 && s.separator != ' ' && len(rows[0]) > 1
	}
	width := len(rows[len(rows)-1])
	last := rows[len(rows)-1]
	isShort := func(row []string) bool { return len(row) < width && fits(last, len(row)) }
	for width > 1 && last[width-1] == "" && slices.ContainsFunc(rows, isShort) {
		width-- // a separator too many at the end of lines, which that of the header lacks
	}
	if s.findStyle(rows); s.style.Unclear != 0 {
		return l, 0, false
	}
	data, kinds := s.dataFrom(rows, width)
	if style := s.style; data > 0 && data < len(rows) {
		if s.findStyle(rows[data:]); s.style != style { // what stands above has none of numbers
			data, kinds = s.dataFrom(rows, width)
		}
	}
	l.style = s.style
	for _, row := range rows[data:] {
		numbers += s.kind(row, width, kinds).numbers
	}
	if numbers == 0 || s.hasSpoilt(rows[data:], width, kinds) || !s.headIsNone(rows[:data], width, kinds) {
		return l, 0, false
	}
	return l, numbers, s.placeHeader(&l, rows, data, width, kinds)
}

// dropRemarks drops the remarks below the first row that is none, if the file begins with remarks.
func (s *textSample) dropRemarks() {
	if len(s.rows) == 0 || !s.remarks[0] {
		return
	}
	mark, within := markOf(s.rows[0][0]), false
	left := textSample{separator: s.separator, style: s.style}
	for k, row := range s.rows {
		is := s.remarks[k] && markOf(row[0]) == mark
		if within = within || !is; !is || !within {
			left.add(row, s.lines[k], s.quoted[k], s.quotes[k])
		}
	}
	*s = left
}

// hasSpoilt reports whether a column has text that may be meant for numbers: the cells may have another separator.
func (s *textSample) hasSpoilt(rows [][]string, width int, kinds columnKinds) bool {
	for c := 1; c < width; c++ {
		if kinds.number[c] {
			continue
		}
		for _, row := range rows {
			if len(row) <= c {
				continue
			}
			if _, is := s.style.Cell(row[c]); is == parse.Text && mayBeNumber(row[c]) {
				return true
			}
		}
	}
	return false
}

func isBlank(row []string) bool { return fits(row, 0) }

// unitWords are units, and words that loggers write below names, in lower case.
var unitWords = strings.Fields(
	`m s k c f n v a w j g h l d mm cm km nm um µm μm ms us µs ns min hr hrs sec kg mg ug µg t pa hpa kpa mpa bar mbar
	°c °f degc degf deg ° °n °e % %rh v mv uv µv μv kv a ma ua w kw mw mwh kwh wh va hz khz mhz ghz
	rpm m/s m·s-1 km/h kn knots mm/h l/s l/min m3/s m³/s
	w/m2 w/m² w/m^2 wm-2 mg/l µg/l ug/l µg/m3 µg/m³ ug/m3 ppm
	ppb ppt ph db dba dbm lux lx ntu ms/cm µs/cm us/cm psu g/m3 g/m³ m2 m² m3 m³ km2 km² ha
	ts rn avg smp min max tot std mean unit units count counts n/a - -- a.u. au cfu usd eur gbp € $ £ mn bn utc j/kg cps cpm rad rad/s
	m/s2 m/s² g's ohm ω kω`,
)

func markOf(cell string) string {
	for _, mark := range commentMarks {
		if strings.HasPrefix(cell, mark) {
			return mark
		}
	}
	return ""
}

// inRows is a note on the rows of a sheet.
func inRows(note string) string {
	for _, word := range []string{"line ", "lines "} {
		if rest, is := strings.CutPrefix(note, word); is {
			return strings.Replace(word, "line", "row", 1) + rest
		}
	}
	return note
}

// tell notes which rows above the numbers are none of the table.
func (l *layout) tell(head [][]string, lines []int) {
	before := 0
	var between []int
	for k := range head {
		switch {
		case l.header == 0 || lines[k] < l.header:
			before = lines[k]
		case lines[k] > l.header && !isBlank(head[k]):
			between = append(between, k)
		}
	}
	switch {
	case before == 1:
		note(&l.notes, "line 1 comes before the table and is left out")
	case before == 2:
		note(&l.notes, "lines 1 and 2 come before the table and are left out")
	case before > 2:
		note(&l.notes, "lines 1 to %d come before the table and are left out", before)
	}
	for _, k := range between {
		note(&l.notes, "%s stands between the names and the numbers and is left out: %s", place(lines[k], 0), someNames(head[k]))
	}
}
