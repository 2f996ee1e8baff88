package method_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
)

// called is a method by any name.
type called struct {
	dialled

	name string
}

func (c called) Name() string { return c.name }

func TestMethodsAreListedByNameInWhateverOrderTheyCome(t *testing.T) {
	names := []string{"correlation", "glasso", "knn", "tree", "trees"}
	for trial := range 5 {
		var r method.Registry
		for _, k := range rng.Stream(*seed, "registry", trial).Perm(len(names)) {
			e := r.Add(method.Entry{Default: called{name: names[k]}, About: "about " + names[k]})
			if e.Name() != names[k] {
				t.Errorf("added %s, got %s", names[k], e.Name())
			}
		}
		var got []string
		for _, e := range r.Entries() {
			got = append(got, e.Name())
			if found, ok := r.Find(e.Name()); !ok || found.About != "about "+e.Name() {
				t.Errorf("%s is not found by its name", e.Name())
			}
		}
		if !slices.Equal(got, names) {
			t.Errorf("got %v, want %v", got, names)
		}
		if _, ok := r.Find("magic"); ok {
			t.Error("there is such a method")
		}
		r.Entries()[0] = method.Entry{}
		if r.Entries()[0].Default == nil {
			t.Error("whoever changes the list changes the registry")
		}
	}
}

func TestAnEntryKnowsWhatItsMethodCanDo(t *testing.T) {
	e := method.Entry{Default: able{can: []method.Capability{method.UsesMeans, method.UsesOrder}}}
	if !e.Has(method.UsesMeans) || !e.Has(method.UsesOrder) || e.Has(method.UsesKernels) {
		t.Errorf("%v is taken for something else", e.Default)
	}
	if (method.Entry{Default: plain{}}).Has(method.UsesMeans) {
		t.Error("a method that names no capability has one")
	}
}

// able is a dial with capabilities.
type able struct {
	dial

	can []method.Capability
}

func (a able) Capabilities() []method.Capability { return a.can }

// Methods with parameters that nobody could set.
type (
	wordy struct {
		plain

		Word string `param:"word" about:"a word"`
	}
	secret struct {
		plain

		rate float64 `param:"rate" about:"not to be seen"`
	}
	double struct {
		plain

		A, B float64 `param:"rate" about:"twice"`
	}
	number float64
)

func (number) Name() string                                                  { return "number" }
func (number) Learn(context.Context, method.Problem) (*method.Result, error) { return nil, nil }

func TestMistakesInDeclarationsPanic(t *testing.T) {
	var r method.Registry
	r.Add(method.Entry{Default: plain{}})
	for what, m := range map[string]method.Method{
		"two methods are called taken":            called{name: "taken"},
		"is a float64, want a struct":             number(1),
		"parameter word of plain is a string":     wordy{plain{}, ""},
		"parameter rate of plain is not exported": secret{plain{}, 0},
		"plain has two parameters rate":           double{},
	} {
		t.Run(what, func(t *testing.T) {
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, what) {
					t.Errorf("panicked with %q", got)
				}
			}()
			var r method.Registry
			r.Add(method.Entry{Default: called{name: "taken"}})
			r.Add(method.Entry{Default: m})
		})
	}
}
