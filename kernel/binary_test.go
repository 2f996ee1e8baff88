package kernel

import (
	"bytes"
	"reflect"
	"testing"
)

func TestBinaryFormKeepsEveryBit(t *testing.T) {
	kernels := append(members(t), must(t)(FromSeries("free", []float64{0.3, -0.2, 1e-300})), must(t)(Parse("poly:1,-0.5", 15, Taylor)), Kernel{})
	for _, k := range kernels {
		data, err := k.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var back Kernel
		if err := back.UnmarshalBinary(data); err != nil || !reflect.DeepEqual(back, k) {
			t.Errorf("%+v came back as %+v, %v", k, back, err)
		}
		for cut := range data {
			if err := new(Kernel).UnmarshalBinary(data[:cut]); err == nil {
				t.Errorf("%s: %d of %d bytes were taken for a kernel", k.Name, cut, len(data))
			}
		}
	}
}

// Bytes that are no kernel are an error, and those that are one say all of it.
func FuzzUnmarshalBinary(f *testing.F) {
	for _, spec := range []string{"heat:2", "poly:1,-0.5", "matern:2"} {
		k, err := Parse(spec, 3, Taylor)
		if err != nil {
			f.Fatal(err)
		}
		data, err := k.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"Name":"x","Family":"heat","Scale":-1,"Series":[1]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var k Kernel
		if k.UnmarshalBinary(data) != nil {
			return
		}
		once, err := k.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var again Kernel
		if err := again.UnmarshalBinary(once); err != nil {
			t.Fatal(err)
		}
		if twice, err := again.MarshalBinary(); err != nil || !bytes.Equal(twice, once) {
			t.Errorf("%x became %x, %v", once, twice, err)
		}
	})
}
