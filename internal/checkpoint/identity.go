package checkpoint

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"reflect"
)

// An Identity says what the bits of a run depend on, part by part, so that it can be
// told what has changed.
type Identity struct {
	Signals    string `json:"signals"`    // fingerprint of the signals and the names of the vertices
	Options    string `json:"options"`    // fingerprint of all that was asked for, the seed aside
	Seed       uint64 `json:"seed"`       //
	Build      string `json:"build"`      // what the program was built from
	Arithmetic string `json:"arithmetic"` // the processors whose numbers agree
}

// Difference says what another run has that this one has not, in words such as "other
// signals"; "" if nothing.
func (i Identity) Difference(other Identity) string {
	switch {
	case i.Build != other.Build:
		return "another build of nervure"
	case i.Arithmetic != other.Arithmetic:
		return "another kind of processor"
	case i.Signals != other.Signals:
		return "other signals"
	case i.Options != other.Options:
		return "other options"
	case i.Seed != other.Seed:
		return fmt.Sprintf("the seed %d", other.Seed)
	}
	return ""
}

// Fingerprint returns a hash of values to their last bit, with all that they point to.
// Functions count by whether they are nil.
func Fingerprint(values ...any) string {
	f := fingerprint{sha256.New()}
	for _, v := range values {
		f.add(reflect.ValueOf(v))
	}
	return hex.EncodeToString(f.Sum(nil))
}

type fingerprint struct{ hash.Hash }

func (f fingerprint) number(u uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], u)
	f.Write(b[:])
}

func (f fingerprint) text(s string) {
	f.number(uint64(len(s)))
	f.Write([]byte(s))
}

func (f fingerprint) add(v reflect.Value) {
	if !v.IsValid() {
		f.text("nothing")
		return
	}
	f.text(v.Type().String())
	switch v.Kind() {
	case reflect.Bool:
		f.text(fmt.Sprint(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		f.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		f.number(v.Uint())
	case reflect.Float64:
		f.number(math.Float64bits(v.Float()))
	case reflect.String:
		f.text(v.String())
	case reflect.Slice, reflect.Array:
		f.list(v)
	case reflect.Struct:
		for k := range v.NumField() {
			f.add(v.Field(k))
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			f.text("nil")
			return
		}
		f.add(v.Elem())
	case reflect.Func:
		f.text(fmt.Sprint(v.IsNil()))
	default:
		panic(fmt.Sprintf("checkpoint: no fingerprint of %s", v.Type()))
	}
}

func (f fingerprint) list(v reflect.Value) {
	f.number(uint64(v.Len()))
	if v.Type().Elem().Kind() != reflect.Float64 {
		for k := range v.Len() {
			f.add(v.Index(k))
		}
		return
	}
	at := func(k int) float64 { return v.Index(k).Float() }
	if v.CanInterface() { // signals may be millions of numbers
		if list, ok := v.Interface().([]float64); ok {
			at = func(k int) float64 { return list[k] }
		}
	}
	block := make([]byte, 0, 1<<12)
	for k := range v.Len() {
		if block = binary.LittleEndian.AppendUint64(block, math.Float64bits(at(k))); len(block) == cap(block) {
			f.Write(block)
			block = block[:0]
		}
	}
	f.Write(block)
}
