package baseline

import (
	"testing"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
)

func TestFieldsTakeTheirKernels(t *testing.T) {
	parse := func(specs ...string) (list []kernel.Kernel) {
		for _, spec := range specs {
			k, err := kernel.Parse(spec, 15, kernel.Taylor)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, k)
		}
		return list
	}
	for spec, want := range map[string]Field{
		"matern:2": {Order: 2}, "matern:1.5,3": {Order: 1.5, Scale: 3}, "heat:2": {Heat: true, Scale: 2},
	} {
		got, err := (Field{}).WithKernels(parse(spec))
		if err != nil || got != method.Method(want) {
			t.Errorf("%s: got %+v, %v", spec, got, err)
		}
		k, fixed := want.FieldKernel()
		if fixed != (want.Scale > 0) || k.Order() != want.Order || fixed && k.Name != spec {
			t.Errorf("%s: its kernel is %s, fixed %t", spec, k.Name, fixed)
		}
	}
	for _, c := range []struct {
		field   Field
		kernels []kernel.Kernel
	}{{Field{}, parse("matern:2", "heat:1")}, {Field{}, parse("wavelet:1")}, {Field{Order: 2}, parse("matern:2")}} {
		if _, err := c.field.WithKernels(c.kernels); input.Find(err) == nil {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}
