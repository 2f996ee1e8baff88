package commands

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/repository"
)

// What takes longer on a busy machine says no more.
func init() { os.Setenv(views.ProgressVariable, "none") }

// run carries out a command line in this process.
func run(ctx context.Context, stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Run(ctx, args, stdin, &out, &err)
	return code, out.String(), err.String()
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
		for err, want := range map[error]int{syscall.EPIPE: views.ExitDone, syscall.ENOSPC: views.ExitFailed} {
			var stderr bytes.Buffer
			if got := Run(t.Context(), args, nil, failing{fmt.Errorf("write: %w", err)}, &stderr); got != want || (stderr.Len() > 0) != (want != 0) {
				t.Errorf("%q, %v: exit code %d, want %d; stderr %q", args, err, got, want, stderr.String())
			}
		}
	}
	var stderr bytes.Buffer
	if got := Run(t.Context(), []string{"learn", bad}, nil, failing{syscall.EPIPE}, &stderr); got != views.ExitMisuse {
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
		if code != views.ExitInterrupted || !strings.Contains(stderr.String(), "nervure: interrupted: the best graph so far") ||
			!strings.Contains(stderr.String(), "could not be written") {
			t.Errorf("%v: exit code %d, %q", fault, code, stderr.String())
		}
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("boom\nat an awkward moment") }

func (panicking) Write([]byte) (int, error) { panic("boom\nat an awkward moment") }

// A bug of ours is one sentence and exit code 1, wherever it strikes.
func TestPanicsNeverReachTheUser(t *testing.T) {
	t.Setenv("NERVURE_FAULT_FOLDER", t.TempDir())
	var inCommand, inBackground bytes.Buffer
	code := Run(t.Context(), []string{"version"}, nil, panicking{}, &inCommand)
	codeBackground := Run(t.Context(), []string{"learn", "-"}, panicking{}, io.Discard, &inBackground)
	for where, got := range map[string]struct {
		code int
		text string
	}{"in a command": {code, inCommand.String()}, "in the background": {codeBackground, inBackground.String()}} {
		if got.code != views.ExitFault || strings.Count(got.text, "\n") != 1 || !strings.HasPrefix(got.text, "nervure: a fault of the program, not of your data, ended the run: please send ") {
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
	if code != views.ExitInterrupted || stdout != "" || stderr != "nervure: interrupted: nothing was written\n" {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if got, err := os.ReadFile(out); err != nil || string(got) != "precious" {
		t.Errorf("the old output is now %q (%v)", got, err)
	}
}

func TestMessagesDoNotSteerTheTerminal(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, args := range map[string][]string{
		"a file":           {"learn", file("a.csv", "a,b\n1,\x1b[2J\n")},
		"a name in a note": {"learn", file("b.csv", "t\x1b[2J,a\x1b[2J,b\n2024-01-01,1,2\n2024-01-02,,3\n")},
		"a name of a file": {"learn", filepath.Join(dir, "\x1b[2J.csv")},
		"a flag":           {"learn", "--\x1b[2J"},
		"a command":        {"\x1b[2J"},
	} {
		var out, errs strings.Builder
		if code := Run(context.Background(), args, strings.NewReader(""), &out, &errs); code != views.ExitMisuse {
			t.Errorf("%s: exit code %d", name, code)
		}
		if text := strings.ReplaceAll(errs.String(), "\n", ""); text == "" || strings.ContainsFunc(text, unicode.IsControl) {
			t.Errorf("%s: %q", name, text)
		}
	}
}

func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// buildTool builds the program, or has it from make, and returns its path.
func buildTool(t *testing.T) string {
	t.Helper()
	tool, err := repository.Build(t.Context(), "../../..", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func exeSuffix() string {
	if os.PathSeparator == '\\' {
		return ".exe"
	}
	return ""
}
