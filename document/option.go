package document

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nervure/nervure/internal/words"
)

// An Option is a key of a [Run] that has a value. All that doors need to know of it stands in the
// tags of its field; those marked * are taken from the section if the field has none:
//
//	doc          what stands there
//	enum, words  the words that it takes: themselves, or the name of a list in [wordLists]
//	want         what else its value must be, a name in [wants]
//	or           a word that may be typed for the default
//	zero         what a typed 0 stands for: a key that is true then, or a word
//	sets         a key that is true where this one is set
//	list         commas: values are typed with commas between them; joined: and repeated so
//	flag         its flag, if that is not called like the key
//	word         what it is called in sentences, if not by its flag
//	placeholder  what its flag takes, in the help
//	default      the default, in the help
//	alone        the value of its flag if none is typed
//	complete     what shells complete
//	after        the key that its flag follows in the help; by default the one before
//	group*       the heading of its flag in the help of learn; "-" if it has no flag
//	compare*     the same of compare, to which it does not apply without
//	plan*        the same of plan
type Option struct {
	Key     string // such as prepare.rows
	Tag     reflect.StructTag
	section reflect.StructTag
	index   []int
	typ     reflect.Type
}

// Options lists the options of a run, in the order of the help.
func Options() []Option { return slices.Clone(allOptions()) }

var allOptions = sync.OnceValue(func() []Option {
	var all []Option
	collectOptions(reflect.TypeFor[Run](), Option{}, &all)
	for _, o := range slices.Clone(all) {
		if before := o.Tag.Get("after"); before != "" {
			all = slices.DeleteFunc(all, func(other Option) bool { return other.Key == o.Key })
			at := slices.IndexFunc(all, func(other Option) bool { return other.Key == before })
			all = slices.Insert(all, at+1, o)
		}
	}
	return all
})

func collectOptions(typ reflect.Type, section Option, all *[]Option) {
	for field := range typ.Fields() {
		o := Option{
			Key: strings.TrimPrefix(section.Key+"."+keyOf(field), "."), Tag: field.Tag,
			section: section.Tag, index: append(slices.Clone(section.index), field.Index...), typ: field.Type,
		}
		if t := field.Type; t.Kind() == reflect.Pointer {
			collectOptions(t.Elem(), o, all)
		} else if t.Kind() == reflect.Struct {
			collectOptions(t, o, all)
		} else {
			*all = append(*all, o)
		}
	}
}

// OptionAt returns the option of a key.
func OptionAt(key string) (Option, bool) {
	at := slices.IndexFunc(allOptions(), func(o Option) bool { return o.Key == key })
	if at < 0 {
		return Option{}, false
	}
	return allOptions()[at], true
}

// Heading returns the heading of the flag on a page of the help, such as compare; "" if the option does
// not apply there, "-" if it has no flag.
func (o Option) Heading(page string) string {
	for _, tag := range []reflect.StructTag{o.Tag, o.section} {
		if heading, ok := tag.Lookup(page); ok {
			return heading
		}
	}
	return ""
}

// Flag is the name of its flag, if it has one.
func (o Option) Flag() string {
	if name := o.Tag.Get("flag"); name != "" {
		return name
	}
	return strings.ReplaceAll(o.Key[strings.LastIndexByte(o.Key, '.')+1:], "_", "-")
}

// Word returns what a key is called where flags are typed: its flag, or how it is set without one.
func Word(key string) string {
	for field := range reflect.TypeFor[Run]().Fields() {
		if word := field.Tag.Get("word"); keyOf(field) == key && word != "" {
			return word
		}
	}
	o, ok := OptionAt(key)
	switch {
	case o.Tag.Get("word") != "":
		return o.Tag.Get("word")
	case ok && o.Tag.Get("flag") == "" && o.Heading("group") == "-" && o.Heading("compare") != "Output":
		return "--set " + key
	}
	return "--" + o.Flag()
}

// Words are those that it takes; nil if it takes others.
func (o Option) Words() []string { return wordsOf(o.Tag) }

func wordsOf(tag reflect.StructTag) []string {
	if enum := tag.Get("enum"); enum != "" {
		return strings.Split(enum, ",")
	}
	if list := wordLists[tag.Get("words")]; list != nil {
		return list()
	}
	return nil
}

// Kind is the kind of its value, or of the values of a list.
func (o Option) Kind() reflect.Kind {
	if k := o.typ.Kind(); k == reflect.Slice {
		return o.typ.Elem().Kind()
	}
	return o.typ.Kind()
}

// IsList reports whether there may be several values.
func (o Option) IsList() bool { return o.typ.Kind() == reflect.Slice || o.typ.Kind() == reflect.Map }

// value is where the value stands in a run.
func (o Option) value(r *Run) reflect.Value {
	v := reflect.ValueOf(r).Elem()
	for _, k := range o.index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(k)
	}
	return v
}

// Clear leaves an option of a run to its default.
func (o Option) Clear(r *Run) { o.value(r).SetZero() }

// Set sets an option of a run to what was typed; a value of a list is added. true and false stand for yes
// and no.
func (o Option) Set(r *Run, text string) error {
	v := o.value(r)
	switch kind := v.Kind(); {
	case kind == reflect.Map:
		return setParam(v, text)
	case kind == reflect.Slice && o.Tag.Get("list") != "":
		return o.addAll(v, text)
	case kind == reflect.Slice:
		return o.add(v, text)
	}
	word := o.Tag.Get("or")
	if word != "" && text == word {
		v.SetZero()
		return nil
	}
	if slices.Contains(o.Words(), "yes") || v.Kind() == reflect.Bool {
		text = asSwitch(text, v.Kind())
	}
	if o.setZero(r, v, text) {
		return nil
	}
	if err := o.Check(text); err != nil {
		if zero := o.Tag.Get("zero"); word == "" && v.Kind() == reflect.String && zero != "" {
			word = "0"
		}
		if word != "" {
			err = fmt.Errorf("%w, or %s", err, word)
		}
		return err
	}
	setText(v, text)
	if other, ok := OptionAt(o.Tag.Get("sets")); ok {
		other.value(r).SetBool(true)
	}
	return nil
}

// setZero sets what 0 stands for, if that was typed, and reports whether it was.
func (o Option) setZero(r *Run, v reflect.Value, text string) bool {
	zero, ok := o.Tag.Lookup("zero")
	if !ok {
		return false
	}
	typed := text == "0" || text == zero
	if span, err := time.ParseDuration(text); err == nil && span == 0 {
		typed = true
	}
	if other, ok := OptionAt(zero); ok {
		other.value(r).SetBool(typed)
		if typed {
			v.SetZero()
		}
	} else if typed {
		v.SetString(zero)
	}
	return typed
}

// asSwitch returns yes and no for true and false, or the other way round, so that nobody need know
// which words an option takes.
func asSwitch(text string, kind reflect.Kind) string {
	pairs := map[string]string{"true": "yes", "false": "no"}
	if kind == reflect.Bool {
		pairs = map[string]string{"yes": "true", "no": "false"}
	}
	if other, ok := pairs[text]; ok {
		return other
	}
	return text
}

// setText sets a value to a text that was checked.
func setText(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.Bool:
		yes, _ := strconv.ParseBool(text)
		v.SetBool(yes)
	case reflect.Int:
		n, _ := strconv.Atoi(text)
		v.SetInt(int64(n))
	case reflect.Uint64:
		n, _ := strconv.ParseUint(text, 0, 64)
		v.SetUint(n)
	case reflect.Float64:
		x, _ := strconv.ParseFloat(text, 64)
		v.SetFloat(x)
	default:
		v.SetString(text)
	}
}

// addAll adds values with commas between them.
func (o Option) addAll(v reflect.Value, text string) error {
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if word == "" && o.Tag.Get("list") == "joined" {
			continue
		}
		if word == "" {
			return errors.New("want names, numbers from 1, and ranges such as 3-10, with commas between them")
		}
		if err := o.add(v, word); err != nil {
			return err
		}
	}
	return nil
}

func (o Option) add(v reflect.Value, text string) error {
	if err := o.Check(text); err != nil {
		return err
	}
	item := reflect.New(v.Type().Elem()).Elem()
	setText(item, text)
	v.Set(reflect.Append(v, item))
	return nil
}

// setParam adds a parameter of a method, KEY=VALUE.
func setParam(v reflect.Value, text string) error {
	name, number, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("want KEY=VALUE")
	}
	if v.MapIndex(reflect.ValueOf(name)).IsValid() {
		return fmt.Errorf("%s is given twice", name)
	}
	if checkNumber(number, "", func(x float64) bool { return x >= 0 }) != nil {
		return errors.New("want a number of at least 0")
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	x, _ := strconv.ParseFloat(number, 64)
	v.SetMapIndex(reflect.ValueOf(name), reflect.ValueOf(x))
	return nil
}

// Texts returns the value of an option as it is typed: one text for each value of a list, none if it is
// not set.
func (o Option) Texts(r *Run) []string {
	if r.Compare == nil && strings.HasPrefix(o.Key, "compare.") {
		return nil
	}
	if zero, ok := o.Tag.Lookup("zero"); ok {
		other, isKey := OptionAt(zero)
		if isKey && other.value(r).Bool() || !isKey && o.value(r).String() == zero {
			return []string{"0"}
		}
	}
	texts := textsOf(o.value(r))
	if o.Tag.Get("list") == "joined" && texts != nil {
		return []string{strings.Join(texts, ",")}
	}
	return texts
}

func textsOf(v reflect.Value) (texts []string) {
	switch {
	case v.IsZero():
		return nil
	case v.Kind() == reflect.Slice:
		for k := range v.Len() {
			texts = append(texts, textOf(v.Index(k)))
		}
		return texts
	case v.Kind() == reflect.Map:
		params, _ := v.Interface().(Params)
		for _, name := range slices.Sorted(maps.Keys(params)) {
			texts = append(texts, name+"="+strconv.FormatFloat(params[name], 'g', -1, 64))
		}
		return texts
	}
	return []string{textOf(v)}
}

func textOf(v reflect.Value) string {
	if v.Kind() == reflect.Float64 {
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	}
	return fmt.Sprint(v.Interface())
}

// SetKey sets what stands at a key such as prepare.rows, or method.params.k, to what was typed.
func (r *Run) SetKey(key, text string) error {
	if o, ok := OptionAt(key); ok {
		return o.Set(r, text)
	}
	if name, ok := strings.CutPrefix(key, "method.params."); ok {
		o, _ := OptionAt("method.params")
		delete(r.Method.Params, name)
		return o.Set(r, name+"="+text)
	}
	var all []string
	for _, o := range allOptions() {
		all = append(all, o.Key)
	}
	hint := ""
	if near := words.Meant(key, all); len(near) > 0 {
		hint = "; did you mean " + words.List(near, "or") + "?"
	}
	return fmt.Errorf("%s is not a key of a run%s", key, hint)
}
