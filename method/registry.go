package method

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/nervure/nervure/input"
)

// An Entry is a method that can be asked for by name.
type Entry struct {
	Default Method // with its zero options
	About   string // what it does, in one line
	Source  string // key of references.bib, or "" for folklore
	Can     []Capability
}

// Name returns the name of the method.
func (e Entry) Name() string { return e.Default.Name() }

// Has says whether the method has a capability.
func (e Entry) Has(c Capability) bool { return slices.Contains(e.Can, c) }

// A Registry is methods by name. The zero Registry is empty.
type Registry struct{ entries []Entry }

// Add puts a method into the registry and returns its entry, so that the file of
// a method can register it in a declaration. A name that is taken is a bug.
func (r *Registry) Add(e Entry) Entry {
	if _, taken := r.Find(e.Name()); taken {
		panic("method: two methods are called " + e.Name())
	}
	r.entries = append(r.entries, e)
	slices.SortFunc(r.entries, func(a, b Entry) int { return cmp.Compare(a.Name(), b.Name()) })
	return e
}

// Entries lists the methods by name.
func (r *Registry) Entries() []Entry { return slices.Clone(r.entries) }

// Find returns the method of that name.
func (r *Registry) Find(name string) (Entry, bool) {
	k := slices.IndexFunc(r.entries, func(e Entry) bool { return e.Name() == name })
	if k < 0 {
		return Entry{}, false
	}
	return r.entries[k], true
}

// A Param is an option of a method that can be set from text. It is a field of
// the method's struct with a tag:
//
//	Penalty float64 `param:"penalty" about:"weight of |Θᵢⱼ|; 0 means chosen by eBIC"`
//
// Fields may be float64, int or bool.
type Param struct {
	Name  string
	About string // what it means, and what zero does
}

// A Value is a parameter as it was set or chosen.
type Value struct {
	Name  string
	Value float64 // 0 or 1 for a switch
}

// Params lists the parameters of the method in the order of its fields.
func (e Entry) Params() []Param {
	var list []Param
	for _, f := range fields(e.Default) {
		list = append(list, Param{f.Tag.Get("param"), f.Tag.Get("about")})
	}
	return list
}

// Values lists the numbers that a method is set to, in the order of its fields,
// those that are zero included.
func Values(m Method) []Value {
	var list []Value
	v := reflect.ValueOf(m)
	for _, f := range fields(m) {
		list = append(list, Value{f.Tag.Get("param"), number(v.FieldByIndex(f.Index))})
	}
	return list
}

// WithParams returns the method with the given parameters set from text. A name
// it does not know and text that is no value are an [*input.Error].
func (e Entry) WithParams(text map[string]string) (Method, error) {
	m := reflect.New(reflect.TypeOf(e.Default)).Elem()
	m.Set(reflect.ValueOf(e.Default))
	known := fields(e.Default)
	for name, value := range text {
		k := slices.IndexFunc(known, func(f reflect.StructField) bool { return f.Tag.Get("param") == name })
		if k < 0 {
			return nil, input.Errorf(e.Name(), input.Field(name), "there is no such parameter")
		}
		if want := set(m.FieldByIndex(known[k].Index), value); want != "" {
			return nil, input.Errorf(e.Name(), input.Field(name), "got %q, want %s", value, want)
		}
	}
	return m.Interface().(Method), nil
}

// fields lists the fields of a method that are parameters.
func fields(m Method) []reflect.StructField {
	t := reflect.TypeOf(m)
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("method: %s is a %s, want a struct", m.Name(), t.Kind()))
	}
	var list []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		if f.Tag.Get("param") != "" {
			list = append(list, f)
		}
	}
	return list
}

func number(v reflect.Value) float64 {
	switch v.Kind() {
	case reflect.Float64:
		return v.Float()
	case reflect.Int:
		return float64(v.Int())
	case reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	}
	panic("method: a parameter is a " + v.Kind().String())
}

// set sets a field from text, or says what it wants instead.
func set(v reflect.Value, text string) (want string) {
	switch v.Kind() {
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= 0) || x > maxNumber {
			return "a number of at least 0"
		}
		v.SetFloat(x)
	case reflect.Int:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || x != float64(int32(x)) || x < 0 {
			return "a whole number of at least 0"
		}
		v.SetInt(int64(x))
	case reflect.Bool:
		switch text {
		case "0", "1":
			v.SetBool(text == "1")
		default:
			return "0 or 1"
		}
	default:
		panic("method: a parameter is a " + v.Kind().String())
	}
	return ""
}

const maxNumber = 1.797693134862315708145274237317043567981e+308 // the largest finite one
