package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// run carries out a command line in this process.
func run(ctx context.Context, stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Run(ctx, args, stdin, &out, &err)
	return code, out.String(), err.String()
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want int
	}{
		{"nothing is wrong", nil, 0},
		{"the disk is full", fmt.Errorf("write: %w", syscall.ENOSPC), 1},
		{"a flag is wrong", misuse("--x"), 2},
		{"a file is wrong", fmt.Errorf("reading: %w", &input.Error{Msg: "bad"}), 2},
		{"the signals are wrong", &input.Error{}, 2},
		{"Ctrl-C", &interruption{"so it is"}, 130},
		{"Ctrl-C, and an output failed", errors.Join(&interruption{"so it is"}, syscall.ENOSPC), 130},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

// failing fails to write.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// A reader that leaves hides nothing else that went wrong, and a full disk is
// noticed whatever is printed.
func TestStandardOutputThatCannotBeWritten(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.csv")
	if err := os.WriteFile(bad, []byte("a,b\n1,x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--help"}, {"help", "learn"}, {"version"}, {"--version"}, {"completion", "bash"}} {
		for err, want := range map[error]int{syscall.EPIPE: exitDone, syscall.ENOSPC: exitFailed} {
			var stderr bytes.Buffer
			if got := Run(t.Context(), args, nil, failing{fmt.Errorf("write: %w", err)}, &stderr); got != want || (stderr.Len() > 0) != (want != 0) {
				t.Errorf("%q, %v: exit code %d, want %d; stderr %q", args, err, got, want, stderr.String())
			}
		}
	}
	var stderr bytes.Buffer
	if got := Run(t.Context(), []string{"learn", bad}, nil, failing{syscall.EPIPE}, &stderr); got != exitMisuse {
		t.Errorf("a bad file, and the reader left: exit code %d, %q", got, stderr.String())
	}
}

// interruptedWriter takes what a run prints for a signal to stop.
type interruptedWriter struct {
	bytes.Buffer
	stop func()
}

func (w *interruptedWriter) Write(b []byte) (int, error) {
	w.stop()
	return w.Buffer.Write(b)
}

// An interruption is one, and says what came of it, even if nobody reads the graph.
func TestInterruptedWithoutAReader(t *testing.T) {
	d, err := readDemo()
	if err != nil {
		t.Fatal(err)
	}
	signals := filepath.Join(t.TempDir(), "signals.csv")
	if err := dataio.WriteSignals(signals, d.signals); err != nil {
		t.Fatal(err)
	}
	for _, fault := range []error{syscall.EPIPE, syscall.ENOSPC} {
		ctx, cancel := context.WithCancel(t.Context())
		stderr := &interruptedWriter{stop: cancel}
		args := []string{"learn", signals, "--method", "maretic2017", "--rounds", "100000000", "--progress", "plain"}
		code := Run(ctx, args, nil, failing{fault}, stderr)
		if code != exitInterrupted || !strings.Contains(stderr.String(), "nervure: interrupted: the best graph so far") ||
			!strings.Contains(stderr.String(), "could not be written") {
			t.Errorf("%v: exit code %d, %q", fault, code, stderr.String())
		}
	}
}

func TestDurationsInWords(t *testing.T) {
	for seconds, want := range map[float64]string{0.0123: "12 ms", 0.5: "0.5 s", 42: "42 s", 600: "10 min", 10000: "2.8 h"} {
		if got := inWords(seconds); got != want {
			t.Errorf("%g: got %q, want %q", seconds, got, want)
		}
	}
}

func TestErrorsAreOneLine(t *testing.T) {
	var b bytes.Buffer
	complain(&b, errors.Join(errors.New("one"), errors.New("two\r\nthree")))
	if got, want := b.String(), "nervure: one; two; three\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error)  { panic("boom\nat an awkward moment") }
func (panicking) Write([]byte) (int, error) { panic("boom\nat an awkward moment") }

// A bug of ours is one sentence and exit code 1, wherever it strikes.
func TestPanicsNeverReachTheUser(t *testing.T) {
	var inCommand, inBackground bytes.Buffer
	code := Run(t.Context(), []string{"version"}, nil, panicking{}, &inCommand)
	codeBackground := Run(t.Context(), []string{"learn", "-"}, panicking{}, io.Discard, &inBackground)
	for where, got := range map[string]struct {
		code int
		text string
	}{"in a command": {code, inCommand.String()}, "in the background": {codeBackground, inBackground.String()}} {
		if got.code != exitFailed || strings.Count(got.text, "\n") != 1 || !strings.HasPrefix(got.text, "nervure: internal error: boom; at") {
			t.Errorf("%s: exit code %d, %q", where, got.code, got.text)
		}
	}
}

// A command that waits for input ends when the context does, and leaves outputs alone.
func TestInterruptedWhileReading(t *testing.T) {
	out := filepath.Join(t.TempDir(), "graph.csv")
	if err := os.WriteFile(out, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	silent, writer := io.Pipe()
	defer writer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code, stdout, stderr := run(ctx, silent, "learn", "-", "--out", out)
	if code != exitInterrupted || stdout != "" || stderr != "nervure: interrupted: nothing was written\n" {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if got, err := os.ReadFile(out); err != nil || string(got) != "precious" {
		t.Errorf("the old output is now %q (%v)", got, err)
	}
}

// The line of progress is written over itself, seldom, and leaves nothing behind.
func TestProgressLine(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b, progressLine)
	for round := range 1000 {
		p.show(method.Step{Phase: learn.Coding, Start: 1, Round: round + 1, Residual: 0.5, Edges: 7})
	}
	p.clear()
	got := b.String()
	if n := strings.Count(got, "round "); n < 1 || n > 100 {
		t.Errorf("the line was written %d times in a moment", n)
	}
	if strings.Contains(got, "\n") {
		t.Errorf("the line was ended: %q", got)
	}
	parts := strings.Split(got, "\r") // before the first, the lines, blanks, nothing
	if blank, line := parts[len(parts)-2], parts[len(parts)-3]; strings.TrimSpace(blank) != "" || len(blank) < len(line) || parts[len(parts)-1] != "" {
		t.Errorf("the line was not cleared: %q", got)
	}
	for _, part := range parts {
		if len(part) >= columns {
			t.Errorf("%d columns: %q", len(part), part)
		}
	}
}

func TestPlainProgressIsOneLineARound(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b, progressPlain)
	for _, s := range []method.Step{
		{Phase: learn.Coding, Start: 1, Round: 1, Residual: 0.9},
		{Phase: learn.GraphUpdate, Start: 1, Round: 1, Residual: 0.8, Edges: 3},
		{Phase: learn.Coding, Start: 1, Round: 2, Residual: 0.7, Edges: 3},
		{Phase: learn.Coding, Start: 2, Round: 2, Residual: 0.6, Edges: 1},
	} {
		p.show(s)
	}
	p.endRound()
	p.clear()
	want := `start 1, round 1: residual 0.8, 3 edges
start 1, round 2: residual 0.7, 3 edges
start 2, round 2: residual 0.6, 1 edge
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNoProgressWhereNobodyWatches(t *testing.T) {
	for _, mode := range []progressMode{progressAuto, progressNone} {
		var b bytes.Buffer
		p := newProgress(&b, mode)
		p.show(method.Step{Phase: learn.Coding, Start: 1, Round: 1})
		p.clear()
		if b.Len() > 0 {
			t.Errorf("%s: got %q", mode, b.String())
		}
	}
}

func TestCharsetFollowsTheLocale(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		want figure.Charset
	}{
		{"nothing is known", nil, figure.ASCII},
		{"LANG is UTF-8", map[string]string{"LANG": "en_GB.UTF-8"}, figure.Unicode},
		{"spelt otherwise", map[string]string{"LC_CTYPE": "C.utf8"}, figure.Unicode},
		{"LC_ALL overrules", map[string]string{"LC_ALL": "C", "LANG": "en_GB.UTF-8"}, figure.ASCII},
	} {
		if got := charset(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestWrappedKeepsWordsAndWidth(t *testing.T) {
	sentence := "warning: " + strings.Repeat("some words of λ ", 30) + strings.Repeat("x", 100)
	got := wrapped(sentence)
	if strings.Join(strings.Fields(got), " ") != sentence {
		t.Errorf("the words changed: %q", got)
	}
	for line := range strings.Lines(got) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > columns && strings.Contains(strings.TrimSpace(line), " ") {
			t.Errorf("%d columns: %q", n, line)
		}
	}
}

func TestQuotedSurvivesAShell(t *testing.T) {
	for path, want := range map[string]string{"a/b.csv": "a/b.csv", "my file": "'my file'", "it's": `'it'\''s'`, "": "''"} {
		if got := quoted(path); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
	}
}
