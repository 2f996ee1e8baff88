package checkpoint

import (
	"encoding"
	"encoding/binary"
	"math"
	"reflect"
	"slices"

	"github.com/nervure/nervure/graph"
)

// A Coder writes values or reads them back, to the last bit. The same function does
// both, so that the two cannot differ.
type Coder struct {
	data    []byte // written so far, or left to read
	reading bool
	bad     bool // something could not be read, or written
}

// Encode returns what code writes, as bytes.
func Encode(code func(*Coder)) []byte {
	c := &Coder{}
	code(c)
	return c.data
}

// Marshal returns what code writes, as bytes, unless it writes something that cannot be kept.
func Marshal(code func(*Coder)) ([]byte, error) {
	c := &Coder{}
	if code(c); c.bad {
		return nil, ErrUnreadable
	}
	return c.data, nil
}

// Decode has code read what it wrote.
func Decode(data []byte, code func(*Coder)) error {
	c := &Coder{data: data, reading: true}
	code(c)
	return c.fault()
}

// Reading reports whether values are read.
func (c *Coder) Reading() bool { return c.reading }

// Fail says that a value cannot be kept: the piece will be computed again.
func (c *Coder) Fail() { c.bad = true }

func (c *Coder) fault() error {
	if c.bad || len(c.data) > 0 {
		return ErrUnreadable
	}
	return nil
}

func (c *Coder) uint64(v *uint64) {
	switch {
	case !c.reading:
		c.data = binary.LittleEndian.AppendUint64(c.data, *v)
	case len(c.data) < 8:
		c.bad, c.data = true, nil
	default:
		*v, c.data = binary.LittleEndian.Uint64(c.data), c.data[8:]
	}
}

// Int codes a whole number.
func (c *Coder) Int(v *int) {
	u := uint64(*v)
	c.uint64(&u)
	*v = int(u)
}

// Float codes a number, -0 and NaN included.
func (c *Coder) Float(v *float64) {
	u := math.Float64bits(*v)
	c.uint64(&u)
	*v = math.Float64frombits(u)
}

// Bool codes a truth value.
func (c *Coder) Bool(v *bool) {
	k := 0
	if *v {
		k = 1
	}
	c.Int(&k)
	*v = k == 1
}

// String codes a string.
func (c *Coder) String(v *string) {
	b := []byte(*v)
	c.Bytes(&b)
	*v = string(b)
}

// Text codes a value whose type is a string.
func Text[S ~string](c *Coder, v *S) {
	s := string(*v)
	c.String(&s)
	*v = S(s)
}

// length codes the length of a list, -1 standing for nil, whose elements take at least
// that many bytes each.
func (c *Coder) length(n, size int) int {
	c.Int(&n)
	if c.bad || n < -1 || c.reading && n > len(c.data)/size {
		c.bad, c.data = true, nil
		return -1
	}
	return n
}

// sizeOf is the length of a list, -1 for nil.
func sizeOf[T any](list []T) int {
	if list == nil {
		return -1
	}
	return len(list)
}

// Bytes codes bytes.
func (c *Coder) Bytes(v *[]byte) {
	n := c.length(sizeOf(*v), 1)
	switch {
	case !c.reading:
		c.data = append(c.data, *v...)
	case n < 0:
		*v = nil
	default:
		*v, c.data = slices.Clone(c.data[:n]), c.data[n:]
	}
}

// Slice codes a list, element by element.
func Slice[T any](c *Coder, list *[]T, element func(*Coder, *T)) {
	n := c.length(sizeOf(*list), 1)
	if c.reading {
		if *list = nil; n >= 0 {
			*list = make([]T, n)
		}
	}
	for k := range *list {
		element(c, &(*list)[k])
	}
}

// Floats codes numbers.
func (c *Coder) Floats(v *[]float64) {
	n := c.length(sizeOf(*v), 8)
	switch {
	case !c.reading:
		c.data = slices.Grow(c.data, 8*len(*v))
		for _, x := range *v {
			c.data = binary.LittleEndian.AppendUint64(c.data, math.Float64bits(x))
		}
	case n < 0:
		*v = nil
	default:
		*v = make([]float64, n)
		for k := range *v {
			(*v)[k] = math.Float64frombits(binary.LittleEndian.Uint64(c.data[8*k:]))
		}
		c.data = c.data[8*n:]
	}
}

// Int32s codes whole numbers.
func (c *Coder) Int32s(v *[]int32) {
	n := c.length(sizeOf(*v), 4)
	switch {
	case !c.reading:
		c.data = slices.Grow(c.data, 4*len(*v))
		for _, x := range *v {
			c.data = binary.LittleEndian.AppendUint32(c.data, uint32(x))
		}
	case n < 0:
		*v = nil
	default:
		*v = make([]int32, n)
		for k := range *v {
			(*v)[k] = int32(binary.LittleEndian.Uint32(c.data[4*k:]))
		}
		c.data = c.data[4*n:]
	}
}

// Binary codes a value that has a binary form of its own.
func (c *Coder) Binary(v binaryForm) {
	var b []byte
	if !c.reading {
		var err error
		if b, err = v.MarshalBinary(); err != nil {
			c.bad = true
		}
	}
	c.Bytes(&b)
	if c.reading && !c.bad && v.UnmarshalBinary(b) != nil {
		c.bad = true
	}
}

// mostVertices bounds the graphs that are read: no method takes more.
const mostVertices = 1 << 24

// Graph codes a graph, which may be nil.
func (c *Coder) Graph(g **graph.Graph) {
	there := *g != nil
	if c.Bool(&there); !there {
		*g = nil
		return
	}
	var n int
	var names []string // nil for the usual ones
	var ends []int32
	var weights, confidence []float64
	var evidence []graph.Evidence
	directed := false
	if !c.reading {
		n, confidence, evidence, directed = (*g).Vertices(), (*g).Confidence(), (*g).Evidence(), (*g).Directed()
		if names = (*g).Names(); slices.Equal(names, graph.DefaultNames(n)) {
			names = nil
		}
		for _, e := range (*g).Edges() {
			ends, weights = append(ends, int32(e.I), int32(e.J)), append(weights, e.Weight)
		}
	}
	c.Int(&n)
	Slice(c, &names, (*Coder).String)
	c.Int32s(&ends)
	c.Floats(&weights)
	c.Floats(&confidence)
	Slice(c, &evidence, func(c *Coder, e *graph.Evidence) { c.Struct(e) })
	c.Bool(&directed)
	if !c.reading {
		return
	}
	if c.bad || n < 0 || n > mostVertices || len(ends) != 2*len(weights) {
		c.bad = true
		return
	}
	if names == nil {
		names = graph.DefaultNames(n)
	}
	edges := make([]graph.Edge, len(weights))
	for k, w := range weights {
		edges[k] = graph.Edge{I: int(ends[2*k]), J: int(ends[2*k+1]), Weight: w}
	}
	build := graph.New
	if directed {
		build = graph.NewDirected
	}
	built, err := build(names, edges)
	if err == nil {
		built, err = built.WithConfidence(confidence)
	}
	if err == nil {
		built, err = built.WithEvidence(evidence)
	}
	if err != nil {
		c.bad = true
		return
	}
	*g = built
}

// Struct codes the fields of what v points to: numbers, truth values, strings, graphs, what
// has a binary form of its own or codes itself, and structs, lists and pointers of these. A
// field of another sort must be zero, and stays so.
func (c *Coder) Struct(v any) { c.value(reflect.ValueOf(v).Elem()) }

// All codes values that code themselves, and what all other values point to, like Struct.
func (c *Coder) All(values ...any) {
	for _, v := range values {
		if own, ok := v.(coded); ok {
			own.Code(c)
		} else {
			c.Struct(v)
		}
	}
}

// A coded value codes itself.
type coded interface{ Code(c *Coder) }

// A binaryForm is that of a value that has one of its own.
type binaryForm interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// Pointer codes the struct that *p points to, if it is not nil.
func Pointer[T any](c *Coder, p **T) {
	there := *p != nil
	if c.Bool(&there); !there {
		*p = nil
		return
	}
	if c.reading {
		*p = new(T)
	}
	c.Struct(*p)
}

func (c *Coder) value(v reflect.Value) {
	switch p := v.Addr().Interface().(type) {
	case coded:
		p.Code(c)
		return
	case **graph.Graph:
		c.Graph(p)
		return
	case *[]float64:
		c.Floats(p)
		return
	case binaryForm:
		c.Binary(p)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		there := !v.IsNil()
		if c.Bool(&there); !there {
			v.SetZero()
			return
		}
		if c.reading {
			v.Set(reflect.New(v.Type().Elem()))
		}
		c.value(v.Elem())
	case reflect.Bool:
		b := v.Bool()
		c.Bool(&b)
		v.SetBool(b)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		k := int(v.Int())
		c.Int(&k)
		v.SetInt(int64(k))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		u := v.Uint()
		c.uint64(&u)
		v.SetUint(u)
	case reflect.Float64:
		f := v.Float()
		c.Float(&f)
		v.SetFloat(f)
	case reflect.String:
		s := v.String()
		c.String(&s)
		v.SetString(s)
	case reflect.Struct:
		for k := range v.NumField() {
			if v.Type().Field(k).IsExported() {
				c.value(v.Field(k))
			} else if !v.Field(k).IsZero() {
				c.bad = true
			}
		}
	case reflect.Slice:
		n := -1
		if !v.IsNil() {
			n = v.Len()
		}
		if n = c.length(n, 1); c.reading {
			if v.SetZero(); n >= 0 {
				v.Set(reflect.MakeSlice(v.Type(), n, n))
			}
		}
		for k := range v.Len() {
			c.value(v.Index(k))
		}
	default:
		c.bad = c.bad || !v.IsZero()
	}
}
