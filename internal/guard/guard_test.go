package guard

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestAPanicIsAnErrorOfItsPart(t *testing.T) {
	fault := errors.New("as it is")
	if err := Run("a part", func() error { return fault }); err != fault { //nolint:errorlint // the same one
		t.Errorf("got %v", err)
	}
	err := Run("the page", func() error { return Run("its figure", func() error { panic("boom") }) })
	f, ok := errors.AsType[*Fault](err)
	if !ok || f.Value != "boom" || err.Error() != "a fault of the program, not of your data, ended its figure" {
		t.Errorf("got %v", err)
	}
}

// diesHere is the function that stacks are searched for.
//
//go:noinline
func diesHere(values ...float64) { panic(fmt.Sprint("boom ", len(values))) }

func checkStack(t *testing.T, err error) {
	t.Helper()
	f, ok := errors.AsType[*Fault](err)
	if !ok || f.Value != "boom 2" || !strings.HasPrefix(f.Stack, "github.com/nervure/nervure/internal/guard.diesHere\n\t") || strings.Contains(f.Stack, "0x") {
		t.Errorf("got %+v", err)
	}
}

// A panic in a goroutine of a goroutine comes to whoever waits, with the stack where it was.
func TestAPanicOfAGoroutineComesToWhoWaits(t *testing.T) {
	done := make(chan bool, 3)
	checkStack(t, Run("work", func() error {
		var outer Group
		for k := range 3 {
			outer.Go(func() {
				defer func() { done <- true }()
				var inner Group
				inner.Go(func() {
					if k == 1 {
						diesHere(1, 2)
					}
				})
				inner.Wait()
			})
		}
		outer.Wait()
		return nil
	}))
	if len(done) != 3 {
		t.Errorf("%d goroutines had ended", len(done))
	}
}

func TestFaultsAreTakenOutOfAnError(t *testing.T) {
	disk := errors.New("the disk is full")
	one, two := Run("one", func() error { panic(1) }), Run("two", func() error { panic(2) })
	faults, rest := Split(errors.Join(disk, fmt.Errorf("file: %w", one), errors.Join(two, two)))
	if len(faults) != 3 || rest == nil || rest.Error() != disk.Error() {
		t.Errorf("got %v and %v", faults, rest)
	}
	if got := Sentence(faults); got != "a fault of the program, not of your data, ended one and two" {
		t.Errorf("got %q", got)
	}
	if faults, rest := Split(disk); faults != nil || rest != disk { //nolint:errorlint // the same one
		t.Errorf("got %v and %v", faults, rest)
	}
}
