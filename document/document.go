// Package document holds the JSON documents that nervure writes and reads, one
// struct each: the [Run] that says what to do, the [Summary] of a learned graph, the [Comparison] of methods, the
// [Evaluation] of a graph against the truth, the [Index] of a batch, learned [Kernels],
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
	"reflect"
	"regexp"
	"strings"
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

// A Key is a key of a document, and what stands there.
type Key struct {
	Path    string // such as kernels[].name: keys of objects after a point, of lists after []
	Meaning string
}

// Keys lists the keys of a document in the order of the file.
func Keys[T any]() []Key { return keysOf(reflect.TypeFor[T](), "") }

func keysOf(typ reflect.Type, prefix string) []Key {
	switch typ.Kind() {
	case reflect.Pointer:
		return keysOf(typ.Elem(), prefix)
	case reflect.Slice:
		return keysOf(typ.Elem(), prefix+"[]")
	case reflect.Struct:
	default:
		return nil
	}
	var keys []Key
	for field := range typ.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			keys = append(keys, keysOf(field.Type, prefix)...)
			continue
		}
		path := strings.TrimPrefix(prefix+"."+name, ".")
		if field.Type == reflect.TypeFor[*Run]() { // which has a list of its own
			keys = append(keys, Key{path, field.Tag.Get("doc")})
			continue
		}
		keys = append(append(keys, Key{path, field.Tag.Get("doc")}), keysOf(field.Type, path)...)
	}
	return keys
}
