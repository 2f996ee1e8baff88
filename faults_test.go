package nervure

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

// brokenAgain learns a tree that many times, and then has a fault, in a goroutine.
type brokenAgain struct{ left *atomic.Int32 }

func brokenAfter(times int32) brokenAgain {
	b := brokenAgain{&atomic.Int32{}}
	b.left.Store(times)
	return b
}

func (brokenAgain) Name() string { return "broken again" }

func (b brokenAgain) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if b.left.Add(-1) < 0 {
		linalg.ForEach(2, 2, func(int, int) { panic("boom") })
	}
	r, err := baseline.Tree{}.Learn(ctx, p)
	if err == nil {
		r.Method = b // which learns again for the tests
	}
	return r, err
}

// A fault in what tells how far to trust a graph costs that alone.
func TestAFaultInATestCostsTheTestAlone(t *testing.T) {
	s := &Signals{Y: checks.Chain(1, 10, 60)}
	a, err := Learn(t.Context(), s, Options{Method: brokenAfter(1), Structure: Yes, Confidence: Yes})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := Learn(t.Context(), s, Options{Method: baseline.Tree{}, Structure: No})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a.Weights.Edges(), tree.Weights.Edges()) || a.Structure != nil {
		t.Errorf("%d edges, structure test %+v", a.Graph.EdgeCount(), a.Structure)
	}
	if a.Verdict.Grade != NotChecked {
		t.Errorf("verdict %s", a.Verdict)
	}
	faults, rest := guard.Split(errors.Join(a.Faults...))
	if len(faults) != 1 || rest != nil || faults[0].Part != "the structure test" || faults[0].Value != "boom" {
		t.Errorf("faults %v, %v", faults, rest)
	}
	if want := guard.Sentence(faults); !strings.Contains(strings.Join(a.Warnings(), "\n"), want) {
		t.Errorf("no warning %q in %q", want, a.Warnings())
	}
}

// A fault of one method is no reason to show none of the others.
func TestAFaultOfAMethodCostsTheMethodAlone(t *testing.T) {
	s := &Signals{Y: checks.Chain(1, 10, 60)}
	c, err := Compare(t.Context(), s, CompareOptions{Methods: []method.Method{brokenAfter(0), baseline.Tree{}}, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	if f, ok := errors.AsType[*guard.Fault](c.Methods[0].Err); !ok || f.Part != "the method broken again" || c.Methods[1].Result == nil {
		t.Errorf("got %+v", c.Methods)
	}
}
