// Package needs decides how a test treats software that is not installed: on
// somebody's machine it is left out, in CI it fails.
package needs

import (
	"cmp"
	"os"
	"testing"
)

// All says that nothing may be left out, because everything that can be installed
// should have been: the environment has CI=true.
func All() bool { return os.Getenv("CI") == "true" }

// A Test is what *testing.T and *testing.B have in common here.
type Test interface {
	Helper()
	Skip(args ...any)
	Fatal(args ...any)
}

// LeaveOut skips a test for the given reason; if All, the test fails instead.
// Software that is optional even in CI is no case for it: skip those tests.
//
// Go remembers the outcome of a test and does not notice that software was installed
// since. It does notice a variable of the environment: make sets NERVURE_LEFT_OUT to
// what is missing, so that the test runs once it is there.
func LeaveOut(t Test, reason string) {
	t.Helper()
	_ = os.Getenv("NERVURE_LEFT_OUT")
	if All() {
		t.Fatal("CI=true allows nothing to be left out: " + reason)
	} else {
		t.Skip("left out: " + reason)
	}
}

// Long leaves a test to make test-all, which sets NERVURE_TEST_ALL: one that takes many seconds, or
// needs software that make test does not install, and says so. What it holds is held to in short, too,
// by a test that make test runs. Under the race detector, which runs the short tests, it is always left out.
func Long(t Test, why string) {
	t.Helper()
	if testing.Short() || os.Getenv("NERVURE_TEST_ALL") != "true" {
		t.Skip("left to make test-all: " + why)
	}
}

// Python is the interpreter for the tests that compare with other software: the
// environment variable NERVURE_PYTHON, or python3.
func Python() string { return cmp.Or(os.Getenv("NERVURE_PYTHON"), "python3") }
