package method

import (
	"context"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/nervure/nervure/input"
)

// knob is a method with a parameter of each kind.
type knob struct {
	Rate  float64 `param:"rate" about:"how fast; 0 = 1"`
	Folds int     `param:"folds,omitzero" about:"how often; 0 = never"`
	Again bool    `param:"again" about:"1 = once more"`
	Kind  level   `param:"kind" about:"0 for one kind, 1 for the other"`
}

type level int

func (knob) Name() string                                    { return "knob" }
func (knob) Learn(context.Context, Problem) (*Result, error) { return nil, nil }

// Whatever is given for parameters is refused by name, or makes a method whose parameters
// give the same method again.
func FuzzWithParams(f *testing.F) {
	f.Add("rate", "0.5", "folds", "3")
	f.Add("again", "1", "kind", "-0")
	f.Add("again", "0x1p-2", "", "1_0")
	knobs := Entry{Default: knob{}}
	f.Fuzz(func(t *testing.T, name, value, other, otherValue string) {
		text := map[string]string{name: value, other: otherValue}
		m, err := knobs.WithParams(text)
		if err != nil {
			if e := input.Find(err); e == nil || !slices.Contains(slices.Collect(maps.Keys(text)), string(e.Field)) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		given := map[string]string{}
		for _, v := range Values(m) {
			given[v.Name] = strconv.FormatFloat(v.Value, 'g', -1, 64)
			if !(v.Value >= 0) || math.IsInf(v.Value, 0) {
				t.Errorf("%q: %s is %g", text, v.Name, v.Value)
			}
		}
		again, err := knobs.WithParams(given)
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("%q: %+v became %+v (%v)", text, m, again, err)
		}
	})
}
