package parse

import (
	"iter"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Style is how the numbers of a table are written. The zero Style has decimal points and
// nothing between thousands.
type Style struct {
	DecimalComma bool // 1,5 is a number, too
	Group        byte // between thousands: a comma or a point; 0 for neither
	Blanks       bool // blanks may stand between thousands, as they cannot where they separate cells
	Unclear      byte // a mark that may be a decimal one or stand between thousands; 0 for none
}

// IsUnclear reports whether a cell may be read in two ways: it is text then.
func (s Style) IsUnclear(cell string) bool { return s.Unclear != 0 && mayBeGrouped(cell, s.Unclear) }

// missingMarks are what people and loggers write for what is missing, besides what
// IsMissing knows.
var missingMarks = []string{"-", "--", "---", "–", "—", "*", "**", "***", ".", "n.a.", "#NV", "#N/D", `\N`, "<NA>", "MM"}

// Cell reads a trimmed cell as the function Cell does, and as this style has it; a mark such as -
// or * is missing as well.
func (s Style) Cell(cell string) (float64, Kind) {
	v, k := s.Label(cell)
	if k != Text {
		return v, k
	}
	for _, mark := range missingMarks {
		if strings.EqualFold(cell, mark) {
			return math.NaN(), Missing
		}
	}
	if s.Blanks {
		if plain, ok := ungroup(cell, " "); ok {
			return s.plain(plain)
		}
	}
	return math.NaN(), Text
}

// Label is Cell where there may be labels: a mark, and digits with blanks between, are text.
func (s Style) Label(cell string) (float64, Kind) {
	v, k := s.plain(cell)
	if k != Text || cell[0] < utf8.RuneSelf && !strings.ContainsRune("+-0123456789.,", rune(cell[0])) {
		return v, k
	}
	if rest, found := strings.CutPrefix(cell, "−"); found {
		cell = "-" + rest
	}
	for _, mark := range [...]string{"\u00a0", "\u202f", "\u2009", "'", "’"} {
		if plain, ok := ungroup(cell, mark); ok {
			return s.plain(plain)
		}
	}
	return s.plain(cell)
}

// plain reads a cell without blanks or apostrophes between thousands.
func (s Style) plain(cell string) (float64, Kind) {
	if s.IsUnclear(cell) {
		return math.NaN(), Text
	}
	if s.Group == 0 {
		return Cell(cell, s.DecimalComma)
	}
	mark := byte('.')
	if s.DecimalComma {
		mark = ','
	}
	if strings.IndexByte(cell, s.Group) < 0 || IsAddress(cell) {
		return Cell(cell, s.DecimalComma)
	}
	// What stands behind the decimal mark has no groups.
	whole, fraction, _ := strings.Cut(cell, string(mark))
	if strings.IndexByte(fraction, s.Group) >= 0 {
		return math.NaN(), Text
	}
	plain, ok := ungroup(whole, string(s.Group))
	if !ok {
		return math.NaN(), Text
	}
	return Cell(plain+"."+fraction, false)
}

// ungroup takes the marks out from between thousands: groups of three digits but for the first.
// There must be one at least; what follows the last group is left as it is.
func ungroup(cell, mark string) (string, bool) {
	head, rest, found := strings.Cut(cell, mark)
	digit := strings.TrimLeft(head, "+-")
	if !found || len(digit) < 1 || len(digit) > 3 || len(head)-len(digit) > 1 || digits(digit, 1, 3) < 0 || digit[0] == '0' {
		return "", false
	}
	plain := head
	for found {
		if len(rest) < 3 || digits(rest[:3], 3, 3) < 0 {
			return "", false
		}
		plain, rest = plain+rest[:3], rest[3:]
		if rest == "" {
			return plain, true
		}
		if after, more := strings.CutPrefix(rest, mark); more {
			rest = after
			continue
		}
		found = false
	}
	if c := rest[0]; c != '.' && c != ',' && c != 'e' && c != 'E' || strings.Contains(rest, mark) {
		return "", false
	}
	return plain + rest, true
}

// A Styling collects what cells say of the style of their numbers.
type Styling struct {
	decimalPoint, decimalComma bool
	groupPoint, groupComma     bool
	unclear                    bool // a number is there that could be read in two ways
}

// Add takes a trimmed cell into account, if it looks like a number.
func (s *Styling) Add(cell string) {
	if !strings.ContainsAny(cell, ".,") || !isNumeral(cell) || IsAddress(cell) {
		return
	}
	cell = strings.TrimLeft(cell, "+-")
	points, commas := strings.Count(cell, "."), strings.Count(cell, ",")
	switch {
	case points > 0 && commas > 0 || points > 1 || commas > 1:
		if _, k := (Style{Group: ','}).plain(cell); k == Number {
			s.groupComma, s.decimalPoint = true, s.decimalPoint || points > 0
		}
		if _, k := (Style{DecimalComma: true, Group: '.'}).plain(cell); k == Number { // as a date such as 31.01.2024 is not
			s.groupPoint, s.decimalComma = true, s.decimalComma || commas > 0
		}
	case commas == 1 && mayBeGrouped(cell, ','):
		s.unclear = true
	case commas == 1:
		s.decimalComma = true
	case !mayBeGrouped(cell, '.'):
		s.decimalPoint = true
	}
}

// mayBeGrouped reports whether the only mark of a number may stand between thousands, which a number with an
// exponent has not.
func mayBeGrouped(cell string, mark byte) bool {
	_, ok := ungroup(cell, string(mark))
	return ok && !strings.ContainsAny(cell, "eE")
}

// IsAddress reports whether a cell is the address of a computer, such as 192.168.100.101, and not a number with points
// between thousands.
func IsAddress(cell string) bool {
	const parts, most = 4, 255
	n := 0
	for part := range strings.SplitSeq(cell, ".") {
		v, err := strconv.Atoi(part)
		if n++; n > parts || err != nil || v > most || part[0] < '0' {
			return false
		}
	}
	return n == parts
}

// Unclear returns the mark of numbers that may be decimals or have it between thousands: the only one of the table, always
// before three digits, in a column that has whole numbers below a thousand without it as well. It is 0 if there is none.
func (s *Styling) Unclear(columns iter.Seq[iter.Seq[string]]) byte {
	for _, mark := range []byte(".,") {
		if mark == '.' && (s.decimalPoint || s.decimalComma) || mark == ',' && (s.decimalComma || s.decimalPoint) {
			continue
		}
		for cells := range columns {
			marked, small, large := false, false, false
			for cell := range cells {
				v, err := strconv.Atoi(cell)
				small = small || err == nil && v != 0 && v > -1000 && v < 1000
				large = large || err == nil && (v <= -1000 || v >= 1000)
				marked = marked || isNumeral(cell) && mayBeGrouped(cell, mark)
			}
			if marked && small && !large {
				return mark
			}
		}
	}
	return 0
}

// isNumeral reports whether a cell has nothing but what numbers are written with.
func isNumeral(cell string) bool {
	some := false
	for i := range len(cell) {
		switch c := cell[i]; {
		case c >= '0' && c <= '9':
			some = true
		case c == '+' || c == '-':
			if i > 0 && cell[i-1] != 'e' && cell[i-1] != 'E' {
				return false
			}
		case c == 'e' || c == 'E':
			if !some {
				return false
			}
		case c != '.' && c != ',':
			return false
		}
	}
	return some
}

// Style returns the style that the cells speak for. byDefault says that a comma is taken for a decimal
// one without more ado, as where semicolons separate cells. What is not certain stays text.
func (s *Styling) Style(byDefault bool) Style {
	style := Style{DecimalComma: byDefault}
	switch {
	case s.groupPoint && !s.groupComma && !s.decimalPoint:
		return Style{DecimalComma: true, Group: '.'}
	case s.groupComma && !s.groupPoint && !s.decimalComma:
		return Style{Group: ','}
	case s.decimalComma && !s.decimalPoint && !s.groupPoint && !s.groupComma:
		style.DecimalComma = true
	}
	return style
}
