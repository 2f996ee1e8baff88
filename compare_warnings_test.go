package nervure

import (
	"errors"
	"slices"
	"testing"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

func TestEachWarningOfMethodsIsListedOnce(t *testing.T) {
	graph := &method.Result{}
	c := &Comparison{Methods: []Compared{
		{Name: "a", Result: graph, Warnings: []string{"all", "some"}},
		{Name: "b", Result: graph, Warnings: []string{"all", "one"}},
		{Name: "failed"},
		{Name: "c", Result: graph, Warnings: []string{"some", "all"}},
	}}
	want := []MethodWarning{
		{"all", []string{"a", "b", "c"}, true},
		{"some", []string{"a", "c"}, false},
		{"one", []string{"b"}, false},
	}
	same := func(a, b MethodWarning) bool {
		return a.Sentence == b.Sentence && slices.Equal(a.Methods, b.Methods) && a.All == b.All
	}
	if got := c.MethodWarnings(); !slices.EqualFunc(got, want, same) {
		t.Errorf("got %v, want %v", got, want)
	}
	c.Methods = c.Methods[1:2]
	if got := c.MethodWarnings(); len(got) != 2 || got[0].All {
		t.Errorf("a method by itself: got %v", got)
	}
}

func TestWarningsAreThoseOfTheSignalsAndOfRanking(t *testing.T) {
	c := &Comparison{Preparation: &Preparation{}}
	if got := c.Warnings(); got != nil {
		t.Errorf("got %q from nothing", got)
	}
	c.Preparation.Warnings = []prepare.Warning{{Doubt: "skewed"}}
	c.Unranked = "too few"
	if got, want := c.Warnings(), []string{"skewed", "too few"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAllFailedSaysWhetherTheSignalsAreAtFault(t *testing.T) {
	refused, broken := input.Errorf("knn", input.Signals, "got 1, want 2"), errors.New("out of luck")
	for name, c := range map[string]struct {
		methods []Compared
		want    string
		input   bool
	}{
		"none is done":         {nil, "", false},
		"one has a graph":      {[]Compared{{Name: "a", Err: broken}, {Name: "b", Result: &method.Result{}}}, "", false},
		"all refuse signals":   {[]Compared{{Name: "a", Err: refused}, {Name: "b", Err: refused}}, "no method learned a graph; a: signals: got 1, want 2", true},
		"one fails by itself":  {[]Compared{{Name: "a", Err: refused}, {Name: "b", Err: broken}}, "no method learned a graph; a: signals: got 1, want 2", false},
		"all fail by themself": {[]Compared{{Name: "a", Err: broken}}, "no method learned a graph; a: out of luck", false},
	} {
		err := (&Comparison{Methods: c.methods}).AllFailed()
		if got := input.Find(err) != nil; got != c.input || (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%s: got %v, want %q, of the input: %t", name, err, c.want, c.input)
		}
	}
}
