package dataio

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/codec/xlsx"
)

// What is wrong with a table, where, and how to mend it.

// textFault says that a cell among the numbers, in column c from 0, is text.
func (t *table) textFault(cell string, line, c int) error {
	return t.asking("columns", t.faultAt(line, c+1, "%s is not a number: %s", quote(cell), t.adviceOn(cell)))
}

// adviceOn says how to make a number of a cell that is text.
func (t *table) adviceOn(cell string) string {
	_, beside := t.amount(cell)
	fields := strings.Fields(cell)
	_, withComma := parse.Cell(cell, true)
	switch {
	case t.style.IsUnclear(cell):
		return "it may be " + strings.Replace(cell, string(t.style.Unclear), "",
			1) + " or a decimal; write nothing between thousands, or decimals in every cell of the column, such as 992.0"
	case len(fields) > 1 && !slices.ContainsFunc(fields, t.isText):
		return "separate cells by commas, semicolons or tabs, not by spaces"
	case withComma == parse.Number:
		return "write decimals with a point, or separate cells by semicolons"
	case beside != "" && strings.Contains(moneyOrPercent, beside):
		return "write the number alone, without a sign for percent or money"
	case isGrouped(cell, ','):
		return "write numbers without commas between thousands"
	case strings.HasPrefix(cell, "#") && strings.ContainsAny(cell[len(cell)-1:], "!?"):
		return "it is an error of a spreadsheet; mend its formula, or leave the cell empty if the value is missing"
	case t.hasRemark(cell):
		return "write the number alone, without a remark behind it"
	case beside != "":
		return "write the number alone, without its unit"
	case !strings.ContainsFunc(cell, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return "leave the cell empty if the value is missing"
	}
	return "a column holds numbers or text and not both; code ordered answers as numbers such as 1 to 5, or leave the column out"
}

// hasRemark reports whether a cell is a number with a remark behind it.
func (t *table) hasRemark(cell string) bool {
	for _, mark := range commentMarks {
		if before, _, found := strings.Cut(cell, mark); found && mark != "%" && before != "" && !t.isText(strings.TrimSpace(before)) {
			return true
		}
	}
	return false
}

const moneyOrPercent = "%$€£¥"

// amount reads a cell with a number and what stands beside it: a sign such as $ or %, or a unit behind it as in 21.5 °C
// and 3kg. Nothing is beside a number that is not one.
func (t *table) amount(cell string) (v float64, beside string) {
	bare := strings.Trim(cell, moneyOrPercent+" ")
	if bare == cell {
		bare = cell[:strings.LastIndexFunc(cell, unicode.IsDigit)+1]
	}
	number := bare
	for _, mark := range ",." {
		if isGrouped(bare, byte(mark)) {
			number = strings.ReplaceAll(bare, string(mark), "")
		}
	}
	v, k := t.style.Label(number)
	if k != parse.Number {
		return v, ""
	}
	return v, strings.TrimSpace(strings.Replace(cell, bare, "", 1))
}

// isGrouped reports whether a cell is a number with such marks between thousands and another one before decimals.
func isGrouped(cell string, mark byte) bool {
	if strings.IndexByte(cell, mark) < 0 {
		return false
	}
	_, k := parse.Style{DecimalComma: mark == '.', Group: mark}.Cell(cell)
	return k == parse.Number
}

// areAmounts reports whether cells are numbers with one unit or sign beside all of them. Those that ascend or descend, such
// as 0 h, 24 h and 48 h, may name the rows.
func (t *table) areAmounts(cells []string) bool {
	var amounts []float64
	unit := ""
	for _, cell := range cells {
		if parse.IsMissing(cell) {
			continue
		}
		v, beside := t.amount(cell)
		if beside == "" || unit != "" && beside != unit || !mayBeNumber(cell) {
			return false
		}
		amounts, unit = append(amounts, v), beside
	}
	up := slices.IsSorted(amounts)
	slices.Reverse(amounts)
	return len(amounts) > 1 && !up && !slices.IsSorted(amounts)
}

// faultAt is the function faultAt in the words for this table.
func (t *table) faultAt(line, column int, format string, args ...any) *input.Error {
	return input.Find(t.placed(faultAt(line, column, format, args...)))
}

// placed says where a fault of a line is in the words for this table.
func (t *table) placed(err error) error {
	if e := input.Find(err); e != nil && e.Line > 0 {
		if rest, is := strings.CutPrefix(e.Msg, place(e.Line, e.Column)); is {
			e.Msg = t.place(e.Line, e.Column) + rest
		}
	}
	return err
}

// place is where something stands in the table.
func (t *table) place(line, column int) string {
	switch {
	case !t.sheet:
		return place(line, column)
	case column == 0:
		return "row " + strconv.Itoa(line)
	}
	return "cell " + xlsx.Name(line, column)
}

// lineWord is what a line is called.
func (t *table) lineWord() string {
	if t.sheet {
		return "row"
	}
	return "line"
}

// refuseText refuses text in columns whose names would allow it if vertices were in
// columns.
func (t *table) refuseText(r0 int) error {
	for _, c := range slices.Sorted(maps.Keys(t.text)) {
		if i := slices.IndexFunc(t.text[c][r0:], t.isText); i >= 0 && !t.isLeft(c) {
			return t.textFault(t.text[c][r0+i], t.line[r0+i], c)
		}
	}
	return nil
}
