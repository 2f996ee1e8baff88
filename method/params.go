package method

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/input"
)

// A Param is an option of a method that can be set from text. It is a field of
// the method's struct with a tag:
//
//	Penalty float64 `param:"rho" about:"weight of |Θᵢⱼ|; 0 = choose"`
//	Folds   int     `param:"folds,omitzero" about:"…"`
//
// It is a float64, an int or a bool, which is 0 or 1 in text, and never negative.
// [Values] leaves out one with omitzero where it is zero, because then it has no
// meaning.
type Param struct {
	Name  string
	About string // what it means, and what zero does
}

// A Value is a parameter as it was set or chosen.
type Value struct {
	Name  string
	Value float64 // 0 or 1 for a bool
}

// Params lists the parameters of the method in the order of its fields.
func (e Entry) Params() []Param {
	var list []Param
	for _, f := range fieldsOf(e.Default) {
		list = append(list, Param{f.param, f.Tag.Get("about")})
	}
	return list
}

// Values lists the numbers that a method is set to, in the order of its fields.
func Values(m Method) []Value {
	var list []Value
	v := reflect.ValueOf(m)
	for _, f := range fieldsOf(m) {
		if x := number(v.FieldByIndex(f.Index)); x != 0 || !f.omitZero {
			list = append(list, Value{f.param, x})
		}
	}
	return list
}

// WithParams returns the method with the given parameters set from text. A name
// it does not know and text that is no value are an [*input.Error] about a field
// of that name, several of them joined in the order of their names.
func (e Entry) WithParams(text map[string]string) (Method, error) {
	m := reflect.New(reflect.TypeOf(e.Default)).Elem()
	m.Set(reflect.ValueOf(e.Default))
	fields := fieldsOf(e.Default)
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(text)) {
		fault := e.unknown(name, fields)
		if k := slices.IndexFunc(fields, func(f field) bool { return f.param == name }); k >= 0 {
			fault = setText(m.FieldByIndex(fields[k].Index), text[name])
		}
		if fault != "" {
			faults = append(faults, input.Errorf(e.Name(), input.Field(name), "%s", fault))
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return m.Interface().(Method), nil
}

// unknown says that there is no such parameter, and which there are.
func (e Entry) unknown(name string, fields []field) string {
	if len(fields) == 0 {
		return fmt.Sprintf("method %s has no parameters", e.Name())
	}
	var known []string
	for _, f := range fields {
		known = append(known, f.param)
	}
	return fmt.Sprintf("method %s has no parameter %q; it has %s", e.Name(), name, strings.Join(known, ", "))
}

// checkParams returns the faults of a method whose fields were set by hand.
func checkParams(m Method) error {
	var faults []error
	v := reflect.ValueOf(m)
	for _, f := range fieldsOf(m) {
		if x := number(v.FieldByIndex(f.Index)); !isParam(x) {
			faults = append(faults, input.Errorf(m.Name(), input.Field(f.param), "got %g, %s", x, wantNumber))
		}
	}
	return errors.Join(faults...)
}

const wantNumber = "want a number of at least 0"

// isParam reports whether a parameter can have a value at all.
func isParam(x float64) bool { return x >= 0 && x <= math.MaxFloat64 }

// A field is a field of a method's struct that is a parameter.
type field struct {
	reflect.StructField
	param    string
	omitZero bool
}

// fieldsOf lists the parameters of a method.
func fieldsOf(m Method) []field {
	var list []field
	for _, f := range reflect.VisibleFields(reflect.TypeOf(m)) {
		if name, option, _ := strings.Cut(f.Tag.Get("param"), ","); name != "" {
			list = append(list, field{f, name, option == "omitzero"})
		}
	}
	return list
}

// checkFields panics if the parameters of a method are not what [Param] says.
func checkFields(m Method) {
	if kind := reflect.TypeOf(m).Kind(); kind != reflect.Struct {
		panic(fmt.Sprintf("method: %s is a %s, want a struct", m.Name(), kind))
	}
	seen := map[string]bool{}
	for _, f := range fieldsOf(m) {
		switch kind := f.Type.Kind(); {
		case seen[f.param]:
			panic(fmt.Sprintf("method: %s has two parameters %s", m.Name(), f.param))
		case !f.IsExported():
			panic(fmt.Sprintf("method: parameter %s of %s is not exported", f.param, m.Name()))
		case kind != reflect.Float64 && kind != reflect.Int && kind != reflect.Bool:
			panic(fmt.Sprintf("method: parameter %s of %s is a %s, want a float64, an int or a bool", f.param, m.Name(), kind))
		}
		seen[f.param] = true
	}
}

// number returns the value of a parameter.
func number(v reflect.Value) float64 {
	switch v.Kind() {
	case reflect.Float64:
		return v.Float()
	case reflect.Int:
		return float64(v.Int())
	default:
		if v.Bool() {
			return 1
		}
		return 0
	}
}

// setText sets a parameter, or says what is wrong with the text.
func setText(v reflect.Value, text string) (fault string) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !isParam(x) {
		return wantNumber
	}
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(x)
	case reflect.Int:
		if x != math.Trunc(x) || x > math.MaxInt32 {
			return fmt.Sprintf("got %g, want a whole number", x)
		}
		v.SetInt(int64(x))
	default:
		if x != 0 && x != 1 {
			return fmt.Sprintf("got %g, want 0 or 1", x)
		}
		v.SetBool(x == 1)
	}
	return ""
}
