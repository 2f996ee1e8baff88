package dataio

import (
	"math"
	"strconv"
	"strings"
)

// What a cell holds.
type kind int

const (
	isNumber kind = iota // perhaps an infinite one
	isMissing
	isText
)

// number reads a trimmed cell. With decimalComma, 1,5 is a number too. The
// value of what is not a number is NaN.
func number(cell string, decimalComma bool) (float64, kind) {
	if len(cell) <= 4 && isMissingMark(cell) {
		return math.NaN(), isMissing
	}
	if c := cell[0]; c >= 'A' && c != 'i' && c != 'I' && c != 'n' && c != 'N' {
		return math.NaN(), isText // spares the error that ParseFloat would allocate
	}
	v, err := strconv.ParseFloat(cell, 64)
	switch {
	case strings.ContainsAny(cell, "xX_"): // Go's notation, not a spreadsheet's
		return math.NaN(), isText
	case err == nil && math.IsNaN(v), err != nil && (strings.EqualFold(cell, "+nan") || strings.EqualFold(cell, "-nan")):
		return math.NaN(), isMissing
	case err == nil, math.IsInf(v, 0): // with an error: too large
		return v, isNumber
	case decimalComma && strings.Count(cell, ",") == 1 && !strings.Contains(cell, "."):
		return number(strings.Replace(cell, ",", ".", 1), false)
	}
	return math.NaN(), isText
}

// isMissingMark knows how spreadsheets, R, Python and databases write what is
// missing. What ParseFloat takes for NaN is missing as well.
func isMissingMark(cell string) bool {
	for _, mark := range [...]string{"", "NA", "N/A", "#N/A", "null", "None"} {
		if strings.EqualFold(cell, mark) {
			return true
		}
	}
	return false
}

// weight reads the weight of an edge, and says what is wrong with it, if
// anything.
func weight(cell string, decimalComma bool) (w float64, wrong string) {
	w, k := number(strings.TrimSpace(cell), decimalComma)
	switch {
	case k == isMissing:
		return 0, "the weight is missing"
	case k == isText:
		return 0, "the weight " + quote(cell) + " is not a number"
	case math.IsInf(w, 0):
		return 0, "the weight " + quote(cell) + " is not finite"
	case w < 0:
		return 0, "the weight " + quote(cell) + " is negative, and only weights from 0 up make a graph"
	}
	return w, ""
}

// appendNumber appends v in the fewest digits that read back as v.
func appendNumber(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) }

func formatNumber(v float64) string { return string(appendNumber(nil, v)) }
