package baseline

import (
	"fmt"
	"math"
	"strings"
	"testing"

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
		"matern:2": {Order: 2}, "matern:2,0.5": {Order: 2, Scale: 0.5}, "matern:1.5,3": {Order: 1.5, Scale: 3}, "heat:2": {Heat: true, Scale: 2},
	} {
		got, err := (Field{}).WithKernels(parse(spec))
		if err != nil || got != method.Method(want) {
			t.Errorf("%s: got %+v, %v", spec, got, err)
			continue
		}
		k, fixed := want.FieldKernel()
		if fixed != (want.Scale > 0) || k.Order() != want.Order || fixed && k.Name != spec {
			t.Errorf("%s: its kernel is %s, fixed %t", spec, k.Name, fixed)
		}
	}
	for _, c := range []struct {
		field   Field
		kernels []kernel.Kernel
		says    string
	}{
		{Field{}, parse("matern:2", "heat:1"), "a field has one kernel, and 2 were given"},
		{Field{}, parse("wavelet:1"), "wavelet:1 is no kernel of a field"},
		{Field{}, parse("poly:1,-0.5"), "poly:1,-0.5 is no kernel of a field"},
		{Field{Order: 2}, parse("matern:2"), "cannot be used together"},
	} {
		if _, err := c.field.WithKernels(c.kernels); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want %q", err, c.says)
		}
	}
	for _, f := range []Field{{Scale: 1}, {Order: 2, Scale: -1}, {Heat: true, Scale: math.Inf(1)}, {Order: 2, Scale: math.NaN()}} {
		if err := f.check(); err == nil || !strings.Contains(err.Error(), "scale") {
			t.Errorf("%+v: got %v", f, err)
		}
	}
	for _, f := range []Field{{Order: 0.4}, {Order: 16.5}, {Order: -1}, {Order: math.NaN()}, {Order: 2, Heat: true}} {
		if err, want := f.check(), fmt.Sprintf("got %g, want 0.5 to 16, and none with heat", f.Order); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want %q", f, err, want)
		}
	}
	for _, f := range []Field{{Order: 0.5}, {Order: 16}, {Heat: true}} {
		if err := f.check(); err != nil {
			t.Errorf("%+v: got %v", f, err)
		}
	}
}
