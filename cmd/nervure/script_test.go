package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/needs"
	"github.com/nervure/nervure/internal/repository"
)

// The scripts run the program as users get it, so it is built first. Commands
// beyond those of testscript:
//
//	fails CODE nervure …      exits with CODE, and the error is one clean sentence that names what is wrong
//	interrupt nervure …       gets SIGINT in its second round and exits with 130;
//	                          interrupt -at WORD, after a line that begins so
//	narrow stdout|stderr|FILE no line is wider than 80 columns
//	convert FILE FILE         writes signals in another format
//	[!test-all] stop          leaves the rest to make test-all
//	npy KIND FILE             makes a NumPy file: truncated, huge, wide, signals, transposed, weights
func TestScripts(t *testing.T) {
	tool, err := repository.Build(t.Context(), filepath.Join("..", ".."), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", filepath.Dir(tool)+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv("LC_ALL", "C.UTF-8")
			e.Setenv(views.ProgressVariable, "none") // what takes longer on a busy machine says no more
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "test-all" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return needs.TestAll(), nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"convert":   scriptConvert,
			"fails":     scriptFails,
			"interrupt": scriptInterrupt,
			"narrow":    scriptNarrow,
			"npy":       scriptNPY,
		},
	})
}

func scriptFails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fails CODE COMMAND …")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := codeOf(ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exit code: got %d, want %d", got, want)
	}
	lines := strings.Split(strings.TrimRight(ts.ReadFile("stderr"), "\n"), "\n")
	if !strings.HasPrefix(lines[0], "nervure: ") {
		ts.Fatalf("the first line of the error does not begin with nervure:")
	}
	if len(lines) > 2 || len(lines) == 2 && !strings.HasPrefix(lines[1], "run 'nervure") {
		ts.Fatalf("the error is not one sentence and a hint")
	}
	if strings.Contains(lines[0], "goroutine ") || strings.Contains(lines[0], "panic") || strings.Contains(lines[0], "internal error") {
		ts.Fatalf("the error is a panic")
	}
	if want == views.ExitMisuse && !namesWhatIsWrong(lines[0], args[2:]) {
		ts.Fatalf("the error names neither a flag nor anything on the command line")
	}
}

// concrete is a flag, a number, a key or the name of a file, or what is missing.
var concrete = regexp.MustCompile(`--\w|\d|\w\.\w|is missing|standard input`)

// namesWhatIsWrong reports whether a sentence has something concrete, or a word of the command line.
func namesWhatIsWrong(sentence string, line []string) bool {
	return concrete.MatchString(sentence) || slices.ContainsFunc(line, func(word string) bool {
		return len(word) > 1 && strings.Contains(sentence, word) || strings.HasPrefix(sentence, "nervure: "+word+":")
	})
}

func codeOf(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}

// scriptInterrupt waits for the first line that --progress plain reports, or for
// the first that begins with a word, so that the signal comes while the graph is
// being learned. What the program
// prints goes to the files stdout and stderr.
func scriptInterrupt(ts *testscript.TestScript, neg bool, args []string) {
	at := ""
	if len(args) > 2 && args[0] == "-at" {
		at, args = args[1], args[2:]
	}
	if neg || len(args) < 1 {
		ts.Fatalf("usage: interrupt [-at WORD] COMMAND …")
	}
	suffix := ""
	if os.PathSeparator == '\\' {
		suffix = ".exe"
	}
	dir, _, _ := strings.Cut(ts.Getenv("PATH"), string(os.PathListSeparator)) // where the program was built
	path := filepath.Join(dir, args[0]+suffix)
	cmd := exec.Command(path, append(args[1:], "--progress", "plain")...)
	cmd.Dir = ts.MkAbs(".")
	var stdout, stderr bytes.Buffer
	cmd.Stdout = &stdout
	pipe, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	guard := time.AfterFunc(10*time.Minute, func() { _ = cmd.Process.Kill() })
	defer guard.Stop()
	r := bufio.NewReader(pipe)
	for line := "\n"; line == "\n" || !strings.HasPrefix(line, at); {
		line, err = r.ReadString('\n')
		ts.Check(err)
		stderr.WriteString(line)
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	_, err = io.Copy(&stderr, r)
	ts.Check(err)
	code := codeOf(cmd.Wait())
	ts.Check(os.WriteFile(ts.MkAbs("stdout"), stdout.Bytes(), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("stderr"), stderr.Bytes(), 0o644))
	if code != views.ExitInterrupted {
		ts.Fatalf("exit code: got %d, want %d\n%s", code, views.ExitInterrupted, stderr.String())
	}
}

func scriptNarrow(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: narrow stdout|stderr|FILE")
	}
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if w := utf8.RuneCountInString(strings.TrimRight(line, "\n")); w > views.Columns {
			ts.Fatalf("%d columns: %s", w, line)
		}
	}
}

func scriptNPY(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: npy KIND FILE")
	}
	path := ts.MkAbs(args[1])
	header := func(shape string) []byte {
		h := "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }\n"
		return append([]byte("\x93NUMPY\x01\x00"+string([]byte{byte(len(h)), 0})), h...)
	}
	switch args[0] {
	case "truncated":
		ts.Check(os.WriteFile(path, append(header("(10, 4)"), make([]byte, 100)...), 0o644))
	case "huge":
		ts.Check(os.WriteFile(path, append(header("(1000000, 1000000)"), make([]byte, 100)...), 0o644))
	case "wide": // more vertices than can be learned
		ts.Check(os.WriteFile(path, append(header("(2, 200000)"), make([]byte, 3200000)...), 0o644))
	case "wide and varied":
		values := make([]byte, 3200000)
		for k := len(values) / 2; k < len(values); k += 8 {
			copy(values[k+6:], "\xf0\x3f") // the second signal is 1 everywhere
		}
		ts.Check(os.WriteFile(path, append(header("(2, 200000)"), values...), 0o644))
	case "weights": // of a path a – b – c, with b – c the heavier
		ts.Check(dataio.Matrix{Values: mat.NewDense(3, 3, []float64{0, 1, 0, 1, 0, 2, 0, 2, 0})}.Write(path))
	case "signals": // those of signals.csv, without names
		s, err := dataio.ReadSignals(ts.MkAbs("signals.csv"), dataio.ReadOptions{})
		ts.Check(err)
		ts.Check(dataio.Matrix{Values: s.Y.T()}.Write(path))
	case "transposed":
		s, err := dataio.ReadSignals(ts.MkAbs("signals.csv"), dataio.ReadOptions{})
		ts.Check(err)
		ts.Check(dataio.Matrix{Values: mat.DenseCopyOf(s.Y)}.Write(path))
	default:
		ts.Fatalf("unknown kind %q", args[0])
	}
}

// scriptConvert writes signals in another format.
func scriptConvert(ts *testscript.TestScript, _ bool, args []string) {
	s, err := dataio.ReadSignals(ts.MkAbs(args[0]), dataio.ReadOptions{})
	ts.Check(err)
	ts.Check(dataio.WriteSignals(ts.MkAbs(args[1]), s))
}
