package views

import (
	"bytes"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/guard"
)

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want int
	}{
		{"nothing is wrong", nil, 0},
		{"the disk is full", fmt.Errorf("write: %w", syscall.ENOSPC), 1},
		{"a flag is wrong", arguments.Misuse("--x"), 2},
		{"a file is wrong", fmt.Errorf("reading: %w", &input.Error{Msg: "bad"}), 2},
		{"the signals are wrong", &input.Error{}, 2},
		{"a fault of the program", fmt.Errorf("a file: %w", &guard.Fault{}), 70},
		{"a fault of the program, and an output failed", errors.Join(syscall.ENOSPC, &guard.Fault{}), 70},
		{"Ctrl-C", &interruption{"so it is"}, 130},
		{"Ctrl-C, and an output failed", errors.Join(&interruption{"so it is"}, syscall.ENOSPC), 130},
	} {
		if got := ExitCode(c.err); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

func TestErrorsAreOneLine(t *testing.T) {
	var b bytes.Buffer
	Complain(&b, errors.Join(errors.New("one"), errors.New("two\r\nthree")))
	if got, want := b.String(), "nervure: one; two; three\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
