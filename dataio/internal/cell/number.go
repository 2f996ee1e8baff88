package dataio

import (
	"math"
	"strconv"
	"strings"
)

// What a cell holds.
type cellKind int

const (
	isNumber cellKind = iota // perhaps an infinite one
	isMissing
	isText
)

// parseNumber reads a trimmed cell. With decimalComma, 1,5 is a number too. The
// value of what is not a number is NaN.
func parseNumber(cell string, decimalComma bool) (float64, cellKind) {
	if len(cell) <= 4 && MeansMissing(cell) {
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
		return parseNumber(strings.Replace(cell, ",", ".", 1), false)
	}
	return math.NaN(), isText
}

// MeansMissing reports whether a cell is what spreadsheets, R, Python or databases write
// for what is missing.
func MeansMissing(cell string) bool {
	for _, mark := range [...]string{"", "NA", "N/A", "#N/A", "NaN", "null", "None"} {
		if strings.EqualFold(cell, mark) {
			return true
		}
	}
	return false
}

// parseWeight reads the weight of an edge, and says what is wrong with it, if
// anything.
func parseWeight(cell string, decimalComma bool) (w float64, wrong string) {
	w, k := parseNumber(strings.TrimSpace(cell), decimalComma)
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
