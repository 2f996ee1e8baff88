package document

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
)

// ParseRun reads a run, or that of a summary or a comparison, which has it at the key run.
// Nothing is passed over: a key that is unknown or given twice, and a value that cannot
// stand at its key, are an [*input.Error] whose sentence has the path of the key in
// backquotes. The run is not checked further; see [Run.Validate].
func ParseRun(r io.Reader) (*Run, error) {
	text, err := io.ReadAll(io.LimitReader(r, largestSummary))
	if err != nil {
		return nil, err
	}
	var result struct {
		Run json.RawMessage `json:"run"`
	}
	if json.Unmarshal(text, &result) == nil && result.Run != nil {
		text = result.Run
	}
	run, d := &Run{}, json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	p := &parser{d}
	err = p.read(reflect.ValueOf(run).Elem(), "")
	if err == nil {
		if _, end := d.Token(); !errors.Is(end, io.EOF) {
			err = faultf("there is more text after the end of the document")
		}
	}
	if err != nil {
		return nil, p.placed(err, text)
	}
	return run, nil
}

// A parser reads JSON into a value of known type, strictly.
type parser struct{ *json.Decoder }

// placed says where a text is no JSON.
func (p *parser) placed(err error, text []byte) error {
	if input.Find(err) != nil {
		return err
	}
	at := p.InputOffset()
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = e.Offset
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err, at = errors.New("it ends too early"), int64(len(text))
	}
	line := 1 + bytes.Count(text[:min(at, int64(len(text)))], []byte("\n"))
	return &input.Error{Msg: fmt.Sprintf("line %d: this is not JSON: %s", line, err), Line: line}
}

// read reads the next value. A null leaves v as it is.
func (p *parser) read(v reflect.Value, path string) error {
	token, err := p.Token()
	if err != nil {
		return err
	}
	if token == nil {
		if path == "" {
			return wrong("", v, token)
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return p.readObject(v.Elem(), path, token)
	case reflect.Struct, reflect.Map:
		return p.readObject(v, path, token)
	case reflect.Slice:
		return p.readList(v, path, token)
	}
	return setPlain(v, path, token, "")
}

func (p *parser) readList(v reflect.Value, path string, begin json.Token) error {
	if begin != json.Delim('[') {
		return wrong(path, v, begin)
	}
	for p.More() {
		item := reflect.New(v.Type().Elem()).Elem()
		token, err := p.Token()
		if err != nil {
			return err
		}
		if err := setPlain(item, path+"["+strconv.Itoa(v.Len())+"]", token, ""); err != nil {
			return err
		}
		v.Set(reflect.Append(v, item))
	}
	_, err := p.Token()
	return err
}

func (p *parser) readObject(v reflect.Value, path string, begin json.Token) error {
	if begin != json.Delim('{') {
		return wrong(path, v, begin)
	}
	seen := map[string]bool{}
	for p.More() {
		token, err := p.Token()
		if err != nil {
			return err
		}
		key := token.(string) // of an object it always is
		at := strings.TrimPrefix(path+"."+key, ".")
		if seen[key] {
			return faultf("`%s` is given twice", at)
		}
		seen[key] = true
		if err := p.readKey(v, key, at); err != nil {
			return err
		}
	}
	_, err := p.Token()
	return err
}

// readKey reads the value of a key of an object.
func (p *parser) readKey(v reflect.Value, key, path string) error {
	if v.Kind() == reflect.Map {
		number := reflect.New(v.Type().Elem()).Elem()
		if err := p.read(number, path); err != nil {
			return err
		}
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		v.SetMapIndex(reflect.ValueOf(key), number)
		return nil
	}
	for field, value := range v.Fields() {
		if keyOf(field) != key {
			continue
		}
		if kind := field.Type.Kind(); kind == reflect.Struct || kind == reflect.Map || kind == reflect.Slice || kind == reflect.Pointer {
			return p.read(value, path)
		}
		token, err := p.Token()
		if err != nil || token == nil {
			return err
		}
		return setPlain(value, path, token, field.Tag)
	}
	return faultf("`%s` is not a key of a run%s", path, meantKey(v.Type(), key, path))
}

// keyOf returns the key of a field.
func keyOf(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

// meantKey asks whether another key was meant.
func meantKey(typ reflect.Type, key, path string) string {
	var all []string
	for field := range typ.Fields() {
		all = append(all, keyOf(field))
	}
	near := words.Meant(key, all)
	for k, name := range near {
		near[k] = strings.TrimSuffix(path, key) + name
	}
	if len(near) > 0 {
		return "; did you mean " + words.List(near, "or") + "?"
	}
	return "; want " + words.List(all, "or")
}

// setPlain sets a string, a number or a bool. A string may be written as a number where its tag
// says so, and yes and no as true and false.
func setPlain(v reflect.Value, path string, token json.Token, tag reflect.StructTag) error {
	text, isText := token.(string)
	digits, isNumber := token.(json.Number)
	yes, isBool := token.(bool)
	ok := false
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(yes)
		ok = isBool
	case reflect.String:
		switch {
		case isNumber && tag.Get("number") != "":
			text, isText = digits.String(), true
		case isBool && isSwitch(tag):
			text, isText = map[bool]string{true: "yes", false: "no"}[yes], true
		}
		v.SetString(text)
		ok = isText && !strings.ContainsRune(text, 0)
	case reflect.Int:
		n, err := strconv.ParseInt(digits.String(), 10, 32)
		v.SetInt(n)
		ok = isNumber && err == nil && n >= 0
	case reflect.Uint64:
		n, err := strconv.ParseUint(digits.String(), 10, 64)
		v.SetUint(n)
		ok = isNumber && err == nil
	case reflect.Float64:
		x, err := strconv.ParseFloat(digits.String(), 64)
		v.SetFloat(x)
		ok = isNumber && err == nil && x >= 0 && !math.IsInf(x, 0)
	}
	if !ok {
		return wrong(path, v, token)
	}
	return nil
}

// isSwitch reports whether the words of a key are yes and no.
func isSwitch(tag reflect.StructTag) bool { return strings.HasSuffix(tag.Get("enum"), ",yes,no") }

// wrong says what a value should have been.
func wrong(path string, v reflect.Value, token json.Token) error {
	want := map[reflect.Kind]string{
		reflect.Bool: "true or false", reflect.String: "a text", reflect.Int: "a whole number of at least 0", reflect.Uint64: "a whole number of at least 0",
		reflect.Float64: "a number of at least 0", reflect.Slice: "a list in [ ]",
	}
	got := "null"
	switch t := token.(type) {
	case json.Delim:
		got = map[json.Delim]string{'{': "an object", '[': "a list"}[t]
	case json.Number:
		got = t.String()
	case string:
		got = strconv.Quote(t)
	case bool:
		got = strconv.FormatBool(t)
	}
	if path == "" {
		return faultf("a run is an object in { }, got %s", got)
	}
	return faultf("`%s`: got %s, want %s", path, got, cmp.Or(want[v.Kind()], "an object in { }"))
}
