package task

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

func tasks(kind string, count int) []Task {
	list := make([]Task, count)
	for k := range list {
		list[k] = Task{ID: fmt.Sprint(k), Kind: kind, Args: fmt.Append(nil, k), Data: []Hash{"shared"}}
	}
	return list
}

func shared(Hash) ([]byte, error) { return []byte("shared"), nil }

var kinds = Kinds{
	"join": func(_ context.Context, args []byte, data [][]byte) ([]byte, error) {
		return slices.Concat(data[0], args), nil
	},
	"refuse": func(context.Context, []byte, [][]byte) ([]byte, error) { return nil, errors.New("it is odd") },
	"panic":  func(context.Context, []byte, [][]byte) ([]byte, error) { panic("oops") },
	"wait": func(ctx context.Context, _ []byte, _ [][]byte) ([]byte, error) {
		<-ctx.Done()
		return nil, nil
	},
}

func TestLocalYieldsEachResultOnce(t *testing.T) {
	for _, threads := range []int{0, 1, 3, 50} {
		got := map[string]string{}
		for r, err := range (Local{kinds, threads}).Run(t.Context(), tasks("join", 20), shared) {
			if err != nil || r.Fault != "" || got[r.ID] != "" {
				t.Fatalf("%d threads: %+v, %v after %v", threads, r, err, got)
			}
			got[r.ID] = string(r.Value)
		}
		if len(got) != 20 || got["7"] != "shared7" {
			t.Errorf("%d threads: got %v", threads, got)
		}
	}
}

func TestFaultsAreResults(t *testing.T) {
	for kind, want := range map[string]string{"refuse": "it is odd", "panic": "a fault of the program, not of your data, ended the task 0", "other": `there is no work of kind "other"`} {
		for r, err := range (Local{Kinds: kinds}).Run(t.Context(), tasks(kind, 2), shared) {
			if err != nil || r.Fault != want && r.ID == "0" || (r.Broken != nil) != r.Lost || r.Value != nil || r.Lost != (kind == "panic") {
				t.Errorf("%s: got %+v, %v", kind, r, err)
			}
		}
	}
	none := func(h Hash) ([]byte, error) { return nil, fmt.Errorf("%s is lost", h) }
	if r := kinds.Do(t.Context(), tasks("join", 1)[0], none); r.Fault != "shared is lost" || !r.Lost {
		t.Errorf("got %+v", r)
	}
}

func TestTheEndOfTheContextEndsTheRun(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	cause := errors.New("that is enough")
	mixed := append(tasks("join", 2), tasks("wait", 5)...)
	seen := 0
	for r, err := range (Local{kinds, 2}).Run(ctx, mixed, shared) {
		if seen++; seen == 2 {
			stop(cause)
		}
		if seen > 2 && (!errors.Is(err, cause) || r.ID != "") {
			t.Errorf("got %+v, %v", r, err)
		}
	}
	if seen != 3 {
		t.Errorf("%d yields, want two results and the cause", seen)
	}
}

func TestLeavingTheLoopStopsTheWork(t *testing.T) {
	var begun atomic.Int32
	counted := Kinds{"count": func(ctx context.Context, _ []byte, _ [][]byte) ([]byte, error) {
		if begun.Add(1) > 1 {
			<-ctx.Done()
		}
		return nil, nil
	}}
	for range (Local{counted, 2}).Run(t.Context(), tasks("count", 100), shared) {
		break
	}
	if n := begun.Load(); n > 4 {
		t.Errorf("%d tasks were begun", n)
	}
}

func TestHashesAreThoseOfOtherSoftware(t *testing.T) {
	// printf abc | sha256sum
	if got := HashOf([]byte("abc")); !strings.HasPrefix(string(got), "ba7816bf8f01cfea414140de5dae2223") || len(got) != 64 {
		t.Errorf("got %s", got)
	}
}
