package pages

import (
	"fmt"
	"regexp"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
)

// A robustColumn is a number of each row as text, made from the results of all.
type robustColumn struct {
	title string
	cell  func(all benchmark.Results, name string) string
}

// column is a column of one unit, times a factor.
func column(title, unit, format string, factor float64) robustColumn {
	return robustColumn{title, func(all benchmark.Results, name string) string { return fmt.Sprintf(format, factor*all[name][unit]) }}
}

func inTenThousandths(title, unit string) robustColumn { return column(title, unit, "%.4f", 1) }

func inPercent(title, unit string, digits int) robustColumn {
	return column(title, unit, fmt.Sprintf("%%.%df %%%%", digits), 100)
}

// sureAndTrue counts the true edges of high confidence as a share of others, over all
// graphs together: not a mean of shares.
func sureAndTrue(title, of string) robustColumn {
	return robustColumn{title, func(all benchmark.Results, name string) string {
		if all[name][of] == 0 {
			return unmeasured
		}
		return fmt.Sprintf("%.1f %%", 100*all[name]["sure-true"]/all[name][of])
	}}
}

var givenAtoms = regexp.MustCompile(`given=\d+`)

// lossOfAtoms is what F1 loses beside the right number of atoms.
var lossOfAtoms = robustColumn{"loss", func(all benchmark.Results, name string) string {
	right := all[givenAtoms.ReplaceAllString(name, "given=4")]
	if right == nil {
		return unmeasured
	}
	return fmt.Sprintf("%.4f", right["F1"]-all[name]["F1"])
}}

// errorOfScales is none for kernels that are not of the true families.
var errorOfScales = robustColumn{"error in τ", func(all benchmark.Results, name string) string {
	if all[name]["most-tau-off"] == 1 {
		return unmeasured
	}
	return fmt.Sprintf("%.2g %%", 100*all[name]["most-tau-off"])
}}
