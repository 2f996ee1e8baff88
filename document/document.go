// Package document holds the JSON documents that nervure writes and reads, one
// struct each: the [Run] that says what to do, the [Summary] of a learned graph, the [Comparison] of methods, the
// [Evaluation] of a graph against the truth, the [Differences] of two learned graphs, the [Plan] of how many signals to
// measure, the [Index] of a batch, learned [Kernels],
// the [Model] that is used on new signals and how well they fit it, [Encoded], and the
// [Event] that reports progress. Their keys are a promise: what a version writes, the next
// one reads.
//
// Every field says in its doc tag what stands at its key, and [Keys] lists them
// all, which is how the manual's reference is made.
package document

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"regexp"
)

// Write writes a document, indented for people: a list of numbers is one line.
func Write(w io.Writer, document any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(document); err != nil {
		return err
	}
	_, err := w.Write(numberList.ReplaceAllFunc(b.Bytes(), func(list []byte) []byte { return bytes.Join(bytes.Fields(list), nil) }))
	return err
}

// A numberList is several lines of numbers in brackets; no string has line ends.
var numberList = regexp.MustCompile(`\[\n[\s\d.,eE+-]+\]`)

// Finite returns a number for JSON, which has neither NaN nor infinities: nil
// stands for those.
func Finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
