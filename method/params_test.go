package method_test

import (
	"context"
	"errors"
	"flag"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
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

// asText writes values as a command line would.
func asText(values []method.Value) map[string]string {
	text := map[string]string{}
	for _, v := range values {
		text[v.Name] = strconv.FormatFloat(v.Value, 'g', -1, 64)
	}
	return text
}

// drawDial sets every parameter to something or to zero.
func drawDial(trial int) dial {
	r := rng.Stream(*seed, "dial", trial)
	return dial{
		Rate:  float64(r.IntN(2)) * math.Ldexp(r.Float64(), r.IntN(600)-300),
		Folds: r.IntN(2) * r.IntN(math.MaxInt32), Again: r.IntN(2) == 1, Kind: kind(r.IntN(2)),
	}
}

func TestValuesAsTextMakeTheSameMethod(t *testing.T) {
	for trial := range 200 {
		want := drawDial(trial)
		got, err := dials.WithParams(asText(method.Values(want)))
		if err != nil || got != method.Method(want) {
			t.Errorf("%+v became %+v (%v)", want, got, err)
		}
	}
}

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

func TestZeroIsAValueUnlessItIsLeftOut(t *testing.T) {
	want := []method.Value{{Name: "rate"}, {Name: "again"}, {Name: "kind"}}
	if got := method.Values(dial{}); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
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
	const anyNumber = "want a number of at least 0"
	for _, c := range []struct{ name, text, fault string }{
		{"rate", "0", ""},
		{"rate", "1e-3", ""},
		{"rate", "1.7976931348623157e308", ""},
		{"rate", "many", anyNumber},
		{"rate", "", anyNumber},
		{"rate", "-1", anyNumber},
		{"rate", "NaN", anyNumber},
		{"rate", "Inf", anyNumber},
		{"rate", "1e309", anyNumber},
		{"rate", " 1", anyNumber},
		{"folds", "3", ""},
		{"folds", "3.0", ""},
		{"folds", "1e2", ""},
		{"folds", "2147483647", ""},
		{"folds", "2.5", "got 2.5, want a whole number"},
		{"folds", "2147483648", "got 2.147483648e+09, want a whole number"},
		{"folds", "1e300", "got 1e+300, want a whole number"},
		{"folds", "-2", anyNumber},
		{"folds", "few", anyNumber},
		{"again", "0", ""},
		{"again", "1", ""},
		{"again", "2", "got 2, want 0 or 1"},
		{"again", "0.5", "got 0.5, want 0 or 1"},
		{"again", "true", anyNumber},
		{"kind", "1", ""},
		{"kind", "1.5", "got 1.5, want a whole number"},
		{"rates", "1", `method dial has no parameter "rates"; it has rate, folds, again, kind`},
		{"Sweeps", "1", `method dial has no parameter "Sweeps"; it has rate, folds, again, kind`},
	} {
		m, err := dials.WithParams(map[string]string{c.name: c.text})
		if c.fault == "" {
			if err != nil || m == nil {
				t.Errorf("%s=%s: %v", c.name, c.text, err)
			}
			continue
		}
		e := input.Find(err)
		if m != nil || e == nil || e.Op != "dial" || string(e.Field) != c.name || e.Msg != c.fault {
			t.Errorf("%s=%s: got %v, want %q", c.name, c.text, err, c.fault)
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
