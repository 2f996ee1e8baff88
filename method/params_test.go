package method_test

import (
	"context"
	"errors"
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/method"
)

var seed = flag.Uint64("seed", 1, "seed of everything drawn in these tests; any must pass")

// dial is a method with a parameter of each kind, in no order of their names.
type dial struct {
	Rate   float64 `param:"rate" about:"how fast; 0 = 1"`
	Folds  int     `param:"folds,omitzero" about:"how often; 0 = never"`
	Again  bool    `param:"again" about:"1 = once more"`
	Kind   kind    `param:"kind" about:"0 for one kind, 1 for the other"`
	Sweeps int     // not for the command line
}

type kind int

func (dial) Name() string { return "dial" }

func (dial) Learn(context.Context, method.Problem) (*method.Result, error) {
	return nil, errors.New("dial learns nothing")
}

// plain is a method without parameters.
type plain struct{ dialled }

type dialled struct{}

func (dialled) Learn(context.Context, method.Problem) (*method.Result, error) { return nil, nil }
func (plain) Name() string                                                    { return "plain" }

var dials = method.Entry{Default: dial{}}

func TestParametersKeepTheOrderOfTheFields(t *testing.T) {
	want := []method.Param{
		{Name: "rate", About: "how fast; 0 = 1"},
		{Name: "folds", About: "how often; 0 = never"},
		{Name: "again", About: "1 = once more"},
		{Name: "kind", About: "0 for one kind, 1 for the other"},
	}
	if got := dials.Params(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	values := method.Values(dial{Rate: 0.5, Folds: 3, Again: true, Kind: 1, Sweeps: 9})
	if want := []method.Value{{Name: "rate", Value: 0.5}, {Name: "folds", Value: 3}, {Name: "again", Value: 1}, {Name: "kind", Value: 1}}; !slices.Equal(values, want) {
		t.Errorf("got %v, want %v", values, want)
	}
	if got := (method.Entry{Default: plain{}}).Params(); len(got) != 0 {
		t.Errorf("a method without parameters has %v", got)
	}
}

func TestParametersNotGivenKeepTheirDefault(t *testing.T) {
	base := dial{Rate: 2, Sweeps: 7}
	got, err := method.Entry{Default: base}.WithParams(map[string]string{"folds": "3"})
	if want := (dial{Rate: 2, Folds: 3, Sweeps: 7}); err != nil || got != method.Method(want) {
		t.Errorf("got %+v (%v), want %+v", got, err, want)
	}
	if base.Folds != 0 {
		t.Error("the default has changed")
	}
	for _, none := range []map[string]string{nil, {}} {
		if got, err := dials.WithParams(none); err != nil || got != method.Method(dial{}) {
			t.Errorf("without parameters: %+v (%v)", got, err)
		}
	}
}

func TestTextIsANumberOfTheRightKind(t *testing.T) {
	for _, c := range []struct {
		name string
		good []string
		bad  []string
	}{
		{"rate", []string{"0", "1e-3"}, []string{"many", "", "-1", "NaN", "Inf", "1e309", " 1"}},
		{"folds", []string{"3", "1e2", "2147483647"}, []string{"2.5", "2147483648", "-2", "few"}},
		{"again", []string{"0", "1"}, []string{"2", "0.5", "true"}},
		{"kind", []string{"1"}, []string{"1.5"}},
		{"rates", nil, []string{"1"}},
		{"Sweeps", nil, []string{"1"}},
	} {
		for _, text := range c.good {
			if m, err := dials.WithParams(map[string]string{c.name: text}); err != nil || m == nil {
				t.Errorf("%s=%s: %v", c.name, text, err)
			}
		}
		for _, text := range c.bad {
			m, err := dials.WithParams(map[string]string{c.name: text})
			if e := input.Find(err); m != nil || e == nil || e.Op != "dial" || string(e.Field) != c.name {
				t.Errorf("%s=%s: got %v", c.name, text, err)
			}
		}
	}
	_, err := method.Entry{Default: plain{}}.WithParams(map[string]string{"rate": "1"})
	if e := input.Find(err); e == nil || e.Msg != "method plain has no parameters" {
		t.Errorf("got %v", err)
	}
}

func TestAllFaultsAreReportedInTheOrderOfTheirNames(t *testing.T) {
	_, err := dials.WithParams(map[string]string{"rate": "x", "again": "7", "folds": "1.5", "kind": "1", "zeal": "1"})
	var got []string
	for line := range strings.Lines(err.Error()) {
		got = append(got, strings.Split(line, ": ")[1])
	}
	if want := []string{"again", "folds", "rate", "zeal"}; !slices.Equal(got, want) {
		t.Errorf("faults of %v, want %v", got, want)
	}
}
