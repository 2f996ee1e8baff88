package input

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"
)

func TestSentenceIsWhoWhereWhatAndWhy(t *testing.T) {
	for want, e := range map[string]*Error{
		"got 1, want 2": {Msg: "got 1, want 2"},
		"glasso: signals: got 1, want at least 2":     {Op: "glasso", Field: Signals, Msg: "got 1, want at least 2"},
		"flow.csv: line 3, column 2: \"x\" is a word": {File: "flow.csv", Line: 3, Column: 2, Msg: `line 3, column 2: "x" is a word`},
		"learn: flow.csv: edges: too many":            {Op: "learn", File: "flow.csv", Field: Edges, Msg: "too many"},
		"rounds: got 0":                               {Field: Rounds, Msg: "got 0"},
		"learn":                                       {Op: "learn"},
		"":                                            {Line: 4, Format: "zip", Variables: []string{"a"}},
	} {
		if got := e.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestFaultNamesTheFieldUnlessTheSentenceIsComplete(t *testing.T) {
	for want, e := range map[string]*Error{
		"signals: got 1, want at least 2": Errorf("glasso", Signals, "got %d, want at least 2", 1),
		"only 1 of 3 vertices vary":       Completef("glasso", Signals, "only %d of %d vertices vary", 1, 3),
		"there is no such file":           {File: "flow.csv", Msg: "there is no such file"},
	} {
		if got := e.Fault(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got, want := Completef("glasso", Signals, "none vary").Error(), "glasso: signals: none vary"; got != want {
		t.Errorf("got %q, want %q: the whole text has every part", got, want)
	}
}

func TestFindLooksThroughWrappedAndJoinedErrors(t *testing.T) {
	first, second := Errorf("learn", Rounds, "first"), Errorf("learn", Sparsity, "second")
	plain := errors.New("plain")
	for name, c := range map[string]struct {
		err  error
		want *Error
	}{
		"nothing":                        {nil, nil},
		"an error of another kind":       {plain, nil},
		"others, joined":                 {errors.Join(plain, fs.ErrExist), nil},
		"itself":                         {first, first},
		"wrapped":                        {fmt.Errorf("flow.csv: %w", first), first},
		"wrapped twice":                  {fmt.Errorf("a: %w", fmt.Errorf("b: %w", first)), first},
		"joined":                         {errors.Join(plain, first), first},
		"the first of two, joined":       {errors.Join(first, second), first},
		"the first of two, the other":    {errors.Join(second, first), second},
		"wrapped in a join in a wrapper": {fmt.Errorf("a: %w", errors.Join(plain, fmt.Errorf("b: %w", second))), second},
		"one of two wrapped at once":     {fmt.Errorf("%w and %w", plain, first), first},
		"only its text":                  {fmt.Errorf("a: %v", first), nil}, //nolint:errorlint // that it is lost is the point
	} {
		if got := Find(c.err); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestAllListsEveryErrorInOrder(t *testing.T) {
	first, second, third := Errorf("learn", Rounds, "first"), Errorf("learn", Sparsity, "second"), Errorf("", Log, "third")
	plain := errors.New("plain")
	err := fmt.Errorf("flow.csv: %w", errors.Join(first, plain, fmt.Errorf("%w and %w", second, errors.Join(third))))
	if got := All(err); !slices.Equal(got, []*Error{first, second, third}) {
		t.Errorf("got %v", got)
	}
	if got := All(plain); got != nil {
		t.Errorf("got %v from an error of another kind", got)
	}
	if missing := (&Error{Err: fs.ErrNotExist}); !errors.Is(missing, fs.ErrNotExist) {
		t.Error("the error of the system behind one cannot be found")
	}
	if got := All(nil); got != nil {
		t.Errorf("got %v from nothing", got)
	}
	if got := Find(err); got != All(err)[0] {
		t.Errorf("Find returns %v, not the first", got)
	}
}
