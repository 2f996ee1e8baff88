package baseline_test

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
)

func TestMethodsAreListedByName(t *testing.T) {
	references, err := os.ReadFile("../docs/references.bib")
	if err != nil {
		t.Fatal(err)
	}
	word := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	last := ""
	for _, e := range baseline.Methods() {
		if e.Name() <= last || !word.MatchString(e.Name()) || e.Name() == "sparse" {
			t.Errorf("method %q after %q", e.Name(), last)
		}
		if e.About == "" || strings.ContainsAny(e.About, "\n") {
			t.Errorf("%s: %q is not a line about it", e.Name(), e.About)
		}
		if e.Source != "" && !strings.Contains(string(references), "{"+e.Source+",") {
			t.Errorf("%s: there is no reference %s", e.Name(), e.Source)
		}
		if !reflect.ValueOf(e.Default).IsZero() {
			t.Errorf("%s: options are set to %+v", e.Name(), e.Default)
		}
		last = e.Name()
	}
}

func TestMethodsNameTheirParameters(t *testing.T) {
	eachMethod(t, func(t *testing.T, e method.Entry) {
		p := conformProblem(t, e)
		for _, q := range e.Params() {
			if q.About == "" {
				t.Errorf("nobody knows what %s means", q.Name)
			}
			for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
				m, ok := setTo(e.Default, q.Name, bad)
				if !ok {
					continue // a value that it cannot have
				}
				_, err := m.Learn(t.Context(), p)
				if fault := input.Find(err); fault == nil || string(fault.Field) != q.Name || fault.Op != e.Name() {
					t.Errorf("%s = %g: got error %v", q.Name, bad, err)
				}
			}
		}
		if r := mustLearn(t, e.Default, p); len(e.Params()) > 0 && len(method.Values(r.Method)) == 0 {
			t.Error("the result does not say what its parameters were")
		}
	})
}

// setTo returns the method with a parameter set to v, if its type has that value.
func setTo(m method.Method, param string, v float64) (method.Method, bool) {
	changed := reflect.New(reflect.TypeOf(m)).Elem()
	changed.Set(reflect.ValueOf(m))
	for _, f := range reflect.VisibleFields(changed.Type()) {
		if name, _, _ := strings.Cut(f.Tag.Get("param"), ","); name != param {
			continue
		}
		switch field := changed.FieldByIndex(f.Index); {
		case field.CanFloat():
			field.SetFloat(v)
		case field.CanInt() && v == math.Trunc(v) && !math.IsInf(v, 0):
			field.SetInt(int64(v))
		default:
			return nil, false
		}
	}
	return changed.Interface().(method.Method), true
}

// A method takes into account what it says it does, and nothing else. Where only its own
// cut uses the order of the signals, the weights are the same in any order, and all is
// if time runs backwards: that keeps who follows whom, and the folds.
func TestMethodsHaveTheCapabilitiesTheySay(t *testing.T) {
	slow(t)
	eachMethod(t, func(t *testing.T, e method.Entry) {
		p := conformProblem(t, e)
		n, m := p.Y.Dims()
		r := rng.Stream(*seed, "capabilities")
		offset := with(p, func(y *mat.Dense) {
			for i := range n {
				mean := 3 * mat.Norm(y.RowView(i), math.Inf(1)) * r.NormFloat64()
				for s := range m {
					y.Set(i, s, y.At(i, s)+mean)
				}
			}
		})
		scaled := with(p, func(y *mat.Dense) {
			for i := range n {
				scale := math.Exp(r.NormFloat64())
				for s := range m {
					y.Set(i, s, scale*y.At(i, s))
				}
			}
		})
		reordered := with(p, func(y *mat.Dense) {
			for k, s := range r.Perm(m) {
				y.SetCol(k, mat.Col(nil, s, p.Y))
			}
		})
		reversed := with(p, func(y *mat.Dense) {
			for s := range m {
				y.SetCol(s, mat.Col(nil, m-1-s, p.Y))
			}
		})
		other := p
		other.Kernels = heatKernels(t, 3, 0.5)
		want := mustLearn(t, e.Default, p)
		for c, changed := range map[method.Capability]method.Problem{
			method.UsesMeans: offset, method.UsesScales: scaled, method.UsesOrder: reordered, method.UsesKernels: other,
		} {
			got := mustLearn(t, e.Default, changed)
			d := apart(got.Weights, want.Weights)
			switch {
			case e.Has(c) && d <= conformTolerance:
				t.Errorf("it is said to use %s, but the weights are the same with others", c)
			case e.Has(c):
			case c == method.UsesOrder && e.Has(method.CutUsesOrder):
				if d > conformTolerance {
					t.Errorf("only its cut is said to use %s, but weights differ by %.2g of the heaviest", c, d)
				}
			default:
				wantSame(t, fmt.Sprintf("with other %s", c), got, want)
			}
		}
		if !e.Has(method.UsesOrder) {
			wantSame(t, "with time running backwards", mustLearn(t, e.Default, reversed), want)
		}
	})
}
