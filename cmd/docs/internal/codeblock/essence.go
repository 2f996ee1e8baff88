package codeblock

import "regexp"

var (
	times      = regexp.MustCompile(`\b(in|seconds":) ?\d+(\.\d+)?( (ms|s|min|h)\b)?`)
	longDigits = regexp.MustCompile(`(\d\.\d{5})\d+`)
)

// essence is what a run prints, without how long it took and without the digits
// that another machine may round differently.
func essence(text string) string {
	return longDigits.ReplaceAllString(times.ReplaceAllString(text, "$1 …"), "$1")
}
