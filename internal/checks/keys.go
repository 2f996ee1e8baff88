package checks

import (
	"reflect"
	"strings"
)

// A Key is a key of a document, and what stands there.
type Key struct {
	Path    string // such as kernels[].name: keys of objects after a point, of lists after []
	Meaning string
}

// Keys lists the keys of a document in the order of the file. Objects of the type apart are
// not opened: they have a list of their own.
func Keys[T, Apart any]() []Key { return keysOf(reflect.TypeFor[T](), reflect.TypeFor[Apart](), "") }

func keysOf(typ, apart reflect.Type, prefix string) []Key {
	switch typ.Kind() {
	case reflect.Pointer:
		return keysOf(typ.Elem(), apart, prefix)
	case reflect.Slice:
		return keysOf(typ.Elem(), apart, prefix+"[]")
	case reflect.Struct:
	default:
		return nil
	}
	var keys []Key
	for field := range typ.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			keys = append(keys, keysOf(field.Type, apart, prefix)...)
			continue
		}
		path := strings.TrimPrefix(prefix+"."+name, ".")
		if field.Type == reflect.PointerTo(apart) {
			keys = append(keys, Key{path, field.Tag.Get("doc")})
			continue
		}
		keys = append(append(keys, Key{path, field.Tag.Get("doc")}), keysOf(field.Type, apart, path)...)
	}
	return keys
}
