// Package parse tells what the cells of a table mean: numbers, missing values, times and
// other text.
package parse

import (
	"math"
	"strconv"
	"strings"
)

// A Kind is what a cell holds.
type Kind int

// The kinds.
const (
	Number Kind = iota // perhaps an infinite one
	Missing
	Text
)

// Cell reads a trimmed cell. With decimalComma, 1,5 is a number too. The
// value of what is not a number is NaN.
func Cell(cell string, decimalComma bool) (float64, Kind) {
	if cell == "" {
		return math.NaN(), Missing
	}
	c := cell[0]
	if len(cell) <= 4 && (c == 'N' || c == 'n' || c == '#') && IsMissing(cell) {
		return math.NaN(), Missing
	}
	if c >= 'A' && c != 'i' && c != 'I' && c != 'n' && c != 'N' {
		return math.NaN(), Text // spares the error that ParseFloat would allocate
	}
	v, err := strconv.ParseFloat(cell, 64)
	switch {
	case strings.ContainsAny(cell, "xX_"): // Go's notation, not a spreadsheet's
		return math.NaN(), Text
	case err == nil && math.IsNaN(v), err != nil && (strings.EqualFold(cell, "+nan") || strings.EqualFold(cell, "-nan")):
		return math.NaN(), Missing
	case err == nil, math.IsInf(v, 0): // with an error: too large
		return v, Number
	case decimalComma && strings.Count(cell, ",") == 1 && !strings.Contains(cell, "."):
		return Cell(strings.Replace(cell, ",", ".", 1), false)
	}
	return math.NaN(), Text
}

// IsText reports whether a cell is neither a number nor missing.
func IsText(cell string, decimalComma bool) bool {
	_, k := Cell(cell, decimalComma)
	return k == Text
}

// IsMissing reports whether a cell is what spreadsheets, R, Python or databases write
// for what is missing.
func IsMissing(cell string) bool {
	for _, mark := range [...]string{"", "NA", "N/A", "#N/A", "NaN", "null", "None"} {
		if strings.EqualFold(cell, mark) {
			return true
		}
	}
	return false
}
